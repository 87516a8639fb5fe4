// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleModel
import MingleWire

extension Transaction {
    /// How many full hours of a person are passed over in one go: who has more floods.
    private static let hoursPassed = 2000

    /// Asks again for what fits of what was let go of, each journal's oldest first; retired devices come last.
    ///
    /// It stops at the first of a device's words, or keys, for which there are too many bytes, and looks at one of each hour that is full:
    /// looking further would cost everybody as much as a flooder likes.
    func takeBack(atMost limit: Int) throws -> QuotaReview {
        let beyond = memory.usage.keys.filter { usage(of: $0).letGo > 0 }.compactMap { memory.devicesByID[$0] }
        var review = QuotaReview()
        for (person, devices) in Dictionary(grouping: beyond, by: \.person).sorted(by: { $0.key < $1.key }) {
            let apart = memory.share(of: person).apart
            let (retired, used) = (devices.filter { apart.contains($0.id) }, devices.filter { !apart.contains($0.id) })
            var hoursLeft = Self.hoursPassed
            for device in used.sorted(by: { $0.id < $1.id }) + retired.sorted(by: { $0.id < $1.id }) {
                try takeBack(of: device, into: &review, atMost: limit, passing: &hoursLeft)
            }
        }
        // What does not fit is no reason to look again: somebody's room is, and is told of.
        review.isDone = review.missing.count < limit
        return review
    }

    private func takeBack(
        of device: DeviceRow,
        into review: inout QuotaReview,
        atMost limit: Int,
        passing hoursLeft: inout Int
    ) throws {
        var tally = tally(of: device)
        for isKey in [true, false] {
            var branches = memory.branches(of: device.id, .content)[...]
            var start = Timestamp(hour: 0)
            // Where there is no room, nothing is read.
            while let branch = branches.first, let from = start, tally.hasRoom(forKeys: isKey) {
                let room = limit - review.missing.count
                let letGo = LetGo(branch: branch.id, isKey: isKey, start: from, limit: room)
                let (taken, end) = try takeBack(letGo, of: device, in: &tally)
                review.missing += taken
                switch end {
                case .fits: (branches, start) = (branches.dropFirst(), Timestamp(hour: 0))
                case .beyondBytes: branches = []
                case .beyondHour(let hour):
                    hoursLeft -= 1
                    start = hoursLeft > 0 ? Timestamp(hour: hour + 1) : nil
                }
            }
        }
        try store(tally, of: device)
    }

    /// Takes back what fits, up to the first that does not.
    private func takeBack(_ letGo: LetGo, of device: DeviceRow, in tally: inout Tally) throws
        -> (taken: [MissingPayload], end: Tally.Verdict)
    {
        let names = try Names(db)
        var (rows, missing, end): ([Int64], [MissingPayload], Tally.Verdict) = ([], [], .fits)
        let found = try Row.fetchCursor(try db.cachedStatement(sql: LetGo.query), arguments: letGo.arguments)
        while let row = try found.next() {
            let weight = try Weight(stored: [UInt8](row["header"] as Data), isKey: letGo.isKey)
            end = try take(weight, of: device, in: &tally)
            guard case .fits = end else { break }
            rows.append(row["id"])
            missing.append(MissingPayload(reference: try names.reference(row["id"]), length: weight.length))
        }
        for row in rows { try run("UPDATE journal SET erased = 0 WHERE id = ?", [row]) }
        tally.letGo(of: -rows.count)
        return (missing, end)
    }
}

/// What was let go of a branch, the oldest first by its author's clock.
struct LetGo {
    let branch: Int64
    let isKey: Bool
    /// Of an earlier time nothing is looked at.
    let start: Timestamp
    let limit: Int

    static let query = """
        SELECT id, header FROM journal
        WHERE branch = ? AND erased = 2 AND (epoch = 0) = ? AND \(Schema.storedTime) >= ? ORDER BY \(Schema.storedTime), id LIMIT ?
        """

    var arguments: StatementArguments {
        var time: [UInt8] = []
        UInt64(start.milliseconds).appendBigEndian(to: &time)
        return [branch, isKey, Data(time), limit]
    }
}
