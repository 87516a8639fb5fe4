// SPDX-License-Identifier: Apache-2.0

import GRDB
package import MingleModel

/// A record that enough people reported, and of which no moderator but its author said yet whether it is to be seen.
package struct DueHiding: Hashable, Sendable {
    /// The record.
    package let record: Reference
    /// When it was posted.
    package let posted: Timestamp

    /// Names a record, and when it was posted.
    package init(record: Reference, posted: Timestamp) { (self.record, self.posted) = (record, posted) }
}

/// What is to be hidden now because of reports.
package struct HidingLook: Hashable, Sendable {
    /// The first such record; nil if there is none.
    package internal(set) var due: DueHiding?
    /// Whether something waits for the next hour, as this one is full and it is dated behind it.
    package internal(set) var waitsForNextHour = false
}

extension Replica {
    /// The first record that is to be hidden because of reports, at a node of somebody who moderates.
    ///
    /// Reports hide a record once: of what a moderator hid or showed again, moderators decide. Who moderates decides nothing about
    /// what is the person's own. The node of the record's author hides it only where nobody else moderates.
    ///
    /// - Parameter now: what the clock says; what was posted before is hidden at the time when it was.
    package func lookAtReports(at now: Timestamp) throws -> HidingLook {
        let reported = try view { viewer in try viewer.undecided() }
        guard !reported.isEmpty else { return HidingLook() }
        let choice = try write(isDurable: false) { transaction in
            // Where there are too many bytes nothing is looked at, as this is asked after every change.
            guard transaction.hasRoomForWords(for: .duty) else { return HidingChoice() }
            return try HidingChoice(of: reported, at: now) { hour in
                try transaction.hasRoom(inHour: hour, for: .duty)
            } isForEverybody: { row in
                // What only a private moment shows any more is not hidden for everybody to read why.
                try transaction.audienceShown(row) == 0
            }
        }
        let due = try choice.row.map { row in try view { viewer in try viewer.dueHiding(of: row) } }
        return HidingLook(due: due, waitsForNextHour: choice.waitsForNextHour)
    }
}

extension MergeOutcome {
    /// What decides, besides room, which records reports hide: what may be reported, what that hangs on, and who says what about it.
    private static let deciding = Set(
        ["people", "hidden"] + [Kind.report, .event, .moment, .photo, .comment].map(\.name)
    )

    /// Whether there may be something by now that is to be hidden because of reports.
    package var concernsReports: Bool {
        isRecomputed || hasErased || hasRoom || !changedKinds.isDisjoint(with: Self.deciding)
    }
}

/// A record that enough people reported, by its row.
struct Reported {
    let row: Int64
    /// When it was posted, as its author says.
    let posted: Timestamp
}

/// Which of the records that enough people reported is hidden next.
struct HidingChoice {
    private(set) var row: Int64?
    private(set) var waitsForNextHour = false

    /// Chooses none.
    init() {}

    /// Chooses the first for which there is room.
    ///
    /// Who posted a record chose the hour in which hiding it counts. What is in a full one stays undecided, and may be very much: so
    /// each hour is asked about once.
    init(
        of reported: [Reported],
        at now: Timestamp,
        hasRoom: (_ hour: Int64) throws -> Bool,
        isForEverybody: (_ row: Int64) throws -> Bool
    ) rethrows {
        var rooms: [Int64: Bool] = [:]
        for record in reported {
            let hour = min(now, record.posted).hour
            let isFree = try rooms[hour] ?? hasRoom(hour)
            rooms[hour] = isFree
            if !isFree {
                waitsForNextHour = waitsForNextHour || record.posted.hour > now.hour
            } else if try isForEverybody(record.row) {
                row = record.row
                return
            }
        }
    }
}

extension Viewer {
    /// What enough people reported and is not decided, at a node of somebody who moderates.
    fileprivate func undecided() throws -> [Reported] {
        guard moderates else { return [] }
        let threshold = try reportThreshold()
        // This is asked after every change, and most often moderators have decided of whatever many reported.
        let anything = "SELECT EXISTS (\(Self.reportedByMany))"
        guard threshold > 0,
            try db.holds(
                anything,
                binding: {
                    $0.add(Int64(threshold))
                    $0.add(me)
                }
            )
        else { return [] }
        let sql = """
            SELECT report.target, substr(journal.header, 2, 8) FROM \(Viewer.counted)
            WHERE report.target IN (\(Self.reportedByMany)) AND (device.person <> ?2 OR \(Self.isOnlyModerator))
            GROUP BY target HAVING count(*) >= ?1 ORDER BY target
            """
        return try db.all(sql) {
            $0.add(Int64(threshold))
            $0.add(me)
        } read: {
            Reported(
                row: $0.integer(0),
                posted: $0.bytes(1).flatMap(Timestamp.init(stored:)) ?? Timestamp(milliseconds: 0)
            )
        }
    }

    /// Whether nobody but this person moderates.
    private static let isOnlyModerator = """
        NOT EXISTS (SELECT 1 FROM person AS other WHERE other.level <= \(Hiding.writers.rawValue) AND other.id <> ?2)
        """

    /// Records with so many reports, whether they count or not, that nothing was said about which decides.
    ///
    /// Others than the author decide. Besides them reports decide that hide the record, or whose word this person's own
    /// node has said.
    private static let reportedByMany = """
        SELECT target FROM report GROUP BY target HAVING count(*) >= ?1 AND NOT EXISTS (
            SELECT 1 FROM hiding JOIN journal ON journal.id = hiding.record JOIN branch ON branch.id = journal.branch
                JOIN device ON device.id = branch.device
            WHERE hiding.record = report.target AND (
                hiding.maker <> device.person
                OR reason = '\(ReportRule.hidingReason)' AND (hides = 1 OR hiding.maker = ?2)
            )
        )
        """
}
