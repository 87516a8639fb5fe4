// SPDX-License-Identifier: Apache-2.0

import MingleModel

/// How many records hang on each record, so that no list counts them one by one.
extension Schema {
    /// A kind whose records are counted where they hang.
    struct Tallied {
        let kind: Kind
        /// The column that counts apart: the author, whom the viewer may have muted or who may not take part, or a
        /// field.
        let part: String
        /// A field of numbers from 1 to ``radix`` - 1 that counts apart as well; nil: none.
        var second: String?

        /// Parts count so many times where there is a second field.
        static let radix: Int64 = 8

        /// What a record is counted by, of a row that is called `row`.
        func place(of row: String) -> String { "\(row).target, \(kind.number), \(row).audience, \(part(of: row))" }

        /// What counts apart.
        func part(of row: String) -> String {
            let first = "\(row).\"\(part)\""
            return second.map { "(\(first) * \(Self.radix) + ifnull(\(row).\"\($0)\", 0))" } ?? first
        }

        /// Whether the record in a row has all that its fields need so that it shows.
        func isComplete(_ row: String) -> String {
            func has(_ field: String) -> String { "\(row).\"\(field)\" IS NOT NULL" }
            var conditions = kind.fields.filter(\.isRequired).map { has($0.name) }
            conditions += needed.map { "(\($0.map(has).joined(separator: " OR ")))" }
            if let held = kind.heldBack { conditions.append("ifnull(\(row).\"\(held)\", 0) = 0") }
            return conditions.isEmpty ? "true" : conditions.joined(separator: " AND ")
        }

        /// Fields of which one at least has a value.
        private var needed: [[String]] {
            kind.shownIf.compactMap { if case .anyOf(let fields) = $0 { fields } else { nil } }
        }

        /// The columns whose change moves a record from one count to another.
        var columns: [String] {
            var columns = ["author", "target", "audience"] + kind.fields.filter(\.isRequired).map(\.name)
            columns += needed.flatMap(\.self) + (kind.heldBack.map { [$0] } ?? [])
            for column in [part, second].compactMap(\.self) where !columns.contains(column) { columns.append(column) }
            return columns.map { "\"\($0)\"" }
        }
    }

    /// The kinds that lists count.
    static let tallied = [
        Tallied(kind: .photo, part: "author"), Tallied(kind: .comment, part: "author"),
        Tallied(kind: .participation, part: "state"), Tallied(kind: .fave, part: "on"),
        Tallied(kind: .rating, part: "overall", second: "price_level"), Tallied(kind: .vote, part: "up"),
    ]

    /// The counts, the triggers that keep them, and an index that finds whether somebody is invited.
    ///
    /// A row of `tally` has the number of records of a kind that hang on `target`, are sealed for `audience`, have the
    /// fields that they need, and are neither hidden nor held back themselves. Whether such records show follows from
    /// these columns, and is asked when they are counted. `part` is the author's row, the state of a participation,
    /// a fave or a vote, or what a rating says over all and of prices.
    ///
    /// What hides a record is noted after the record and forgotten before it is stored anew, so that inserting, which
    /// is what merging does, need not look at `hiding`. `count` allows NULL, because a trigger that may fail has
    /// SQLite keep a copy of every page that a statement changes.
    static let tallies = """
        CREATE TABLE tally (
            kind INTEGER NOT NULL,
            target INTEGER NOT NULL,
            audience INTEGER NOT NULL,
            part INTEGER NOT NULL,
            count INTEGER,
            PRIMARY KEY (kind, target, audience, part)
        ) STRICT, WITHOUT ROWID;
        \(tallied.map(triggers).joined())
        CREATE INDEX invite_person ON invite (target, person);
        """

    private static func triggers(for tallied: Tallied) -> String {
        let name = tallied.kind.name
        let isUnhidden = tallied.kind.identity == .delta ? "NOT EXISTS (\(hides("OLD.id")))" : "true"
        return """
            CREATE TRIGGER \(name)_inserted AFTER INSERT ON \(name) WHEN \(tallied.isComplete("NEW")) BEGIN
                \(count(1, tallied, "NEW"));
            END;
            CREATE TRIGGER \(name)_deleted AFTER DELETE ON \(name)
            WHEN \(tallied.isComplete("OLD")) AND \(isUnhidden) BEGIN
                \(count(-1, tallied, "OLD"));
            END;
            CREATE TRIGGER \(name)_updated AFTER UPDATE OF \(tallied.columns.joined(separator: ", ")) ON \(name)
            WHEN \(isUnhidden) BEGIN
                \(count(-1, tallied, "OLD", where: tallied.isComplete("OLD")));
                \(count(1, tallied, "NEW", where: tallied.isComplete("NEW")));
            END;
            \(tallied.kind.identity == .delta ? hidingTriggers(for: tallied) : "")
            """
    }

    private static func hidingTriggers(for tallied: Tallied) -> String {
        let name = tallied.kind.name
        let record = { (row: String) in "record.id = \(row).record AND \(tallied.isComplete("record"))" }
        return """
            CREATE TRIGGER \(name)_hidden AFTER INSERT ON hiding
            WHEN NEW.hides = 1 AND NEW.kind = \(tallied.kind.number) BEGIN
                \(count(-1, tallied, "record", from: "\(name) AS record", where: record("NEW")));
            END;
            CREATE TRIGGER \(name)_unhidden AFTER DELETE ON hiding
            WHEN OLD.hides = 1 AND OLD.kind = \(tallied.kind.number) BEGIN
                \(count(1, tallied, "record", from: "\(name) AS record", where: record("OLD")));
            END;
            """
    }

    private static func hides(_ record: String) -> String {
        "SELECT 1 FROM hiding WHERE hiding.hides = 1 AND hiding.record = \(record)"
    }

    /// Adds a number to the count of which a row is a part.
    private static func count(
        _ number: Int,
        _ tallied: Tallied,
        _ row: String,
        from table: String? = nil,
        where condition: String? = nil
    ) -> String {
        let values =
            if let condition {
                "SELECT \(tallied.place(of: row)), \(number) \(table.map { "FROM \($0) " } ?? "")WHERE \(condition)"
            } else {
                "VALUES (\(tallied.place(of: row)), \(number))"
            }
        return """
            INSERT INTO tally (target, kind, audience, part, count) \(values)
                ON CONFLICT DO UPDATE SET count = count + excluded.count
            """
    }

    // MARK: - Counting

    /// The number of records of a kind that hang on what a table `family` names and may; further conditions are about
    /// `tally`.
    ///
    /// It is exact for kinds of which each record counts.
    static func number(of kind: Kind, where condition: String) -> String {
        "(SELECT ifnull(sum(tally.count), 0) FROM \(tallies(of: kind)) AND \(condition))"
    }

    /// The number of people who made such records.
    ///
    /// Of one target and one audience each has at most one; where there are more, the records are looked at.
    static func people(of kind: Kind, where condition: String, otherwise exact: String) -> String {
        """
        (SELECT CASE
            WHEN count(*) = 0 THEN 0
            WHEN min(tally.target) = max(tally.target) AND min(tally.audience) = max(tally.audience) THEN sum(tally.count)
            ELSE (\(exact)) END
            FROM \(tallies(of: kind)) AND \(condition))
        """
    }

    private static func tallies(of kind: Kind) -> String {
        """
        family CROSS JOIN tally ON tally.kind = \(kind.number) AND tally.target = family.id
            WHERE tally.count > 0 AND \(within("tally", "family"))
        """
    }

    /// The counts of photos as a table that has the columns on which it depends whether they show.
    static let talliedPhotos = """
        (SELECT target, \(kindOfTarget(of: .photo)) AS target_kind, audience, part AS author, count FROM tally
            WHERE kind = \(Kind.photo.number) AND count > 0) AS photo
        """

    /// The kind of what a count is of: a moment where it is none of the others.
    private static func kindOfTarget(of kind: Kind) -> String {
        let others = kind.parents.filter { $0 != .moment }.map { parent in
            "WHEN EXISTS (SELECT 1 FROM \(parent.name) WHERE \(parent.name).id = tally.target) THEN \(parent.number)"
        }
        return """
            CASE WHEN tally.target = \(TargetColumn.nothing) THEN \(TargetColumn.noKind) \(others.joined(separator: " "))
                ELSE \(Kind.moment.number) END
            """
    }

    /// Whether all photos of one count show.
    static let showsPhotos = hangs(.photo, onThe: "visible") ?? "true"
}
