// SPDX-License-Identifier: Apache-2.0

package import Foundation
import GRDB
package import MingleModel

extension Replica {
    /// Confirmations that are written at a time.
    private static let confirmationBatch = 50

    /// The confirmations that this device has to write: of its deals' uses, in the order in which it saw them, never
    /// more than a deal allows.
    ///
    /// One device confirms the uses of a deal, so two that are apart never confirm more than there is.
    package func dueConfirmations() throws -> [Draft] {
        try view { viewer in
            let sql = """
                SELECT id, quantity, confirming FROM visible_deal AS deal WHERE author = ? AND EXISTS (
                    SELECT 1 FROM visible_deal_use AS use WHERE use.target = deal.id AND \(Self.isUnconfirmed)
                )
                """
            var drafts: [Draft] = []
            for deal in try viewer.rows(sql, [viewer.me]) where drafts.count < Self.confirmationBatch {
                let reference = try viewer.names.reference(deal["id"])
                guard isConfirming(reference, named: deal["confirming"]) else { continue }
                let confirmed = try viewer.confirmations(of: deal["id"])
                let room = (deal["quantity"] as Int64?).map { max($0 - confirmed, 0) } ?? .max
                let limit = min(room, Int64(Self.confirmationBatch - drafts.count))
                drafts += try viewer.unconfirmed(deal["id"], limit: limit).map { person in
                    .set(
                        .dealConfirmation,
                        on: .record(reference),
                        about: .person(person),
                        values: ["confirmed": .number(1)]
                    )
                }
            }
            return drafts
        }
    }

    /// Whether this device confirms the uses of a deal.
    ///
    /// - Parameter device: What the deal says; nil: the device that made it, which its name holds.
    package func isConfirming(_ deal: Reference, named device: Data?) -> Bool {
        device.map { $0 == own.name.column } ?? (deal.device == own.name.raw.prefix)
    }

    /// That nobody confirmed a use of a deal.
    fileprivate static let isUnconfirmed = """
        NOT EXISTS (
            SELECT 1 FROM deal_confirmation AS said
            WHERE said.target = deal.id AND said.author = deal.author AND said.subject = use.author
        )
        """
}

extension Viewer {
    /// How many uses of a deal are confirmed.
    fileprivate func confirmations(of deal: Int64) throws -> Int64 {
        let sql = "SELECT count(*) AS count FROM deal_confirmation WHERE target = ? AND author = ?"
        return try rows(sql, [deal, me]).first?["count"] ?? 0
    }

    /// Those who used a deal and wait for the venue's word, in the order in which this device saw it.
    fileprivate func unconfirmed(_ deal: Int64, limit: Int64) throws -> [PersonID] {
        let sql = """
            SELECT person.name FROM deal CROSS JOIN visible_deal_use AS use ON use.target = deal.id
            JOIN person ON person.id = use.author
            WHERE deal.id = ? AND \(Replica.isUnconfirmed) ORDER BY use.id LIMIT ?
            """
        return try rows(sql, [deal, limit]).map { try PersonID(column: $0["name"]) }
    }
}

extension MergeOutcome {
    /// Whether there may be a use by now that this device has to confirm.
    package var concernsDealUses: Bool {
        isRecomputed
            || !changedKinds.isDisjoint(with: [
                Kind.deal.name, Kind.dealUse.name, Kind.ownership.name, Kind.place.name, "people",
            ])
    }
}
