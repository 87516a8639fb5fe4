// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleModel
import MingleReplica

/// When deals can be used.
extension EventService {
    /// Refuses to use a deal before it begins and after it ends.
    func requireOpenDeal(_ target: Target) throws {
        guard case .record(let reference) = target else { return }
        let deal = try replica.record(reference, of: .deal)
        guard case .number(let start)? = deal.values["start"], case .number(let end)? = deal.values["end"] else {
            return
        }
        if now.milliseconds < start { throw API.Problem(.notAllowed, "The deal has not begun yet.") }
        if now.milliseconds >= end { throw API.Problem(.notAllowed, "The deal has ended.") }
    }
}
