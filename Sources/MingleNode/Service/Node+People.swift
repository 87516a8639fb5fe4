// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MingleAPI
import MingleDiscovery
import MingleEvent
import MingleModel
import MingleReplica
import MingleSync
import MingleWire
import Synchronization

extension Node {
    /// Sets the name that others see, in the current event and in those to come; where a host has to let this person in first, it is
    /// said then.
    package func rename(to name: String, event: String?) async throws -> API.Person {
        let name = try RequestValidation.name(name)
        let session = try sessionIfAny(event)
        let old = state.withLock { $0.settings.name }
        try updateSettings { $0.name = name }
        if let session, session.isEntering.isSet {
            changes.publish(kinds: ["status"])
            var person = try session.ownPerson()
            person.name = name
            return person
        }
        do {
            try await session?.write { try $0.rename(to: name) }
        } catch {
            // A name that the event refused is not remembered either.
            try? updateSettings { $0.name = old }
            throw error
        }
        changes.publish(kinds: ["status"])
        guard let session else {
            return API.Person(
                id: "",
                name: name,
                picture: nil,
                me: true,
                level: "attendee",
                fingerprint: "",
                here: true,
                joined: nil
            )
        }
        return try session.ownPerson()
    }

    /// Leaves what somebody shares and says out of all lists of this node, or shows it again; nobody else learns of it.
    package func mute(_ id: String, _ isMuted: Bool, event: String?) throws -> API.Person {
        let session = try session(event)
        guard let person = PersonID(text: id), let shown = try? session.replica.person(person) else {
            throw API.Problem(.notFound, "There is nobody with the id \(id.prefix(60)) in the event.")
        }
        guard !shown.me else { throw API.Problem(.conflict, "That is you. You cannot mute yourself.") }
        try isMuted ? session.replica.mute(person) : session.replica.unmute(person)
        session.counts.forget()
        changes.publish(kinds: [Kind.photo, .comment, .moment, .checkIn].map(\.name) + ["people", "status"])
        return API.Person(try session.replica.person(person), here: session.roster.present)
    }

    /// The nodes that this one is linked to.
    package func peers(event: String?) throws -> API.Envelope.Peers {
        let session = try session(event)
        let links = state.withLock { $0.links }
        return API.Envelope.Peers(
            peers: session.roster.all.map { peer, entry in
                let counters = links[peer].flatMap { transport.counters(of: $0.connection) }
                let person = entry.person.flatMap { try? session.replica.person($0) }
                return API.Peer(
                    person: person.map { API.Person($0, here: session.roster.present) },
                    address: entry.address,
                    direction: entry.isIncoming ? "in" : "out",
                    state: entry.state,
                    since: entry.since,
                    bytesIn: counters?.total(\.bytesIn) ?? 0,
                    bytesOut: counters?.total(\.bytesOut) ?? 0
                )
            }
        )
    }

    /// How the node is.
    package func status(event: String?) throws -> API.Status {
        let (settings, discovery, warnings) = state.withLock { ($0.settings, $0.discovery, $0.warnings) }
        let session = try sessionIfAny(event)
        let totals = session?.wanted.totals ?? (count: 0, bytes: 0)
        let person = try session.map { try $0.replica.person($0.replica.own.person) }
        return API.Status(
            version: Self.version,
            name: person.map { $0.hasName ? $0.name : settings.name ?? $0.name } ?? settings.name,
            person: person?.id.description,
            current: try session.map { try show($0) },
            events: try allEvents(),
            unopened: state.withLock { $0.unopened.sorted().map(\.description) },
            discovery: API.Status.Discovery(discovery),
            sync: API.Status.Sync(
                peers: session?.roster.present.count ?? 0,
                records: try session.map { Int(try $0.counts.counts(of: $0.replica).deltas) } ?? 0,
                blobsWaiting: totals.count,
                bytesWaiting: totals.bytes,
                shortage: API.Shortage(session?.shortage ?? Shortage())
            ),
            disk: API.Status.Disk(freeBytes: SafeFile.freeBytes(at: folder.path) ?? 0),
            warnings: warnings + currentWarnings(session, discovery),
            relay: try relayStatus(),
            lastBackup: folder.backupRecord?.last
        )
    }

    /// What keeps this node's person from taking part.
    private func standingWarnings(_ session: EventSession) -> [String] {
        let person = try? session.ownPerson()
        if person?.level == API.Person.declined {
            return [
                "A host did not let you in. Ask a host again, or delete the event from this node: mingle event leave."
            ]
        }
        // Who was declined while away learns of it at the door alone.
        if session.declination == nil, let who = (try? session.waiting())?.doorkeeper, let person {
            return ["\(who) has to let you in. Show them this code: \(person.fingerprint)"]
        }
        return session.shutOut.map { ["The others do not let you in: \($0)."] } ?? []
    }

    /// What stands in the way just now.
    private func currentWarnings(_ session: EventSession?, _ discovery: DiscoveryState) -> [String] {
        var warnings: [String] = []
        if case .absent(let reason) = discovery, configuration.discovers {
            warnings.append("This node cannot find others nearby: \(reason).")
        }
        if let complaint = clocks.complaint { warnings.append("\(complaint) `mingle doctor` says what to do.") }
        if configuration.relay != nil {
            warnings += relayWarnings()
        } else if let session {
            warnings += standingWarnings(session)
        }
        if let session, (try? session.waitsForName()) == true {
            warnings.append(
                "No connected device has the event's title and settings. Unless a participant who is away has them, set the "
                    + "title again: mingle event set --title TITLE."
            )
        }
        warnings += linkedWarnings() + hungUpWarnings
        if let warning = doorWarning() { warnings.append(warning) }
        if let room = session?.room.withLock({ $0 }), room.isFull {
            let what = room.waitsSince == nil ? "Photos of others wait" : "New posts and photos of others wait"
            warnings.append("The disk is full. \(what) until you free some space.")
        }
        if let session, (try? session.replica.isRetired(session.replica.own.name)) == true {
            warnings.append(ReplicaError.deviceRetired.description)
        }
        if configuration.relay == nil, let session { warnings += session.quotaWarnings }
        let leaving = state.withLock { $0.sessions }.values.filter(\.isLeaving)
        return warnings + leaving.sorted { $0.event < $1.event }.flatMap(\.leavingWarnings)
    }
}

extension API.Status.Discovery {
    init(_ discovery: DiscoveryState) {
        switch discovery {
        case .running: self.init(state: "running", detail: "Avahi answers.")
        case .absent(let reason): self.init(state: "absent", detail: reason)
        }
    }
}

extension PerLane<LaneCounters> {
    fileprivate func total(_ path: KeyPath<LaneCounters, UInt64>) -> Int {
        Lane.allCases.reduce(0) { $0 + Int(self[$1][keyPath: path]) }
    }
}
