// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleModel
import MingleReplica
import Synchronization

extension EventSession {
    /// Of whom not all words are kept here, and whether others keep all of this person's; none on a relay, which says what it let go of
    /// by itself.
    var quotaWarnings: [String] {
        guard !isRelay, let quota = replica.quota, let beyond = try? replica.beyondQuota() else { return [] }
        let named = beyond.prefix(Self.named).map {
            "This node keeps only a part of what \(name(of: $0.person)) wrote: it is more than "
                + "\(text($0.excess, of: $0.person, within: quota))."
        }
        let others = beyond.count - named.count
        return ownExcess + named
            + (others > 0 ? ["The same is true for \(others.counted("other person", "other people"))."] : [])
    }

    /// What others may not keep of what this person wrote.
    private var ownExcess: [String] {
        guard let excess = try? replica.ownExcess() else { return [] }
        return [
            "Others may not keep everything that you wrote: it is more than "
                + "\(text(excess, of: replica.own.person, within: replica.ownQuota))."
        ]
    }

    /// What there is too much of; of a host more is kept.
    private func text(_ excess: BeyondQuota.Excess, of person: PersonID, within quota: Quota) -> String {
        quota.raised(for: (try? replica.person(person))?.base).text(excess)
    }

    private func name(of person: PersonID) -> String {
        (try? replica.person(person).name) ?? "Somebody"
    }

    /// People who are named, at most: a flood may come from many.
    private static var named: Int { 3 }
}

extension Quota {
    /// What there is too much of, as people say it.
    fileprivate func text(_ excess: BeyondQuota.Excess) -> String {
        switch excess {
        case .bytes: Self.text(words)
        case .rate: "\(hourly) items in one hour"
        }
    }
}

extension Node {
    /// Of whom not all words are kept, event by event.
    func quotaChecks() -> [API.Check] {
        let sessions = state.withLock { Array($0.sessions.values) }.filter { !$0.isRelay }
        return sessions.sorted { $0.event < $1.event }.map { session in
            let id = "event.\(session.event.description.prefix(8)).quota"
            let warnings = session.quotaWarnings
            guard !warnings.isEmpty else {
                return API.Check(id: id, status: "pass", detail: "This node keeps everything that people wrote.")
            }
            return API.Check(
                id: id,
                status: "warn",
                detail: warnings.joined(separator: " "),
                fix:
                    "Delete some of your posts. A host can remove a person who floods the event (mingle people remove). To keep "
                    + "more of each person, start with a larger --keep-author or --keep-hourly."
            )
        }
    }
}
