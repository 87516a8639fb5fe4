// SPDX-License-Identifier: Apache-2.0

import GRDB
package import MingleModel

/// Somebody with whom this person is connected, or one of the two would like to be.
package struct ShownConnection: Hashable, Sendable {
    /// The other person.
    package let person: ShownPerson
    /// What is between the two; never nothing.
    package let state: ConnectionState
    /// When that came about, in milliseconds since 1970, by the clocks of those who said it.
    package let at: Int64
}

extension Replica {
    /// Connections that are shown at a time.
    package static let connectionLimit = 1000

    /// Who asks this person, then whom this person asked, then with whom this person is connected, the latest of each first.
    ///
    /// Nobody asks who was removed, has left or is muted; a connection goes on with those who have left.
    package func connections(limit: Int = connectionLimit) throws -> [ShownConnection] {
        try view { viewer in
            let shown = try viewer.halves().compactMap { half -> ShownConnection? in
                let person = try viewer.person(half.person)
                let state = half.state(with: person)
                guard state != .unconnected else { return nil }
                return ShownConnection(person: person, state: state, at: half.since(state))
            }
            let order: [ConnectionState] = [.asks, .asked, .connected]
            let sorted = order.flatMap { state in
                shown.filter { $0.state == state }.sorted { ($0.at, $0.person.id) > ($1.at, $1.person.id) }
            }
            return Array(sorted.prefix(max(limit, 0)))
        }
    }

    /// What is between this person and another.
    package func connection(with person: PersonID) throws -> ConnectionState {
        try view { viewer in
            guard let half = try viewer.half(with: person) else { return .unconnected }
            return half.state(with: try viewer.person(half.person))
        }
    }

    /// What to write so that there is a connection with a person, or none any more; nil where that is so.
    package func draft(connecting: Bool, with person: PersonID) throws -> Draft? {
        let half = try view { try $0.half(with: person) }
        let wish = ConnectionState.wish(connecting: connecting, mine: half?.mine?.wish, theirs: half?.theirs?.wish)
        return wish.map { .set(.connection, on: .person(person), values: $0.values) }
    }
}

/// What both say of each other.
private struct Halves {
    struct Half {
        let wish: ConnectionWish
        let made: Int64
    }

    /// The other person's row.
    let person: Int64
    var mine: Half?
    var theirs: Half?

    func state(with person: ShownPerson) -> ConnectionState {
        let state = ConnectionState(mine: mine?.wish, theirs: theirs?.wish)
        let takesPart = person.level?.isPeople ?? false
        switch state {
        case .unconnected: return .unconnected
        case .asks, .asked: return takesPart && (state == .asked || !person.isMuted) ? state : .unconnected
        case .connected: return takesPart || person.hasLeft && !person.isRemoved ? state : .unconnected
        }
    }

    func since(_ state: ConnectionState) -> Int64 {
        switch state {
        case .unconnected: 0
        case .asked: mine?.made ?? 0
        case .asks: theirs?.made ?? 0
        case .connected: max(mine?.made ?? 0, theirs?.made ?? 0)
        }
    }
}

extension Viewer {
    /// What the viewer and others say of each other.
    fileprivate func halves() throws -> [Halves] {
        let sql = """
            SELECT target AS person, "on", declined, made, 1 AS is_mine FROM connection WHERE author = ?1 AND "on" IS NOT NULL
            UNION ALL
            SELECT author, "on", declined, made, 0 FROM connection WHERE target = ?1 AND "on" IS NOT NULL
            """
        return try merged(rows(sql, [me]))
    }

    /// The same of one person; nil where neither said anything.
    fileprivate func half(with person: PersonID) throws -> Halves? {
        let sql = """
            SELECT person.id AS person, "on", declined, made, author = ?1 AS is_mine FROM connection
                JOIN person ON person.id = iif(author = ?1, target, author)
            WHERE person.name = ?2 AND ?1 IN (author, target) AND "on" IS NOT NULL
            """
        return try merged(rows(sql, [me, person.column])).first
    }

    private func merged(_ rows: [Row]) -> [Halves] {
        var (halves, places) = ([Halves](), [Int64: Int]())
        for row in rows {
            let person: Int64 = row["person"]
            let half = Halves.Half(wish: ConnectionWish(on: row["on"], declined: row["declined"]), made: row["made"])
            let place = places[person, default: halves.count]
            if place == halves.count {
                halves.append(Halves(person: person))
                places[person] = place
            }
            if row["is_mine"] { halves[place].mine = half } else { halves[place].theirs = half }
        }
        return halves
    }
}
