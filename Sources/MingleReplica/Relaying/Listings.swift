// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
package import MingleModel
import MingleWire

/// A blob that a header lists: all that who cannot read the payload knows of it.
package struct ListedBlob: Hashable, Sendable {
    /// The blob's name.
    package let name: BlobName
    /// Its bytes, as the header says.
    package let size: UInt64
    /// Who lists it; another person's blob by that name is none of it.
    package let person: PersonID
    /// How many smaller ones the same header lists.
    package let place: Int

    /// Describes a listed blob.
    package init(name: BlobName, size: UInt64, person: PersonID, place: Int) {
        (self.name, self.size, self.person, self.place) = (name, size, person, place)
    }
}

/// A blob that a person lists no more, because all deltas were erased in which the person did.
package struct UnlistedBlob: Hashable, Sendable {
    /// The blob's name.
    package let name: BlobName
    /// Who listed it: if it is this person's, it goes.
    package let person: PersonID
    /// Whether somebody else lists the name, rightly or not, and it was not given up.
    package let isListedByOthers: Bool
}

/// What a relay knows of blobs, as it cannot read what records say of them.
extension Transaction {
    /// Remembers the blobs that a delta lists.
    func list(_ delta: Delta, at row: Int64, by person: Int64) throws {
        guard replica.own.isRelay, delta.header.journal == .content, !delta.header.blobs.isEmpty else { return }
        newlyListed.append((row, person))
        for (place, blob) in delta.header.blobs.sorted(by: { $0.size < $1.size }).enumerated() {
            try run(
                "INSERT OR IGNORE INTO listing (blob, delta, person, size, place) VALUES (?, ?, ?, ?, ?)",
                [blob.name.column, row, person, Int64(clamping: blob.size), place]
            )
        }
    }

    /// Forgets what a delta lists that was erased.
    func unlist(_ row: Int64) throws {
        guard replica.own.isRelay else { return }
        for listed in try rows("SELECT blob, person FROM listing WHERE delta = ?", [row]) {
            unlisted[listed["person"], default: []].insert(BlobName(try Bytes32(column: listed["blob"])))
        }
        try run("DELETE FROM listing WHERE delta = ?", [row])
    }

    /// Works out anew what all headers list.
    func listAnew() throws {
        guard replica.own.isRelay else { return }
        try run("DELETE FROM listing", [])
        let content = Journal.content.rawValue
        let sql = """
            SELECT journal.id FROM journal JOIN branch ON branch.id = journal.branch
            WHERE branch.journal = \(content) AND erased <> 1
            """
        for row in try rows(sql, []) {
            guard let stored = try stored(row["id"]) else { continue }
            try list(stored.delta, at: stored.row, by: stored.device.person)
        }
    }

    /// Says which blobs are to be held from now on, and which no more.
    func settleListings() throws {
        guard replica.own.isRelay else { return }
        try forgetGivenUp()
        for (row, person) in newlyListed where !relisted.contains(person) {
            outcome.listed += try listed("delta = ?", [row]).filter(\.counts).map(\.blob)
        }
        for person in relisted.sorted() {
            let all = try listed("person = ?", [person])
            let counting = Set(all.filter(\.counts).map(\.blob.name))
            outcome.listed += all.filter(\.counts).map(\.blob)
            // Whoever lists another's blob takes nothing from that one by being removed.
            outcome.unwantedBlobs += try Set(all.map(\.blob.name)).subtracting(counting).sorted().filter {
                try rows("SELECT 1 FROM listing WHERE blob = ? AND person <> ?", [$0.column, person]).isEmpty
            }
        }
        (newlyListed, relisted) = ([], [])
        for (person, names) in unlisted.sorted(by: { $0.key < $1.key }) {
            outcome.unlisted += try names.sorted().compactMap { try unlistedBlob($0, by: person) }
        }
        unlisted = [:]
    }

    /// Forgets that blobs were given up of which all is erased that listed them, but for what has just come: who deletes them and lists
    /// them anew wants them anew.
    private func forgetGivenUp() throws {
        let new = Set(newlyListed.map(\.row))
        for (person, names) in unlisted.sorted(by: { $0.key < $1.key }) {
            for name in names.sorted() {
                let arguments: [(any DatabaseValueConvertible)?] = [name.column, person]
                let left = try rows("SELECT delta FROM listing WHERE blob = ? AND person = ?", arguments)
                guard left.allSatisfy({ new.contains($0["delta"]) }) else { continue }
                try run("DELETE FROM given_up WHERE blob = ? AND person = ?", arguments)
            }
        }
    }

    private func unlistedBlob(_ name: BlobName, by person: Int64) throws -> UnlistedBlob? {
        let isListed = try !rows("SELECT 1 FROM listing WHERE blob = ? AND person = ? LIMIT 1", [name.column, person])
            .isEmpty
        return isListed ? nil : try released(name, by: person)
    }

    /// A blob that a person's words keep here no more.
    func released(_ name: BlobName, by person: Int64) throws -> UnlistedBlob? {
        guard let owner = memory.persons[person]?.name else { return nil }
        let others = try rows(
            "SELECT 1 FROM listing WHERE blob = ? AND person <> ? AND \(Self.isKept) LIMIT 1",
            [name.column, person]
        )
        return UnlistedBlob(name: name, person: owner, isListedByOthers: !others.isEmpty)
    }

    /// Whether a listing was not given up.
    static let isKept = """
        NOT EXISTS (SELECT 1 FROM given_up WHERE given_up.blob = listing.blob AND given_up.person = listing.person)
        """

    /// What some deltas list that was not given up, and whether their authors may share it.
    func listed(
        _ condition: String,
        _ arguments: [(any DatabaseValueConvertible)?]
    ) throws -> [(blob: ListedBlob, counts: Bool)] {
        let sql = """
            SELECT blob, delta, person, size, place FROM listing
            WHERE \(condition) AND \(Self.isKept)
            ORDER BY delta, place
            """
        return try rows(sql, arguments).compactMap { row in
            let (delta, person): (Int64, Int64) = (row["delta"], row["person"])
            guard let name = memory.persons[person]?.name else { return nil }
            let blob = ListedBlob(
                name: BlobName(try Bytes32(column: row["blob"])),
                size: UInt64(row["size"] as Int64),
                person: name,
                place: row["place"]
            )
            return (blob, try level(of: delta, by: person).map(\.isPeople) ?? false)
        }
    }
}

extension Replica {
    /// Deltas that are looked through at a time.
    private static let pageLength: Int64 = 10_000

    /// Hands out, page by page, what deltas list whose authors may share it, and what was not given up.
    package func listedBlobs(_ body: ([ListedBlob]) -> Void) throws {
        var start: Int64 = 0
        while true {
            let (page, isLast) = try write(isDurable: false) { transaction in
                let last: Int64 =
                    try transaction.row("SELECT ifnull(max(delta), 0) AS last FROM listing", [])?["last"] ?? 0
                let page = try transaction.listed("delta > ? AND delta <= ?", [start, start + Self.pageLength])
                return (page.filter(\.counts).map(\.blob), start + Self.pageLength >= last)
            }
            body(page)
            if isLast { return }
            start += Self.pageLength
        }
    }

    /// Bytes of all blobs that a person lists, whether they are here or not.
    package func bytesListed(by person: PersonID) throws -> Int {
        try read { db in
            let sql = "SELECT sum(size) FROM listing JOIN person ON person.id = listing.person WHERE person.name = ?"
            return try db.first(sql) {
                $0.add(person.raw)
            } read: {
                Int($0.integer(0))
            } ?? 0
        }
    }

    /// Every name that a header lists, whoever wrote it, and that was not given up.
    package func listedNames() throws -> Set<BlobName> {
        try read { db in
            let sql = "SELECT DISTINCT blob FROM listing WHERE \(Transaction.isKept)"
            return Set(
                try db.all(sql) { _ in
                } read: {
                    BlobName(try $0.bytes32(0))
                }
            )
        }
    }

    /// Whether a person lists a blob in a delta that was not erased, and it was not given up.
    package func lists(_ blob: BlobName, by person: PersonID) throws -> Bool {
        try read { db in
            let sql = """
                SELECT 1 FROM listing JOIN person ON person.id = listing.person
                WHERE blob = ? AND person.name = ? AND \(Transaction.isKept)
                """
            return try db.first(sql) {
                $0.add(blob.raw)
                $0.add(person.raw)
            } read: { _ in
                true
            } ?? false
        }
    }
}
