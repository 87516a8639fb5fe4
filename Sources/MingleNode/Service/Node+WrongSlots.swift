// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleModel
import MingleReplica
import Synchronization

extension Node {
    /// Whose keys do not open for others, event by event: nothing where there is nobody.
    func wrongSlotChecks() -> [API.Check] {
        let sessions = state.withLock { Array($0.sessions.values) }.filter { !$0.isRelay }
        return sessions.sorted { $0.event < $1.event }.compactMap { session in
            let wrong = ((try? session.replica.wrongSlots()) ?? []).prefix(Self.named)
            guard !wrong.isEmpty else { return nil }
            let said = wrong.map { wrong in
                let name = (try? session.replica.person(wrong.author).name) ?? "Somebody"
                return "\(name) (reported by \(wrong.people.counted("person", "people")))"
            }
            return API.Check(
                id: "event.\(session.event.description.prefix(8)).keys",
                status: "warn",
                detail: "Some keys that these people made do not work: \(said.joined(separator: "; ")).",
                fix:
                    "Other nodes pass on working keys. If this continues, the person's node is broken or hostile. A host can "
                    + "remove the person (mingle people remove)."
            )
        }
    }

    /// People who are named, at most.
    private static var named: Int { 3 }
}
