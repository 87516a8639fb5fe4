// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleModel
import MingleWire

/// Who sees which record: those whom it is sealed for, or fewer where only a private moment shows it.
struct ShownAudiences {
    private let db: Database
    private let words: [Int64: String]
    private let isPlain: Bool

    init(_ db: Database, event: EventID) throws {
        self.db = db
        var words: [Int64: String] = [:]
        for row in try Row.fetchAll(try db.cachedStatement(sql: "SELECT id, terms FROM audience")) {
            guard let audience = Audience(bytes: [UInt8](row["terms"] as Data)) else { continue }
            words[row["id"]] = String(Base32.encode(audience.id(in: event).bytes).prefix(16))
        }
        self.words = words
        isPlain = try !db.holds("SELECT 1 FROM lineage LIMIT 1")
    }

    /// A word for the audience that sees a record; nil: everybody in the event.
    func word(of record: Row) throws -> String? {
        let audience: Int64 = record["audience"]
        guard audience == 0 else { return words[audience] }
        guard !isPlain, record.hasColumn("target_kind") else { return nil }
        return try word(showing: record["target"], of: Kind.numbered(record["target_kind"]))
    }

    /// A word for the audience that a delta is sealed for; nil: everybody in the event.
    func word(sealing delta: Int64) throws -> String? {
        let sql = "SELECT audience FROM journal JOIN epoch ON epoch.id = journal.epoch WHERE journal.id = ?"
        return try Int64.fetchOne(try db.cachedStatement(sql: sql), arguments: [delta]).flatMap { words[$0] }
    }

    /// Who sees what hangs on a record that everybody can open.
    private func word(showing target: Int64, of kind: Kind?) throws -> String? {
        guard target > 0 else { return nil }
        if let kind, kind.trait != nil {
            let sql = "SELECT target, target_kind, audience FROM \(kind.name) WHERE id = ?"
            let parent = try Row.fetchOne(try db.cachedStatement(sql: sql), arguments: [target])
            return try parent.flatMap { try word(of: $0) }
        }
        // What was deleted before it could be read may have been one.
        guard kind == nil || kind == .moment else { return nil }
        let sql = """
            SELECT audience FROM visible_moment WHERE id = ?1
            UNION SELECT visible_moment.audience FROM lineage
            JOIN visible_moment ON visible_moment.id = lineage.moment WHERE ancestor = ?1
            """
        let audiences = try Int64.fetchAll(try db.cachedStatement(sql: sql), arguments: [target])
        // Of several moments that show it, one may be for everybody.
        return audiences.contains(0) ? nil : audiences.compactMap { words[$0] }.min()
    }
}
