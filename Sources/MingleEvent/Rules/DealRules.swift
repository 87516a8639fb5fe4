// SPDX-License-Identifier: Apache-2.0

import Foundation
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

    /// Refuses to confirm a use on a device that does not confirm those of the deal, and more uses than it allows; one
    /// that was confirmed can be confirmed again.
    func requireMayConfirm(on target: Target, for person: Target) throws {
        guard case .record(let reference) = target else { return }
        let deal = try replica.record(reference, of: .deal)
        try requireConfirming(deal)
        guard case .number(let quantity)? = deal.values["quantity"] else { return }
        guard try keyed(.dealConfirmation, on: target, about: person, by: me) == nil else { return }
        let confirmed = try replica.aggregates(on: reference, of: .deal)[Kind.dealConfirmation.name]?.count ?? 0
        guard confirmed < quantity else {
            throw API.Problem(.notAllowed, "The deal is used up: \(quantity) people have used it.")
        }
    }

    /// Refuses to name the device that confirms uses, on any other device than the one that does so.
    ///
    /// So no two devices confirm at the same time.
    func requireMayHandOn(_ deal: ShownRecord, _ values: [String: Value]) throws {
        guard values["confirming"] != nil else { return }
        try requireConfirming(deal)
        try requireOwnDevice(values)
    }

    /// Refuses to let a device confirm uses that is not this person's: nobody would ever confirm one.
    func requireOwnDevice(_ values: [String: Value]) throws {
        guard case .data(let bytes)? = values["confirming"] else { return }
        guard try replica.devices(of: me).contains(where: { $0.name.bytes == bytes && !$0.isRetired }) else {
            throw API.Problem(.notFound, "None of your devices has that id. `mingle devices` lists them.")
        }
    }

    private func requireConfirming(_ deal: ShownRecord) throws {
        guard let id = deal.id, deal.author == me else { return }
        guard !isConfirming(deal, id) else { return }
        throw API.Problem(
            .notAllowed,
            """
            Another device of yours confirms the uses of this deal. Do it there. If that device is lost, end this deal \
            and make a new one.
            """
        )
    }

    /// Whether this device confirms the uses of a deal.
    func isConfirming(_ deal: ShownRecord, _ id: Reference) -> Bool {
        guard deal.author == me else { return false }
        guard case .data(let device)? = deal.values["confirming"] else { return replica.isConfirming(id, named: nil) }
        return replica.isConfirming(id, named: Data(device))
    }
}
