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

    /// Refuses to confirm more uses of a deal than it allows; one that was confirmed can be confirmed again.
    func requireRoom(in target: Target, for person: Target) throws {
        guard case .record(let reference) = target,
            case .number(let quantity)? = try replica.record(reference, of: .deal).values["quantity"]
        else { return }
        guard try keyed(.dealConfirmation, on: target, about: person, by: me) == nil else { return }
        let confirmed = try replica.aggregates(on: reference, of: .deal)[Kind.dealConfirmation.name]?.count ?? 0
        guard confirmed < quantity else {
            throw API.Problem(.notAllowed, "The deal is used up: \(quantity) people have used it.")
        }
    }
}
