// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica
import Synchronization

extension Node {
    /// Whose keys do not open for others, event by event: nothing where there is nobody.
    func wrongSlotChecks() -> [API.Check] {
        let sessions = state.withLock { Array($0.sessions.values) }.filter { !$0.isRelay }
        return sessions.sorted { $0.event < $1.event }.flatMap { session in
            ((try? session.replica.wrongSlots()) ?? []).map { wrong in
                let name = (try? session.replica.person(wrong.author).name) ?? "Somebody"
                let others = wrong.devices == 1 ? "another device says" : "\(wrong.devices) other devices say"
                return API.Check(
                    id: "event.\(session.event.description.prefix(8)).keys",
                    status: "warn",
                    detail: "\(name) sealed keys that do not open, as \(others).",
                    fix: "Others' nodes hand on the right ones. If it goes on, that node is broken or means harm: "
                        + "a host can remove the person (mingle people remove)."
                )
            }
        }
    }
}
