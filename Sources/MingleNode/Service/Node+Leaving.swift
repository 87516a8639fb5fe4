// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MingleAPI
import MingleModel
import MingleReplica
import Synchronization

/// How somebody leaves an event.
package struct LeavingManner: Sendable {
    /// Whether only this node's copy goes, and nobody is told.
    package var isSilent = false
    /// Whether all that the person shared is deleted first.
    package var erases = false
    /// Whether a founder leaves who named no successor, or the last successor.
    package var isForced = false

    /// Says how.
    package init(isSilent: Bool = false, erases: Bool = false, isForced: Bool = false) {
        (self.isSilent, self.erases, self.isForced) = (isSilent, erases, isForced)
    }
}

/// How long a request to leave waits.
package struct LeavingWaits: Sendable {
    /// Until somebody has heard, where somebody is linked.
    package var linked = Duration.seconds(20)
    /// The same where nobody is yet.
    package var alone = Duration.seconds(3)
    /// After that, until the folder is deleted.
    package var deleting = Duration.seconds(20)
}

extension Node {
    /// Leaves an event: tells the others, and deletes this node's copy once one of them knows.
    ///
    /// - Throws: `API.Problem`: `conflict` for a founder who named no successor, and for the last successor.
    package func leaveEvent(_ id: String, _ manner: LeavingManner = LeavingManner()) async throws -> API.Farewell {
        if try forgetUnopened(id) {
            return API.Farewell(
                id: id,
                title: id,
                state: .forgotten,
                told: 0,
                detail: "The event could not be opened, so this node could not tell anybody."
            )
        }
        let session = try leavingSession(id)
        let title = try show(session).title
        let reason = try session.isLeaving ? nil : session.reasonToLeaveSilently()
        guard !manner.isSilent, reason == nil else {
            let kept = try manner.erases ? session.phraseOfWhatStays() : nil
            try await forget(session.event)
            return API.Farewell(id: id, title: title, state: .forgotten, told: 0, detail: Self.joined(reason, kept))
        }
        if !session.isLeaving, !manner.isForced { try requireSuccessor(in: session, title) }
        let isHeard = try session.beginToLeave(erasing: manner.erases)
        let detail = isHeard ? nil : "You had told the others before that you left. They keep what you shared."
        changes.publish(kinds: ["status"])
        session.goOnLeaving()
        await waitUntilLeft(session)
        return farewell(of: session, id: id, title: title, detail)
    }

    /// How far leaving has come; `detail` is what to say in any case.
    private func farewell(of session: EventSession, id: String, title: String, _ detail: String?) -> API.Farewell {
        let told = session.receipts
        guard state.withLock({ $0.sessions[session.event] }) != nil else {
            // Others may have left meanwhile, too, or it was asked for once more, to be done at once.
            return API.Farewell(id: id, title: title, state: told > 0 ? .told : .forgotten, told: told, detail: detail)
        }
        if session.isHeard {
            return API.Farewell(
                id: id,
                title: title,
                state: .leaving,
                // More may have heard since they were counted.
                told: session.receipts,
                detail: Self.joined(detail, "The others know. This node is deleting the event's folder.")
            )
        }
        let end = session.farewell.withLock { $0?.end }
        return API.Farewell(
            id: id,
            title: title,
            state: .leaving,
            told: 0,
            until: end.map { Date(milliseconds: $0) },
            detail: Self.joined(detail, session.hintOfNoHearing)
        )
    }

    /// The sentences that there are, one after the other; nil if there is none.
    private static func joined(_ sentences: String?...) -> String? {
        let text = sentences.compactMap(\.self).joined(separator: " ")
        return text.isEmpty ? nil : text
    }

    /// Does what is next about leaving an event, about once a second.
    func seeOff(_ session: EventSession) {
        guard session.isLeaving else { return }
        guard session.isFarewellOver else { return session.goOnLeaving() }
        Task {
            do {
                try await self.forget(session.event)
            } catch {
                self.warn("An event that you left was not deleted: \(error)")
            }
        }
    }

    /// The session of an event, also of one that this person leaves.
    private func leavingSession(_ id: String) throws -> EventSession {
        if let event = EventID(text: id), let known = state.withLock({ $0.sessions[event] }) { return known }
        return try session(id)
    }

    /// Waits until somebody has heard, and then until the folder is gone; for a while each.
    private func waitUntilLeft(_ session: EventSession) async {
        let waits = configuration.leavingWaits
        let isGone = { @Sendable [self] in state.withLock { $0.sessions[session.event] } == nil }
        let patience = session.roster.present.isEmpty ? waits.alone : waits.linked
        await wait(patience) { isGone() || session.isHeard }
        if session.isHeard { await wait(waits.deleting, until: isGone) }
    }

    private func wait(_ patience: Duration, until condition: @escaping @Sendable () -> Bool) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in _ = await changes.wait(until: condition) }
            group.addTask { try? await Task.sleep(for: patience) }
            await group.next()
            group.cancelAll()
        }
    }

    /// What the command line wants to hear before it leaves an event, as a shell reads it.
    private static func confirmation(of session: EventSession, _ title: String) -> String {
        title == API.Event.untitled ? session.event.description : title.shellQuoted
    }

    /// Refuses a founder or successor who leaves nobody behind to decide about hosts.
    private func requireSuccessor(in session: EventSession, _ title: String) throws {
        guard let level = try session.ownLevel(), level >= .successor else { return }
        let people = try session.replica.people()
        guard !people.contains(where: { !$0.me && ($0.level ?? .guest) >= .successor }) else { return }
        let isFounder = level == .founder
        throw API.Problem(
            .conflict,
            (isFounder
                ? "You founded \(title) and named no successor. After you leave, nobody can choose hosts, and you cannot return "
                    + "as the founder. Name a successor first (mingle people promote FINGERPRINT --to successor), or leave anyway"
                : "You are the last person who can choose hosts in \(title), and you cannot return in that role. Make somebody a "
                    + "host first (mingle people promote FINGERPRINT --to host), then leave anyway")
                + ": mingle event leave \(session.event) --force --confirm \(Self.confirmation(of: session, title))"
        )
    }
}
