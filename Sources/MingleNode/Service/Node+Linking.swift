// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
package import MingleAPI
import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica
import MingleWire
import Synchronization

/// A second device of one's own, by a link that the first one shows.
extension Node {
    /// How long who asks for a certificate waits for another answer after somebody has refused: another device of the person's may
    /// have made the link.
    private static let linkingGrace = Duration.seconds(5)

    /// Makes a link by which one further device of this person's may come within ten minutes; an earlier one is good no more.
    ///
    /// It is kept in memory alone: a restart ends it.
    ///
    /// - Throws: `API.Problem`: `notAllowed` on a device that was linked itself or is retired, and if the person takes
    ///   no part; `conflict` if the person has sixteen devices.
    package func makeDeviceLink(event: String?) throws -> API.DeviceLink {
        let session = try session(event)
        try session.requireLinking()
        let offer = DeviceOffer(seed: Randomness.system.secret(), at: clock.uptime())
        session.offer.withLock { $0 = offer }
        return show(offer, of: session.replica.own.person, in: session)
    }

    /// The link that is open.
    ///
    /// - Throws: `API.Problem`: `notFound` where none is.
    package func deviceLink(event: String?) throws -> API.DeviceLink {
        let session = try session(event)
        let now = clock.uptime()
        guard let offer = session.offer.withLock({ $0 }), offer.isOpen(at: now) else {
            throw API.Problem(
                .notFound,
                "No device link is open. A link ends when a device uses it, after ten minutes, and when the node stops. Make "
                    + "another one: mingle devices link"
            )
        }
        return show(offer, of: session.replica.own.person, in: session)
    }

    /// The text of the link that goes by an id: the open one for a device, or an invitation's.
    package func linkText(_ id: String?, event: String?) throws -> String {
        if let link = try? deviceLink(event: event), link.id == id { return link.link }
        return try invitation(id, event: event).link
    }

    /// Ends the link that is open, if one is.
    package func closeDeviceLink(event: String?) throws { try session(event).offer.withLock { $0 = nil } }

    func show(_ offer: DeviceOffer, of person: PersonID, in session: EventSession) -> API.DeviceLink {
        let link = InvitationLink(
            event: session.event,
            psk: session.secrets.withLock { $0.psk },
            seed: offer.seed,
            hints: LocalAddresses.hints(port: peerPort),
            kind: .device(of: person)
        )
        let left = (offer.end - clock.uptime()) / .milliseconds(1)
        return API.DeviceLink(
            id: offer.id,
            link: link.text,
            level: "device",
            expires: Date(milliseconds: clock.now().milliseconds + Int64(left)),
            uses: 1,
            used: 0
        )
    }

    /// Tells the person that a further device was certified, until it is retired.
    func linked(_ device: DeviceName, in event: EventID) {
        let title = state.withLock { $0.sessions[event] }.flatMap { try? $0.replica.title() } ?? "\(event)"
        let text =
            "A new device of yours was linked in \(title): \(device.description.prefix(8)). If you did not link it, retire it: "
            + "mingle devices retire \(device.description.prefix(8))"
        logger.warning("\(text)")
        state.withLock { state in
            // One whose answer was lost asks again.
            guard !state.linked.contains(where: { $0.name == device && $0.event == event }) else { return }
            state.linked.append(LinkedDevice(name: device, event: event, warning: text))
        }
        changes.publish(kinds: ["status"])
    }

    /// What is said of devices that were linked since the start: of one that is retired, or of an event that is left, nothing.
    func linkedWarnings() -> [String] {
        let (linked, sessions) = state.withLock { ($0.linked, $0.shown) }
        return linked.filter { device in
            guard let replica = sessions[device.event]?.replica else { return false }
            return (try? replica.isRetired(device.name, of: replica.own.person)) != true
        }.map(\.warning)
    }

    // MARK: - The new device

    /// Becomes a further device of the person who made a link; waits until that person's device has answered, and a while for what
    /// the event is called.
    func join(asDeviceBy link: InvitationLink) async throws -> API.Event {
        guard let secrets = Secrets.linking(link, .system) else { throw API.Problem.relayLink }
        if let known = state.withLock({ $0.sessions[link.event] }) { throw takesPart(known, secrets.person) }
        let session = try makeSession(link.event, secrets) { _ in }
        session.arrival.withLock { $0 = DeviceArrival(seed: link.seed) }
        do {
            try begin(session, isCurrent: false)
            for hint in link.hints { learn([hint], of: link.event) }
            try await awaitCertificate(in: session)
        } catch {
            // What was certified in the last moment stays: it is one of the person's devices.
            let isCertified = session.arrival.withLock({ $0?.giveUp() }) == false
            if !isCertified || session.linkingFailure.withLock({ $0 }) != nil { try? await forget(link.event) }
            throw error
        }
        session.arrival.withLock { $0 = nil }
        changes.publish(kinds: ["status"])
        try updateSettings { $0.current = link.event.description }
        await awaitTitle(of: session)
        session.attempt("use the person's name for this node") { try adoptName(in: session) }
        return try show(session)
    }

    private func takesPart(_ known: EventSession, _ person: PersonID) -> API.Problem {
        let detail =
            if known.isLeaving {
                "You are leaving that event on this node. Wait until this node has left it, then make another link."
            } else if known.replica.own.person == person {
                "This node is a device of yours in that event already. List your devices: mingle devices."
            } else {
                "This node takes part in that event as somebody else. To make it a device of yours, leave the event here (mingle "
                    + "event leave \(known.event)), then join by another link."
            }
        return API.Problem(.conflict, detail)
    }

    /// Waits until this device has its certificate, it is refused, or nobody answers.
    private func awaitCertificate(in session: EventSession) async throws {
        let isCertified = try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask { [changes] in try await changes.wait(until: { try session.isCertified() }) }
            group.addTask { [changes] in
                _ = await changes.wait(until: { session.refusal.withLock { $0 } != nil })
                try await Task.sleep(for: Self.linkingGrace)
                return false
            }
            group.addTask { [timeout = configuration.joinTimeout] in
                try await Task.sleep(for: timeout)
                return false
            }
            defer { group.cancelAll() }
            return try await group.next() ?? false
        }
        guard !isCertified else { return }
        // A certificate may come just now: it is taken before this, and stored soon, or not at all.
        guard session.arrival.withLock({ $0?.giveUp() ?? true }) else {
            _ = try await changes.wait(until: { try session.isCertified() })
            return
        }
        if let reason = session.refusalReason {
            throw API.Problem(.badInvitation, "This node was not linked: \(reason).")
        }
        throw API.Problem(
            .unavailable,
            "Your other device did not answer within \(configuration.joinTimeout.components.seconds) seconds. Start Mingle on "
                + "it, in the same network. If the network keeps devices apart, start with --peer HOST:PORT."
        )
    }

    /// Waits until the event can be read, for a while: the other device hands its keys on within seconds.
    private func awaitTitle(of session: EventSession) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [changes] in
                _ = await changes.wait(until: {
                    (try? session.replica.hasKey() && (session.replica.title() != nil || session.isNameless())) ?? false
                })
            }
            group.addTask { [timeout = configuration.joinTimeout] in try? await Task.sleep(for: timeout) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Takes the person's name for this node, unless it has one; the person's stays what it is.
    private func adoptName(in session: EventSession) throws {
        let person = try session.replica.person(session.replica.own.person)
        guard state.withLock({ $0.settings.name }) == nil, person.hasName else { return }
        try updateSettings { $0.name = person.name }
    }
}

extension EventSession {
    /// Refuses where this device cannot link a further one.
    fileprivate func requireLinking() throws {
        let certified = secrets.withLock { $0.certified }
        if let refusal = try replica.linkingRefusal(certified: certified) {
            switch refusal {
            case .takesNoPart:
                throw API.Problem(
                    .notAllowed,
                    "You take no part in the event now, so you cannot link another device."
                )
            case .isRetired: throw API.Problem(.notAllowed, ReplicaError.deviceRetired.description)
            case .tooManyDevices:
                throw API.Problem(
                    .conflict,
                    "You have \(DeviceOffer.devices) devices in the event, retired ones included. That is the limit."
                )
            }
        }
        let secrets = secrets.withLock { $0 }
        guard secrets.identity == nil else { return }
        let first = secrets.linkedBy.map { "your device \($0.description.prefix(8))" } ?? "another device of yours"
        throw API.Problem(
            .notAllowed,
            "This device cannot link others because \(first) linked it. Make the link there: mingle devices link"
        )
    }
}
