// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleCrypto
import MingleEvent
import MingleModel
import MinglePeering
import MingleReplica
package import MingleWire
import Synchronization

/// A node that lets people take part in one event who have a browser and no node, or look on.
///
/// It is a person of its own, who is in nothing private: nobody seals to it what is for some people alone, and where
/// somebody does, it does not open that. So nothing private is in its folder, whoever looks.
extension Node {
    /// What a door is called unless its operator says otherwise.
    package static let doorName = "Door"

    /// Reads a link for a door, or says what to do with it.
    package static func readDoorLink(_ text: String) throws -> InvitationLink {
        let link = try read(text)
        switch link.kind {
        case .door, .people: return link
        case .relay: throw API.Problem.doorNeedsLink("That link is for a relay")
        case .device: throw API.Problem.doorNeedsLink("That link adds another device to a person")
        }
    }

    /// Shows the event of a link from now on, or that of the folder; members let this node in when they meet it.
    ///
    /// - Parameters:
    ///   - link: How it comes to the event; it is not used where the folder holds that event already.
    ///   - name: How the door is called among the people; nil for the name of last time.
    package func show(by link: InvitationLink?, named name: String? = nil) async throws {
        let name = try name.map(RequestValidation.name) ?? state.withLock { $0.settings.name } ?? Self.doorName
        try updateSettings { $0.name = name }
        if link != nil, let event = state.withLock({ $0.sessions.keys.first }), try doorState() == .out {
            // Who was taken out comes back as somebody new, and its guests do not by that: they went with the event.
            try await forget(event)
            takeDownPoster()
        }
        let session = try enterDoor(link)
        try updateSettings { $0.current = session.event.description }
        // The name is said once this node is let in.
        if try session.ownPerson().name != name { _ = session.isEntering.exchange(true) }
    }

    private func enterDoor(_ link: InvitationLink?) throws -> EventSession {
        if let event = state.withLock({ $0.unopened.min() }) {
            throw API.Problem(
                .unavailable,
                "The event \(event) of this door could not be opened. To find out why: mingle verify --data \(folder.path)"
            )
        }
        if let known = state.withLock({ $0.sessions.values.first }) {
            guard link == nil || link?.event == known.event else {
                throw API.Problem(
                    .conflict,
                    "This folder is the door of another event, and a door shows one event. Choose another folder "
                        + "(--data DIR), or leave that event first: mingle event leave \(known.event) --data \(folder.path)"
                )
            }
            return known
        }
        guard let link else {
            throw API.Problem.doorNeedsLink("This door has no event yet", .noEvent)
        }
        let secrets = Secrets.joining(link, asDoor: true, .system)
        let session = try makeSession(link.event, secrets) { replica in
            _ = try replica.enter(secrets: secrets, at: clock.now(), randomness: .system)
        }
        state.withLock { $0.sessions[session.event] = session }
        return session
    }

    /// The event of this door; nil if this node is not a door or has no event any more.
    var doorSession: EventSession? {
        configuration.isDoor ? state.withLock { $0.shown.min { $0.key < $1.key }?.value } : nil
    }

    /// Whether guests of this door may write: it came by a link for a door.
    func takesPart(_ session: EventSession) -> Bool { (try? session.guestAccess().takesPart) ?? false }

    /// The event that this door was opened for.
    func openedSession() throws -> EventSession {
        guard let session = doorSession else { throw API.Problem.doorNeedsLink("This door has no event yet", .noEvent) }
        return session
    }

    /// The event of this door, while it shows it.
    ///
    /// - Throws: `API.Problem`, in words for guests: why there is nothing to see.
    func openDoorSession() throws -> EventSession {
        switch try doorState() {
        case .open: break
        case .looking, .asking, .refused:
            throw API.Problem(
                .unavailable,
                "This page waits until somebody from the event is connected. Try again in a moment."
            )
        case .nameless, .raised:
            throw API.Problem(
                .unavailable,
                "This page shows nothing at the moment. The person who set it up finds out why with: mingle status."
            )
        case .out: throw API.Problem(.notAllowed, "A host of the event has closed this page.")
        }
        return try openedSession()
    }

    /// The id of the event that this door shows.
    package var doorEvent: String? { doorSession?.event.description }

    /// Says that it is to be looked, at once, after every change and at every tick, until the reader stops.
    package func looks(also ticks: AsyncStream<Void>? = nil) -> AsyncStream<Void> {
        let changes = changes.changes()
        let (looks, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield()
        let reader = Task {
            for await _ in changes { continuation.yield() }
            continuation.finish()
        }
        let clock = ticks.map { ticks in
            Task { for await _ in ticks { continuation.yield() } }
        }
        continuation.onTermination = { _ in
            reader.cancel()
            clock?.cancel()
        }
        return looks
    }

    /// What keeps this door from showing its event, for its operator.
    func doorWarning() -> String? {
        guard configuration.isDoor, let state = try? doorState() else { return nil }
        return switch state {
        case .raised(let level, _): API.Problem.raisedDoor(level).detail
        case .nameless: DoorState.waitingForName
        case .looking, .asking, .refused, .open, .out: nil
        }
    }
}

extension API.Problem {
    /// A door got no invitation that does for it.
    static func doorNeedsLink(_ reason: String, _ name: Name = .badInvitation) -> Self {
        Self(
            name,
            "\(reason). A door needs a link for a door. Ask a host of the event for one (mingle invite --door), and start the "
                + "door with it: mingle door LINK."
        )
    }

    /// Somebody let a door do more than its link is for.
    static func raisedDoor(_ level: String) -> Self {
        Self(
            .unavailable,
            "This door shows nothing because it is \(level) now. A door lets phones look on as a guest, and take part by a "
                + "link for a door. A host can put it back: mingle people demote."
        )
    }
}
