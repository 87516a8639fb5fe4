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
        let beyond = memory.usage.keys.filter { usage(of: $0).letGo > 0 }.compactMap { memory.devices[$0] }
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
            let beginning = Timestamp(milliseconds: 0)
            var branches = memory.branches(of: device.id, .content)[...]
            var start = beginning
            // Where there is no room, nothing is read.
            while let branch = branches.first, tally.hasRoom(forKeys: isKey), isKey || hoursLeft > 0 {
                let room = limit - review.missing.count
                let letGo = LetGo(branch: branch.id, isKey: isKey, start: start, limit: room)
                let (taken, end) = try takeBack(letGo, of: device, in: &tally)
                review.missing += taken
                var next: Timestamp?
                switch end {
                case .fits: break
                case .beyondBytes: branches = []
                case .beyondHour(let hour):
                    hoursLeft -= 1
                    next = Timestamp(hour: hour + 1)
                }
                // Behind the last hour that there is comes the next branch.
                if next == nil { branches = branches.dropFirst() }
                start = next ?? beginning
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

    var arguments: StatementArguments { [branch, isKey, Data(start.stored), limit] }
}

extension Timestamp {
    /// As it stands in a stored header: see `Schema.storedTime`.
    fileprivate var stored: [UInt8] {
        var bytes: [UInt8] = []
        UInt64(milliseconds).appendBigEndian(to: &bytes)
        return bytes
    }

    /// Reads it from there; nil for what no author can have written.
    init?(stored bytes: [UInt8]) {
        guard bytes.count == 8 else { return nil }
        let number = bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        guard let milliseconds = Int64(exactly: number) else { return nil }
        self.init(milliseconds: milliseconds)
    }
}
