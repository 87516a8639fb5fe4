// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleModel
import MingleWire

extension Transaction {
    /// Asks again for what fits of what was let go of, each journal's oldest first; retired devices come last.
    ///
    /// It stops at the first of a journal's words, or keys, that does not fit: looking further would cost everybody as much as a
    /// flooder likes.
    func takeBack(atMost limit: Int) throws -> QuotaReview {
        let beyond = memory.usage.keys.filter { usage(of: $0).letGo > 0 }.compactMap { memory.devicesByID[$0] }
        var review = QuotaReview()
        for (person, devices) in Dictionary(grouping: beyond, by: \.person).sorted(by: { $0.key < $1.key }) {
            let apart = memory.share(of: person).apart
            var shared = memory.share(of: person).used
            let (retired, used) = (devices.filter { apart.contains($0.id) }, devices.filter { !apart.contains($0.id) })
            for device in used.sorted(by: { $0.id < $1.id }) {
                try takeBack(of: device, beside: &shared, into: &review, atMost: limit)
            }
            for device in retired.sorted(by: { $0.id < $1.id }) {
                var own = usage(of: device.id)
                try takeBack(of: device, beside: &own, into: &review, atMost: limit)
            }
        }
        // What does not fit is no reason to look again: somebody's room is, and is told of.
        review.isDone = review.missing.count < limit
        return review
    }

    /// - Parameter held: what counts against the quota together with what is taken back.
    private func takeBack(
        of device: DeviceRow,
        beside held: inout Usage,
        into review: inout QuotaReview,
        atMost limit: Int
    ) throws {
        let (quota, names) = (quota(of: device), try Names(db))
        var rows: [Int64] = []
        for isKey in [true, false] {
            // Where there is no room, nothing is read.
            guard held.fits(1, isKey: isKey, within: quota) else { continue }
            branches: for branch in memory.branches(of: device.id, .content) {
                let statement = try db.cachedStatement(sql: Self.letGo)
                let letGo = try Row.fetchCursor(statement, arguments: [branch.id, isKey, limit - review.missing.count])
                while let row = try letGo.next() {
                    let length = try Header.storedPayloadLength([UInt8](row["header"] as Data))
                    guard held.fits(length, isKey: isKey, within: quota) else { break branches }
                    held.count(length, isKey: isKey)
                    rows.append(row["id"])
                    review.missing.append(MissingPayload(reference: try names.reference(row["id"]), length: length))
                    var own = usage(of: device.id)
                    own.count(length, isKey: isKey)
                    own.letGo -= 1
                    set(own, of: device.id)
                }
            }
        }
        for row in rows { try run("UPDATE journal SET erased = 0 WHERE id = ?", [row]) }
    }

    private static let letGo = """
        SELECT id, header FROM journal WHERE branch = ? AND erased = 2 AND (epoch = 0) = ? ORDER BY id LIMIT ?
        """
}
