// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleModel

/// Works out one page of a list of records of a kind.
struct RecordList {
    let kind: Kind
    let query: RecordQuery
    let viewer: Viewer
    private var conditions: [String] = []
    private var arguments: [DatabaseValue] = []

    init(kind: Kind, query: RecordQuery, viewer: Viewer) throws {
        (self.kind, self.query, self.viewer) = (kind, query, viewer)
        conditions.append(Viewer.isHeard("record.author"))
        try addTarget()
        try addPerson(query.author, "author")
        if kind.subject == .person { try addPerson(query.subject, "subject") }
        try addFilters()
        if query.isOpenClaim { conditions.append(Viewer.isOpen(claim: "record")) }
        if query.isClip { conditions.append("duration IS NOT NULL") }
        if query.isFaved {
            conditions.append("id IN (SELECT target FROM fave WHERE -author = -? AND \"on\" = 1)")
            arguments.append(viewer.me.databaseValue)
        }
        if query.isShown { conditions += Self.isShown(kind) }
        if query.isPublic { conditions.append("audience = 0") }
    }

    /// That others see a record, and that the viewer muted nobody on whose record it hangs.
    private static func isShown(_ kind: Kind) -> [String] {
        let isHeard = kind.target == .person ? [Viewer.isHeard("record.target")] : []
        return ["NOT concealed"] + isHeard + kind.parents.map { Viewer.isHeard("record.target", of: $0) }
    }

    /// The page.
    func page() throws -> Page<ShownRecord> {
        if let words = query.words { return Page(items: try best(FoundWords(SearchQuery(words), viewer.db))) }
        if let circle = query.circle { return Page(items: try closest(to: circle)) }
        return try ordered()
    }

    /// How many records there are in each step of time that has some, the first in the list's order first.
    ///
    /// - Parameters:
    ///   - step: milliseconds.
    ///   - limit: how many steps at most.
    func times(by step: Int64, limit: Int) throws -> [TimeCount] {
        let (column, isDescending) = try order
        let narrowed = conditions.joined(separator: " AND ")
        return try viewer.rows(
            """
            SELECT \(column) / \(step) AS step, count(*) AS count
            FROM \(viewer.seen(kind)) AS record WHERE \(narrowed)
            GROUP BY step ORDER BY step \(isDescending ? "DESC" : "ASC") LIMIT \(limit)
            """,
            StatementArguments(arguments)
        ).map { row in
            let start = (row["step"] as Int64) * step
            let place = isDescending ? Cursor(at: start + step, tie: .min) : Cursor(at: start - 1, tie: .max)
            return TimeCount(start: start, count: row["count"], before: place)
        }
    }

    // MARK: - What it is narrowed to

    private mutating func addTarget() throws {
        guard let target = query.target else { return }
        let row = try viewer.row(of: target)
        let isContinuing = try !viewer.rows("SELECT 1 FROM lineage WHERE moment = ?", [row]).isEmpty
        conditions.append(
            isContinuing ? "target IN (SELECT ancestor FROM lineage WHERE moment = ?)" : "target = ?"
        )
        arguments.append(row.databaseValue)
    }

    private mutating func addPerson(_ person: PersonID?, _ column: String) throws {
        guard let person else { return }
        conditions.append("\(column) = ?")
        arguments.append(try viewer.row(of: person).databaseValue)
    }

    private mutating func addFilters() throws {
        for (name, value) in query.filters.sorted(by: { $0.key < $1.key }) {
            guard let field = kind.field(named: name), field.isFilter else {
                throw ReplicaError.invalid("A list of \(kind.plural) cannot be narrowed by \(name).")
            }
            if case .references(let limit) = field.type {
                let parts = (0..<limit).map { place in
                    "substr(\"\(name)\", \(place * Reference.encodedLength + 1), \(Reference.encodedLength))"
                }
                conditions.append("? IN (\(parts.joined(separator: ", ")))")
            } else {
                // A flag that nobody set is off.
                conditions.append(field.type == .flag ? "ifnull(\"\(name)\", 0) = ?" : "\"\(name)\" = ?")
            }
            arguments.append(Column(value).databaseValue)
        }
    }

    // MARK: - In order of time or of a value

    private func ordered() throws -> Page<ShownRecord> {
        let limit = min(max(query.limit, 1), 500)
        let (column, isDescending) = try order
        let start = query.before ?? (isDescending ? .end : Cursor(at: .min, tie: .min))
        let (sign, direction) = isDescending ? ("<", "DESC") : (">", "ASC")
        // An index of an expression is entered by one value, and not by two.
        var conditions = conditions + ["\(column) \(sign)= ?", "(\(column), tie) \(sign) (?, ?)"]
        var arguments = arguments + [start.at.databaseValue, start.at.databaseValue, start.tie.databaseValue]
        if let rectangle = query.rectangle {
            let rows = try located(within: GridCell.ranges(within: rectangle)).filter {
                rectangle.contains($0.position)
            }
            conditions.append("id IN (SELECT value FROM json_each(?))")
            arguments.append(Self.json(rows.map(\.row)).databaseValue)
        }
        let rows = try viewer.rows(
            """
            SELECT *, \(column) AS place FROM \(viewer.seen(kind)) AS record WHERE \(conditions.joined(separator: " AND "))
            ORDER BY \(column) \(direction), tie \(direction) LIMIT \(limit + 1)
            """,
            StatementArguments(arguments)
        )
        return try Page(of: rows, limit: limit, by: "place") { try viewer.record($0, of: kind) }
    }

    private var order: (column: String, isDescending: Bool) {
        get throws {
            switch query.order {
            case .newest: ("shown_at", true)
            // A record without a value stands at the end.
            case .highest(let name) where name == kind.timed: (kind.time ?? "made", true)
            case .lowest(let name) where name == kind.timed: (kind.time ?? "made", false)
            case .highest(let name): ("ifnull(\(try numberColumn(name)), \(Int64.min + 1))", true)
            case .lowest(let name): ("ifnull(\(try numberColumn(name)), \(Int64.max))", false)
            }
        }
    }

    private func numberColumn(_ name: String) throws -> String {
        guard kind.field(named: name)?.type.numbers != nil else {
            throw ReplicaError.invalid("A list of \(kind.plural) cannot stand in the order of \(name).")
        }
        return "\"\(name)\""
    }

    // MARK: - In order of distance

    private struct Located {
        let row: Int64
        let tie: Int64
        let position: GridPosition
    }

    private func closest(to circle: GridCircle) throws -> [ShownRecord] {
        let limit = min(max(query.limit, 1), RecordQuery.closestLimit)
        let near = try near(circle)
        var found: [(record: ShownRecord, tie: Int64)] = []
        // Many of the closest may be out of the viewer's sight; mostly none is, and no more need be read.
        for start in stride(from: 0, to: near.count, by: limit) where found.count < limit {
            let part = near[start..<min(start + limit, near.count)]
            let metres = Dictionary(part.map { ($0.row, $0.metres) }) { first, _ in first }
            found += try seen(part.map(\.row)).map { row in
                (try viewer.record(row, of: kind, metres: metres[row["id"]]), row["tie"])
            }
        }
        found.sort { ($0.record.metres ?? 0, $1.tie) < ($1.record.metres ?? 0, $0.tie) }
        return found.prefix(limit).map(\.record)
    }

    /// The rows of the closest records within a circle that the viewer sees and that fit.
    func rows(within circle: GridCircle, limit: Int) throws -> [Int64] {
        try seen(near(circle).prefix(limit).map(\.row)).map { $0["id"] }
    }

    /// The records within a circle, whoever sees them, the closest first.
    private func near(_ circle: GridCircle) throws -> [(row: Int64, tie: Int64, metres: Double)] {
        try located(within: GridCell.ranges(within: circle))
            .map { (row: $0.row, tie: $0.tie, metres: circle.center.metres(to: $0.position)) }
            .filter { $0.metres <= circle.metres }
            .sorted { ($0.metres, $1.tie) < ($1.metres, $0.tie) }
    }

    /// The records in ranges of cells, whoever sees them.
    private func located(within ranges: [ClosedRange<Int64>]) throws -> [Located] {
        guard kind.isLocated else { throw ReplicaError.invalid("A list of \(kind.plural) has no positions.") }
        return try ranges.flatMap { range in
            try viewer.db.all(
                """
                SELECT id, latitude, longitude, tie FROM \(kind.name)
                WHERE latitude IS NOT NULL AND \(Schema.cell) BETWEEN ? AND ?
                """
            ) {
                $0.add(range.lowerBound)
                $0.add(range.upperBound)
            } read: { columns -> Located? in
                guard !columns.isNull(2) else { return nil }
                return GridPosition(latitude: columns.integer(1), longitude: columns.integer(2))
                    .map { Located(row: columns.integer(0), tie: columns.integer(3), position: $0) }
            }.compactMap(\.self)
        }
    }

    // MARK: - In order of fit

    func best(_ words: FoundWords) throws -> [ShownRecord] {
        let limit = min(max(query.limit, 1), RecordQuery.searchLimit)
        let candidates = try ranked(Search.candidates(for: words, of: [kind.number], viewer.db))
        var found: [Row] = []
        // What the viewer does not see, or is elsewhere, gives way to what fits less.
        for start in stride(from: 0, to: candidates.count, by: 100) where found.count < limit {
            let part = candidates[start..<min(start + 100, candidates.count)]
            let rows = Dictionary(try seen(Array(part)).map { ($0["id"] as Int64, $0) }) { first, _ in first }
            found += part.compactMap { rows[$0] }.filter(isWithin)
        }
        return try found.prefix(limit).map { try viewer.record($0, of: kind) }
    }

    /// The rows of candidates, what fits best first, and then the newest: rows differ between nodes.
    private func ranked(_ candidates: [Search.Candidate]) throws -> [Int64] {
        let scores = Dictionary(candidates.map { ($0.record, $0.score) }) { first, _ in first }
        let sql = "SELECT id, shown_at, tie FROM \(kind.name) WHERE id IN (SELECT value FROM json_each(?))"
        let places = try viewer.db.all(sql) {
            $0.add(Self.json(candidates.map(\.record)))
        } read: {
            (row: $0.integer(0), place: Cursor(at: $0.integer(1), tie: $0.integer(2)))
        }
        return places.sorted { (scores[$0.row] ?? 0, $0.place) > (scores[$1.row] ?? 0, $1.place) }.map(\.row)
    }

    /// Whether a record lies where it has to.
    private func isWithin(_ row: Row) -> Bool {
        guard query.circle != nil || query.rectangle != nil else { return true }
        guard let latitude: Int64 = row["latitude"], let longitude: Int64 = row["longitude"],
            let position = GridPosition(latitude: latitude, longitude: longitude)
        else { return false }
        return query.circle?.contains(position) ?? true && query.rectangle?.contains(position) ?? true
    }

    /// Those of some rows that the viewer sees and that fit.
    func seen(_ rows: [Int64]) throws -> [Row] {
        let conditions = (conditions + ["id IN (SELECT value FROM json_each(?))"]).joined(separator: " AND ")
        return try viewer.rows(
            "SELECT * FROM \(viewer.seen(kind)) AS record WHERE \(conditions)",
            StatementArguments(arguments + [Self.json(rows).databaseValue])
        )
    }

    static func json(_ rows: some Sequence<Int64>) -> String { "[\(rows.map { "\($0)" }.joined(separator: ","))]" }
}

extension Column {
    fileprivate var databaseValue: DatabaseValue {
        switch self {
        case .nothing: .null
        case .number(let number): number.databaseValue
        case .text(let text): text.databaseValue
        case .bytes(let bytes): Data(bytes).databaseValue
        }
    }
}
