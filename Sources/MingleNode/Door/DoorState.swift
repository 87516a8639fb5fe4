// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleCrypto
import MingleEvent
import MingleModel
import MinglePeering
import MingleReplica
import MingleWire
import Synchronization

/// How far a door is with its event.
package enum DoorState: Equatable, Sendable {
    /// Nobody of the event has let it in yet.
    case looking
    /// Somebody has to let it in, who finds it among the people by this fingerprint.
    case asking(_ who: String, fingerprint: String)
    /// Its members do not let it in.
    case refused(reason: String)
    /// It is in, and nobody has said what the event is called.
    case nameless
    /// It shows the event.
    case open(title: String)
    /// It may do more than its link is for, by its invitation or else by the word of a host.
    case raised(level: String, isByInvitation: Bool)
    /// A host took it out of the event, or it has left.
    case out

    /// What its operator is told while it is ``nameless``.
    package static let waitingForName =
        "This door waits for the event's title. The founder sets it: mingle event set --title TITLE."
}

extension Node {
    /// How far this door is.
    package func doorState() throws -> DoorState {
        guard let session = doorSession else { return .out }
        let person = try session.replica.person(session.replica.own.person)
        switch person.level {
        case .guest where !takesPart(session), .attendee where takesPart(session):
            guard try session.replica.hasKey(), let title = try session.shownTitle() else {
                if try session.isNameless() { return .nameless }
                // By its own word it is in, and those at the door know that the link is used up, or closed.
                return session.shutOut.map { .refused(reason: $0) } ?? .looking
            }
            return .open(title: title)
        case let level?:
            return .raised(level: level.phrase, isByInvitation: person.base.map { $0 > .guest } ?? true)
        case nil where person.isRemoved || person.hasLeft: return .out
        case nil:
            let waiting = try session.waiting()
            let mayAsk = waiting?.mayEnd == true && session.declination == nil
            if let who = waiting?.doorkeeper, mayAsk || session.shutOut == nil {
                return .asking(who, fingerprint: person.fingerprint)
            }
            return session.shutOut.map { .refused(reason: $0) } ?? .looking
        }
    }

    /// Waits until this door shows its event for the first time, telling `tell` of every other state meanwhile.
    ///
    /// Where its invitation leads to another level, or its members do not let it in, it leaves the event and keeps
    /// nothing.
    ///
    /// - Throws: `API.Problem`: why it shows nothing, and what to do.
    package func awaitDoor(_ tell: @Sendable (DoorState) -> Void = { _ in }) async throws -> String? {
        var told: DoorState?
        for await _ in looks() {
            let now = try doorState()
            switch now {
            case .open(let title): return title
            case .raised(let level, isByInvitation: true):
                try await abandonDoor()
                throw API.Problem.doorNeedsLink("That invitation is for \(level)")
            case .out:
                throw API.Problem.doorNeedsLink("A host removed this door from the event, or it has left")
            case .refused(let reason):
                // Another member may know more than the first who answered.
                try await Task.sleep(for: Self.refusalGrace)
                guard case .refused = try doorState() else { continue }
                try await abandonDoor()
                throw API.Problem.doorNeedsLink("The event's members do not let this door in: \(reason)")
            case .nameless:
                // The name may be on its way.
                try await Task.sleep(for: Self.refusalGrace)
                guard try doorState() == now else { continue }
            case .looking, .asking, .raised: break
            }
            if told != now { tell(now) }
            told = now
        }
        return nil
    }

    /// Leaves the event: tells the others if somebody is there who hears it, and keeps nothing in any case.
    private func abandonDoor() async throws {
        guard let event = state.withLock({ $0.sessions.keys.first }) else { return }
        if try await leaveEvent(event.description).state == .leaving {
            _ = try await leaveEvent(event.description, LeavingManner(isSilent: true))
        }
    }
}

extension EventSession {
    /// What the event is called; nil while that has not come.
    fileprivate func shownTitle() throws -> String? { try replica.title() }
}
