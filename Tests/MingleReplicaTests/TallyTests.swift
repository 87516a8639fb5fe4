// SPDX-License-Identifier: Apache-2.0

import GRDB
import MingleModel
import MingleWire
import TestSupport
import Testing

@testable import MingleReplica

/// Counts that are kept say what looking at each record says.
struct TallyTests {
    static let blocks = 8

    @Test(arguments: 0..<blocks)
    func `whatever comes in whichever order, the kept counts are those of the records`(block: Int) throws {
        for seed in LawSeeds.first(160) where seed % UInt64(Self.blocks) == block {
            let history = try Story.drawn(seed).history()
            let observer = try Observer(of: history)
            let replica = observer.replica
            for step in Delivery.anyhow(history, seed: seed).steps {
                try observer.take(Delivery(steps: [step]))
                #expect(try replica.keptCounts() == replica.countedRecords(), "seed \(seed)")
            }
            #expect(try replica.shownCounts() == replica.countedShown(), "seed \(seed)")
            var random = SplitMix(seed: seed)
            _ = try replica.recompute { $0.shuffle(using: &random) }
            #expect(try replica.keptCounts() == replica.countedRecords(), "recomputed, seed \(seed)")
            guard let person = try replica.people().first(where: { !$0.me })?.id else {
                continue
            }
            try replica.mute(person)
            #expect(try replica.shownCounts() == replica.countedShown(), "with somebody muted, seed \(seed)")
        }
    }

    @Test func `a moment that became private counts each person once, whatever that person said of both`() throws {
        let world = try PrivateWorld(seed: 231)
        let draft = Draft.create(.moment, on: .nothing, values: momentValues("Surprise"))
        let old = try world.say(draft, by: world.bob, at: 4000)
        try world.meet()
        for guest in [world.carl, world.dora] { try takePart(in: old, of: world, guest, at: 4500) }
        try world.meet()
        var values = momentValues("Surprise")
        values["continues"] = .data(old.bytes)
        let new = try world.bob.author(at: Timestamp(milliseconds: 7000), randomness: world.event.randomness) { write in
            let new = try write(.create(.moment, on: .nothing, values: values, for: world.audience))
            _ = try write(.invite(world.carl.own.person, to: new))
            _ = try write(.delete(old))
        }.references[0]
        try world.meet()
        try takePart(in: new, of: world, world.carl, at: 8000)
        try world.meet()
        for replica in world.everybody {
            #expect(try replica.keptCounts() == replica.countedRecords())
            #expect(try replica.shownCounts() == replica.countedShown())
        }
        let shown = try world.carl.moment(new)
        let counts = [shown.joined, shown.faves, shown.comments, shown.photos]
        #expect(counts == [2, 2, 3, 3])
    }

    private func takePart(in moment: Reference, of world: PrivateWorld, _ guest: Replica, at time: Int64) throws {
        try world.say(world.joining(moment), by: guest, at: time)
        try world.say(.set(.fave, on: .record(moment), values: ["on": .number(1)]), by: guest, at: time)
        try world.say(world.comment("Here", on: moment), by: guest, at: time)
        let key = [UInt8](repeating: 1, count: 32)
        let media = Media(root: Bytes32.zero, size: 9, key: key, type: "image/png")
        let photo: [String: Value] = [
            "width": .number(1), "height": .number(1), "original": .media(media), "preview": .media(media),
            "thumbnail": .media(media),
        ]
        let blobs = [BlobListing(name: media.name(owner: guest.own.person), size: 9)]
        try world.say(.create(.photo, on: .record(moment), values: photo, blobs: blobs), by: guest, at: time)
    }
}

extension Replica {
    /// The counts that are kept, on lines.
    fileprivate func keptCounts() throws -> [String] {
        let line = "kind || ' ' || target || ' ' || audience || ' ' || part || ': ' || count"
        return try queried("SELECT \(line) FROM tally WHERE count <> 0")
    }

    /// What they should be, by looking at each record.
    fileprivate func countedRecords() throws -> [String] {
        try Schema.tallied.flatMap { tallied in
            let part = tallied.part(of: "record")
            return try queried(
                """
                SELECT \(tallied.kind.number) || ' ' || target || ' ' || audience || ' ' || \(part) || ': ' || count(*)
                FROM \(tallied.kind.name) AS record
                WHERE \(tallied.isComplete("record"))
                    AND NOT EXISTS (SELECT 1 FROM hiding WHERE hides = 1 AND hiding.record = record.id)
                GROUP BY target, audience, \(part)
                """
            )
        }
        .sorted()
    }

    private func queried(_ sql: String) throws -> [String] { try read { try String.fetchAll($0, sql: sql).sorted() } }

    /// What moments show of themselves, and how many photos there are.
    fileprivate func shownCounts() throws -> [String] {
        let moments = try moments().map { moment in
            """
            \(moment.id): \(moment.comments) comments, \(moment.photos) photos, \(moment.joined) joined, \
            \(moment.checkedIn) there, \(moment.faves) faves, cover \(moment.cover.map(\.description) ?? "none")
            """
        }
        return try moments + ["\(counts().photos) photos"]
    }

    /// What they should show, by looking at each record.
    fileprivate func countedShown() throws -> [String] {
        let shown = try moments()
        return try view { viewer in
            let moments = try shown.map { moment in
                let row = try viewer.row(of: moment.id)
                func number(_ what: String, of table: String, where condition: String) throws -> Int64 {
                    let sql = """
                        \(Viewer.family) SELECT \(what) AS number FROM family JOIN \(table) AS record ON record.target = family.id
                        WHERE \(condition)
                        """
                    return try viewer.rows(sql, [row]).first?["number"] ?? 0
                }
                let (heard, within) = (Viewer.isHeard("record.author"), Schema.within("record", "family"))
                let unhidden = "NOT EXISTS (SELECT 1 FROM hiding WHERE hides = 1 AND hiding.record = record.id)"
                let comments = try number(
                    "count(*)",
                    of: "comment",
                    where: "(text IS NOT NULL OR preview IS NOT NULL) AND \(unhidden) AND \(heard) AND \(within)"
                )
                func people(_ table: String, _ condition: String) throws -> Int64 {
                    try number("count(DISTINCT author)", of: table, where: "\(condition) AND \(within)")
                }
                let photos = try number("count(*)", of: "visible_photo", where: heard)
                let first = """
                    \(Viewer.family) SELECT record.id FROM family JOIN visible_photo AS record ON record.target = family.id
                    WHERE \(heard) ORDER BY record.shown_at, record.tie LIMIT 1
                    """
                let earliest = try viewer.rows(first, [row]).first.map { try viewer.names.reference($0["id"]) }
                let record = try viewer.rows("SELECT cover FROM moment WHERE id = ?", [row])
                let heardAuthor = Viewer.isHeard("author")
                let chosen = try record.first.flatMap { try viewer.chosenCover(of: $0, where: heardAuthor) }
                return """
                    \(moment.id): \(comments) comments, \(photos) photos, \
                    \(try people("participation", "state >= 2")) joined, \
                    \(try people("participation", "state = 3")) there, \(try people("fave", "\"on\" = 1")) faves, \
                    cover \((chosen ?? earliest).map(\.description) ?? "none")
                    """
            }
            let photos = try viewer.rows(
                "SELECT count(*) AS number FROM visible_photo WHERE \(Viewer.isHeard("author"))",
                []
            )
            return moments + ["\(photos.first?["number"] as Int64? ?? 0) photos"]
        }
    }
}
