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

/// How far a showcase is with its event.
package enum ShowcaseState: Equatable, Sendable {
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
    /// It may do more than read, by its invitation or else by the word of a host.
    case raised(level: String, isByInvitation: Bool)
    /// A host took it out of the event, or it has left.
    case out

    /// What its operator is told while it is ``nameless``.
    package static let waitingForName =
        "This showcase waits for the event's title. The founder sets it: mingle event set --title TITLE."
}

/// A node that shows one event to people who have a browser and no node.
///
/// It takes part as somebody of its own who only reads: what is for some people alone is sealed to it by nobody, and where
/// somebody does, it does not open it. So whoever looks on sees what every guest of the event sees, and less.
extension Node {
    /// What a showcase is called unless its operator says otherwise.
    package static let showcaseName = "Showcase"

    /// Reads a link for a showcase, or says what to do with it.
    package static func readShowcaseLink(_ text: String) throws -> InvitationLink {
        let link = try read(text)
        switch link.kind {
        case .people: return link
        case .relay: throw API.Problem.showcaseNeedsGuestLink("That link is for a relay")
        case .device: throw API.Problem.showcaseNeedsGuestLink("That link adds another device to a person")
        }
    }

    /// Shows the event of a link from now on, or that which the folder holds; members let this node in when they meet it.
    ///
    /// - Parameters:
    ///   - link: How it comes to the event; it is not used where the folder holds that event already.
    ///   - name: How the showcase is called among the people; nil for the name of last time.
    package func show(by link: InvitationLink?, named name: String? = nil) async throws {
        let name = try name.map(RequestValidation.name) ?? state.withLock { $0.settings.name } ?? Self.showcaseName
        try updateSettings { $0.name = name }
        if link != nil, let event = state.withLock({ $0.sessions.keys.first }), try showcaseState() == .out {
            // Who was taken out comes back as somebody new, and whoever looked on then does not by that.
            try await forget(event)
            forgetVisitors()
        } else if link != nil, state.withLock({ $0.sessions.isEmpty && $0.unopened.isEmpty }) {
            // The event was left, and who looked on until then does not by coming back to it.
            forgetVisitors()
        }
        let session = try enterShowcase(link)
        try updateSettings { $0.current = session.event.description }
        // The name is said once this node is let in.
        if try session.ownPerson().name != name { _ = session.isEntering.exchange(true) }
    }

    private func enterShowcase(_ link: InvitationLink?) throws -> EventSession {
        if let event = state.withLock({ $0.unopened.min() }) {
            throw API.Problem(
                .unavailable,
                "The event \(event) of this showcase could not be opened. To find out why: mingle verify --data \(folder.path)"
            )
        }
        if let known = state.withLock({ $0.sessions.values.first }) {
            guard link == nil || link?.event == known.event else {
                throw API.Problem(
                    .conflict,
                    "This folder is the showcase of another event, and a showcase shows one event. Choose another folder "
                        + "(--data DIR), or leave that event first: mingle event leave \(known.event) --data \(folder.path)"
                )
            }
            return known
        }
        guard let link else {
            throw API.Problem.showcaseNeedsGuestLink("This showcase has no event yet", .noEvent)
        }
        let secrets = Secrets.joining(link, asShowcase: true, .system)
        let session = try makeSession(link.event, secrets) { replica in
            _ = try replica.enter(secrets: secrets, at: clock.now(), randomness: .system)
        }
        state.withLock { $0.sessions[session.event] = session }
        return session
    }

    /// The event that this node shows; nil if this node is not a showcase or has no event any more.
    var showcaseSession: EventSession? {
        configuration.isShowcase ? state.withLock { $0.shown.min { $0.key < $1.key }?.value } : nil
    }

    /// The id of the event that this showcase shows.
    package var showcaseEvent: String? { showcaseSession?.event.description }

    /// How far this showcase is.
    package func showcaseState() throws -> ShowcaseState {
        guard let session = showcaseSession else { return .out }
        let person = try session.replica.person(session.replica.own.person)
        switch person.level {
        case .guest:
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

    /// Waits until this showcase shows its event for the first time, telling `tell` of every other state meanwhile.
    ///
    /// Where its invitation leads to more than reading, or its members do not let it in, it leaves the event and keeps nothing.
    ///
    /// - Throws: `API.Problem`: why it shows nothing, and what to do.
    package func awaitShowcase(_ tell: @Sendable (ShowcaseState) -> Void = { _ in }) async throws -> String? {
        var told: ShowcaseState?
        for await _ in looks() {
            let now = try showcaseState()
            switch now {
            case .open(let title): return title
            case .raised(let level, isByInvitation: true):
                try await abandonShowcase()
                throw API.Problem.showcaseNeedsGuestLink("That invitation is for \(level)")
            case .out:
                throw API.Problem.showcaseNeedsGuestLink("A host removed this showcase from the event, or it has left")
            case .refused(let reason):
                // Another member may know more than the first who answered.
                try await Task.sleep(for: Self.refusalGrace)
                guard case .refused = try showcaseState() else { continue }
                try await abandonShowcase()
                throw API.Problem.showcaseNeedsGuestLink("The event's members do not let this showcase in: \(reason)")
            case .nameless:
                // The name may be on its way.
                try await Task.sleep(for: Self.refusalGrace)
                guard try showcaseState() == now else { continue }
            case .looking, .asking, .raised: break
            }
            if told != now { tell(now) }
            told = now
        }
        return nil
    }

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

    /// Leaves the event: tells the others if somebody is there who hears it, and keeps nothing in any case.
    private func abandonShowcase() async throws {
        guard let event = state.withLock({ $0.sessions.keys.first }) else { return }
        if try await leaveEvent(event.description).state == .leaving {
            _ = try await leaveEvent(event.description, LeavingManner(isSilent: true))
        }
    }

    /// What keeps this showcase from showing its event, for its operator.
    func showcaseWarning() -> String? {
        guard configuration.isShowcase, let state = try? showcaseState() else { return nil }
        return switch state {
        case .raised(let level, _): API.Problem.raisedShowcase(level).detail
        case .nameless: ShowcaseState.waitingForName
        case .looking, .asking, .refused, .open, .out: nil
        }
    }
}

extension EventSession {
    /// What the event is called; nil while that has not come.
    fileprivate func shownTitle() throws -> String? { try replica.title() }
}

extension API.Problem {
    /// A showcase got no invitation that does for it.
    static func showcaseNeedsGuestLink(_ reason: String, _ name: Name = .badInvitation) -> Self {
        Self(
            name,
            "\(reason). A showcase needs an invitation for a guest. Ask a host of the event for one (mingle invite --new "
                + "--level guest), and start the showcase with it: mingle showcase LINK."
        )
    }

    /// Somebody let a showcase do more than read.
    static func raisedShowcase(_ level: String) -> Self {
        Self(
            .unavailable,
            "This showcase shows nothing because it is \(level) now. A showcase has to be a guest. A host can make it a guest "
                + "again: mingle people demote."
        )
    }
}
