// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import MingleAPI
import MingleCrypto
import MingleDiscovery
import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
package import MingleWire
import Synchronization

/// A node that carries everything and reads nothing: the machine that a venue leaves running.
extension Node {
    /// How often a relay looks whether it holds more than its policy says.
    private static let retentionPause = Duration.seconds(60)

    /// Refuses a data folder that serves another purpose: a relay's keys are no person's, nor are a door's.
    static func requireUse(of folder: DataFolder, _ use: FolderUse) throws(DataFolderError) {
        for event in folder.events() {
            // What cannot be read is told of when the event is opened.
            guard let secrets = try? folder.files(of: event).readSecrets() else { continue }
            guard secrets.use == use else { throw .otherUse(folder.path, secrets.use) }
        }
    }

    /// Reads a link for relays, or says what to do with it.
    package static func readRelayLink(_ text: String) throws -> InvitationLink {
        let link = try read(text)
        switch link.kind {
        case .relay: break
        case .people: throw API.Problem.peopleLink
        case .door: throw API.Problem.doorLink
        case .device: throw API.Problem.deviceLink
        }
        return link
    }

    /// Carries the events of some links from now on, and those that the folder holds.
    ///
    /// Of several links of one event the last is meant. One that cannot be carried keeps none of the others waiting.
    package func relay(_ links: [InvitationLink]) async throws {
        let lastOfEach = Dictionary(links.map { ($0.event, $0) }) { $1 }
        for (_, link) in lastOfEach.sorted(by: { $0.key < $1.key }) {
            do { try await relay(link) } catch {
                warn("This relay cannot carry an event of the links that were given: \(error)")
            }
        }
        guard eventCount == 0 else { return }
        if let event = state.withLock({ $0.unopened.min() }) {
            throw API.Problem(
                .unavailable,
                "The event \(event) of this relay could not be opened. To find out why: mingle verify --data \(folder.path)"
            )
        }
        throw API.Problem.nothingToRelay
    }

    /// Carries an event from now on; members let this relay in when they meet it, be that now or later.
    private func relay(_ link: InvitationLink) async throws {
        if let known = state.withLock({ $0.sessions[link.event] }) {
            guard try known.mayComeAnew(by: InvitationKeys(seed: link.seed).id) else {
                if let warning = try known.relayWarning() {
                    warn(warning + " This relay did not use the new link.")
                }
                return
            }
            try await forget(link.event)
        }
        let secrets = Secrets.joining(link, .system)
        let session = try makeSession(link.event, secrets) { replica in
            _ = try replica.enter(secrets: secrets, at: clock.now(), randomness: .system)
        }
        state.withLock { $0.sessions[session.event] = session }
    }

    /// How many events this node takes part in.
    package var eventCount: Int { state.withLock { $0.sessions.count } }

    /// Where a relay or a door looks for members at its start: where its link was made.
    func learnHints(of session: EventSession) {
        guard configuration.use != .person else { return }
        learn(session.secrets.withLock { $0.hints }, of: session.event)
    }

    /// Looks there again while nobody has let it in: a hint that led nowhere for minutes was forgotten.
    func learnHintsAgain() {
        for session in state.withLock({ Array($0.sessions.values) }) where (try? session.ownLevel()) == nil {
            learnHints(of: session)
        }
    }

    /// Lets go of what the policy does not hold, every minute.
    func keepRetaining() async {
        guard let policy = configuration.relay, policy.hasLimits else { return await untilCancelled() }
        while !Task.isCancelled {
            retain(by: policy)
            try? await Task.sleep(for: Self.retentionPause)
        }
    }

    func retain(by policy: RetentionPolicy) {
        let sessions = state.withLock { $0.sessions }.sorted { $0.key < $1.key }.map(\.value)
        let now = clock.now()
        let events = sessions.map { session in
            (bytes: Int(session.blobs.storedBytes), quiet: (try? session.replica.quietTime(at: now)) ?? .zero)
        }
        for ((session, event), excess) in zip(zip(sessions, events), policy.excess(of: events)) {
            session.retain(by: policy, quiet: event.quiet, excess: excess)
        }
    }

    /// What a relay says of itself by mDNS: 0 while less than half of its connections are taken, 1, or 2 for nearly all.
    var loadClass: Int {
        let share = state.withLock { $0.links.count } * 10 / max(transport.configuration.connections, 1)
        return share < 5 ? 0 : share < 9 ? 1 : 2
    }

    /// What keeps this relay from carrying its events.
    func relayWarnings() -> [String] {
        state.withLock { $0.sessions }.sorted { $0.key < $1.key }.compactMap { try? $0.value.relayWarning() }
    }

    /// How a relay is; nil for a node of a person's.
    func relayStatus() throws -> API.Relay? {
        guard let policy = configuration.relay else { return nil }
        let (sessions, links) = state.withLock { ($0.sessions, $0.links.count) }
        return API.Relay(
            policy: API.Relay.Policy(
                blobBytes: policy.blobBytes,
                eventBytes: policy.eventBytes,
                authorBytes: policy.authorBytes,
                authorHourly: policy.authorHourly,
                days: policy.days
            ),
            connections: links,
            events: try sessions.sorted { $0.key < $1.key }.map { try $0.value.relayed() }
        )
    }
}

extension EventSession {
    /// How a relay carries this event.
    fileprivate func relayed() throws -> API.RelayedEvent {
        let counts = try counts.counts(of: replica)
        let evicted = try replica.evictedCounts()
        let totals = wanted.totals
        return API.RelayedEvent(
            id: event.description,
            state: try relayState(),
            people: Int(counts.people),
            peers: roster.present.count,
            deltas: Int(counts.deltas),
            blobs: blobs.completeCount,
            blobBytes: Int(blobs.storedBytes),
            blobsWaiting: totals.count,
            bytesWaiting: totals.bytes,
            evictedPayloads: evicted.payloads,
            evictedBlobs: evicted.blobs,
            shortage: API.Shortage(shortage)
        )
    }

    /// Whether nobody has let this relay in by its link, it holds nothing that anybody shared, and that link is not the one given now.
    ///
    /// A relay whose database was lost knows as little, and may have the only copy of what lies beside it.
    fileprivate func mayComeAnew(by given: InvitationID) throws -> Bool {
        guard isRelay, try relayState() == "waiting", blobs.list().isEmpty,
            replica.own.invitation.map({ $0.id != given }) ?? false
        else { return false }
        // Who met it has left a certificate.
        let holdsNoWord = try replica.frontier().entries.allSatisfy { $0.journal == .fabric }
        return holdsNoWord && !files.hasMore
    }

    private func relayState() throws -> String {
        let person = try replica.person(replica.own.person)
        switch person.level {
        case .relay: return "relaying"
        case nil: return person.isDeclined ? "declined" : person.isRemoved ? "removed" : "waiting"
        default: return "wrong_link"
        }
    }

    /// What the operator of a relay has to know; nil if all is well.
    func relayWarning() throws -> String? {
        guard isRelay else { return nil }
        let name = event.description.prefix(8)
        switch try relayState() {
        case "removed":
            return
                "A host removed this relay from the event \(name). Delete the event here (mingle event leave), or ask a host "
                + "for a new link."
        case "declined":
            return
                "A host of the event \(name) did not let this relay in. Ask a host to let it in, or delete the event here "
                + "(mingle event leave)."
        case "wrong_link":
            return
                "The link of the event \(name) was made for people, so this relay is listed as a person. Leave the event "
                + "(mingle event leave), and ask a host for a relay's link (mingle invite --level relay)."
        default:
            if declination == nil, let who = try waiting()?.doorkeeper {
                return "\(who) of the event \(name) has to let this relay in. In the list of people the relay has this "
                    + "fingerprint: \(try ownPerson().fingerprint)"
            }
            return shutOut.map {
                "The members of the event \(name) do not let this relay in: \($0). Ask a host for a new link, and restart "
                    + "the relay with it."
            }
        }
    }
}

extension Secrets {
    /// What the folder is for that has these keys.
    var use: FolderUse { isRelay ? .relay : isDoor ? .door : .person }
}

extension API.Shortage {
    init(_ shortage: Shortage) {
        self.init(
            payloads: shortage.payloads,
            blobs: shortage.blobs,
            evicted: shortage.evictedPayloads + shortage.evictedBlobs
        )
    }
}
