// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import MingleWire
import Synchronization

/// What becomes of a device whose keys can not be used any more.
extension Node {
    /// Opens an event that this node took part in before it started.
    func openKnown(_ event: EventID) {
        guard state.withLock({ $0.hasRoom(for: event) }) else {
            state.withLock { _ = $0.unopened.insert(event) }
            return warn(
                "\(Self.unopenedWarning(event)): this node serves \(ChannelLimits.events) events at most, the current one and the "
                    + "last changed ones. Leave an event (mingle event leave ID), then restart the node."
            )
        }
        do {
            let stored = EventFolder(event, in: folder)
            stored.removeLeftovers()
            if try stored.lacksCertificate() {
                try folder.delete(event)
                return warn(
                    "This node stopped before it was linked to an event as your device. Make another link on your other device."
                )
            }
            if !stored.hasDatabase {
                let kept = try stored.forgetDatabase().kept
                warn(
                    "The database of the event \(event) was missing from \(stored.files.folder). This node continues as a new "
                        + "device and fetches the event from the others. What only this device had is lost, including the "
                        + "list of people you muted." + (kept.map { " The database's log is kept as \($0)." } ?? "")
                )
            }
            var session = try openSession(event)
            if try session.replica.isOwnKeyUsedElsewhere() || session.hasLostOwnJournal() {
                // A stop came between meeting its own key and drawing another; or the journal begins a second time.
                session.stop()
                try stored.replaceDevice()
                session = try openSession(event)
            }
            try session.certify()
            state.withLock { $0.sessions[event] = session }
        } catch {
            let isRoomless = API.Problem.Name(error) == .noSpace
            state.withLock { state in
                state.unopened.insert(event)
                guard isRoomless else { return }
                state.roomless.insert(event)
                _ = state.room.fail(at: clock.uptime())
            }
            warn("\(Self.unopenedWarning(event)): \(error)")
        }
    }

    /// Deletes the folder of an event that could not be opened; false if the event is none of these.
    func forgetUnopened(_ id: String) throws -> Bool {
        guard let event = EventID(text: id), state.withLock({ $0.unopened.contains(event) }) else { return false }
        guard state.withLock({ $0.reopening.insert(event).inserted }) else { throw ReplicaError.closed }
        defer { state.withLock { _ = $0.reopening.remove(event) } }
        uploads.dropAll(ofEvent: event.description)
        do {
            try folder.delete(event)
        } catch {
            throw API.Problem(
                .internal,
                "The event's folder \(folder.eventPath(event)) was not deleted: \(SafeFile.phrase(of: error))"
            )
        }
        forgetWarning(of: event)
        changes.publish(kinds: ["status"])
        return true
    }

    /// Takes back that an event could not be opened.
    func forgetWarning(of event: EventID) {
        state.withLock { state in
            state.unopened.remove(event)
            state.roomless.remove(event)
            state.warnings.removeAll { $0.hasPrefix(Self.unopenedWarning(event)) }
        }
    }

    /// How the warning begins that an event could not be opened.
    static func unopenedWarning(_ event: EventID) -> String { "The event \(event) could not be opened" }

    /// Goes on as a new device of the same person: the keys of this one were used on a copy of the folder.
    func keyUsedElsewhere(of device: DeviceName, in event: EventID) {
        Task { self.replace(device, in: event) }
    }

    /// Continues as a new device, unless `device` was replaced already: a late report may name the old one.
    func replace(_ device: DeviceName, in event: EventID) {
        let session = state.withLock { state -> EventSession? in
            guard let session = state.sessions[event], session.replica.own.name == device else { return nil }
            state.reopening.insert(event)
            return state.sessions.removeValue(forKey: event)
        }
        guard let old = session else { return }
        defer {
            // Told last: who looks again at this news is not refused any more.
            state.withLock { _ = $0.reopening.remove(event) }
            changes.publish(kinds: ["status"])
        }
        let hasIdentity = old.secrets.withLock { $0.identity != nil }
        if hasIdentity {
            warn(
                "This data folder was copied and used elsewhere. Each copy continues as a device of its own. Delete the "
                    + "copy that you do not need."
            )
        }
        for (peer, link) in state.withLock({ $0.links }) where link.event == event {
            close(peer, Goodbye("goes on as another device"))
        }
        old.stop()
        do {
            try EventFolder(event, in: folder).replaceDevice()
            let session = try openSession(event)
            try session.certify()
            state.withLock { $0.sessions[event] = session }
            resume(session)
            // Another event may have come or gone meanwhile, and this one not been among those that are served.
            try serveEvents()
            advertise()
        } catch {
            state.withLock { _ = $0.unopened.insert(event) }
            let what =
                hasIdentity
                ? " as a new device (restart the node to try again)"
                : ": this data folder was copied and used elsewhere"
            warn("\(Self.unopenedWarning(event))\(what): \(error)")
        }
    }
}

extension EventSession {
    /// Whether nothing is held of this device's journal, or not yet: with its keys nothing is written then.
    fileprivate func hasLostOwnJournal() throws -> Bool { try replica.tips(of: replica.own.name, .fabric).isEmpty }

    /// Writes this device's certificate, unless its journal begins with it already.
    ///
    /// A stop may have come between drawing the keys and this.
    fileprivate func certify() throws {
        guard try replica.tips(of: replica.own.name, .fabric).isEmpty else { return }
        _ = try replica.enter(secrets: secrets.withLock { $0 }, at: clock.now(), randomness: .system)
        try refreshFrontier()
    }
}
