// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleCrypto
import MingleModel
import MingleWire

extension Replica {
    /// Every visible record on a line of its own, and every hidden one as such, sorted; equal replicas that can open the same
    /// give equal dumps.
    ///
    /// A line is: kind, id (`-` for keyed records), author, target (`-` for none), time, each field that is set as
    /// `name=value`, and `audience=word` if not everybody in the event sees the record, separated by tabs. That a record is
    /// hidden is a line of kind `hidden` with its id, who hid it and when, and the reason. Texts are JSON strings, references
    /// words, blobs `root:size:type`; an invitation's id stands in place of its seed.
    package func dump() throws -> [String] {
        try read { db in
            var lines: [String] = []
            let names = try Names(db)
            let audiences = try ShownAudiences(db, event: event)
            for kind in Kind.all where try !db.isEmpty(kind) {
                let cursor = try Row.fetchCursor(try db.cachedStatement(sql: "SELECT * FROM visible_\(kind.name)"))
                while let row = try cursor.next() {
                    let audience = try audiences.word(of: row).map { "\taudience=\($0)" } ?? ""
                    lines.append(try line(row, kind: kind, names: names) + audience)
                }
            }
            let hidings = try db.cachedStatement(sql: "SELECT * FROM hiding WHERE hides = 1")
            for row in try Row.fetchAll(hidings) {
                let (record, maker) = (try names.reference(row["record"]), try names.person(row["maker"]))
                let said = "\(row["made"] as Int64)\treason=\(Self.quoted(row["reason"]))"
                let audience = try audiences.word(sealing: row["delta"]).map { "\taudience=\($0)" } ?? ""
                lines.append("hidden\t\(record)\t\(maker)\t-\t\(said)\(audience)")
            }
            return lines.sorted()
        }
    }

    private func line(_ row: Row, kind: Kind, names: Names) throws -> String {
        let id: Int64 = row["id"]
        let target: Int64 = row["target"]
        let name = kind.target == .person ? try names.person(target).description : nil
        var words = [
            kind.name,
            kind.identity == .delta ? try names.reference(id).description : "-",
            try names.person(row["author"]).description,
            try name ?? (target > 0 ? names.reference(target).description : "-"),
            String(row["made"] as Int64),
        ]
        if kind.subject == .person { words.append("subject=\(try names.person(row["subject"]))") }
        for field in kind.fields {
            let value: DatabaseValue = row[field.name]
            let said = field.isSeed ? Self.word(ofSeed: value) : Self.word(value, type: field.type)
            guard let word = said else { continue }
            words.append("\(field.name)=\(word)")
        }
        return words.joined(separator: "\t")
    }

    /// The invitation that a seed opens; nil where there is no seed.
    private static func word(ofSeed value: DatabaseValue) -> String? {
        nearbySeed(String.fromDatabaseValue(value)).map { InvitationKeys(seed: $0).id.description }
    }

    private static func word(_ value: DatabaseValue, type: FieldType) -> String? {
        switch type {
        case .text: String.fromDatabaseValue(value).map(quoted)
        case .number, .flag, .choice, .time, .latitude, .longitude, .metres:
            Int64.fromDatabaseValue(value).map { String($0) }
        case .reference: Data.fromDatabaseValue(value).flatMap { Reference(bytes: [UInt8]($0))?.description }
        case .references, .person, .device, .ends, .hours:
            Data.fromDatabaseValue(value).map { Base32.encode([UInt8]($0)) }
        case .media:
            Media(column: Data.fromDatabaseValue(value)).map { media in
                "\(Base32.encode(media.root.bytes)):\(media.size):\(quoted(media.type))"
            }
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case _ where scalar.value < 32 || scalar.value == 127:
                quoted += "\\u" + String(0x10000 + Int(scalar.value), radix: 16).dropFirst()
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

/// Turns local keys into the names that all replicas share.
struct Names {
    private let db: Database

    init(_ db: Database) throws { self.db = db }

    /// The reference of the delta in a row of the journal.
    func reference(_ row: Int64) throws -> Reference {
        let reference = try db.first(
            """
            SELECT device.name, branch.journal, sequence, hash FROM journal
            JOIN branch ON branch.id = journal.branch JOIN device ON device.id = branch.device
            WHERE journal.id = ?
            """
        ) {
            $0.add(row)
        } read: { columns in
            Reference(
                device: DeviceName(try columns.bytes32(0)),
                journal: Journal(rawValue: UInt8(truncatingIfNeeded: columns.integer(1))) ?? .content,
                sequence: UInt32(truncatingIfNeeded: columns.integer(2)),
                hash: HeaderHash(try columns.bytes32(3))
            )
        }
        guard let reference else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a record without its delta")
        }
        return reference
    }

    /// The person in a row.
    func person(_ row: Int64) throws -> PersonID {
        let name = try db.first("SELECT name FROM person WHERE id = ?") {
            $0.add(row)
        } read: { columns in
            PersonID(try columns.bytes32(0))
        }
        guard let name else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a record without its author")
        }
        return name
    }

    /// The row of the delta that a reference means, if it is held: of several that fit, the lowest hash.
    func row(of reference: Reference) throws -> Int64? {
        try db.first(
            """
            SELECT journal.id FROM device JOIN branch ON branch.device = device.id
            JOIN journal ON journal.branch = branch.id
            WHERE device.name BETWEEN ?1 AND ?2 AND branch.journal = ?3 AND sequence = ?4
                AND substr(hash, 1, 8) = ?5
            ORDER BY hash LIMIT 1
            """
        ) {
            $0.add(reference)
        } read: {
            $0.integer(0)
        }
    }
}

extension Binder {
    /// Binds the lowest and the highest name that a reference's device may have, then journal, sequence and short hash.
    mutating func add(_ reference: Reference) {
        let prefix = reference.device.bigEndianBytes
        add(prefix + [UInt8](repeating: 0, count: 24))
        add(prefix + [UInt8](repeating: 0xff, count: 24))
        add(Int64(reference.journal.rawValue))
        add(Int64(reference.sequence))
        add(reference.hash.bigEndianBytes)
    }
}

extension Database {
    /// Whether there is no record of a kind: the statement that asks for the visible ones takes milliseconds to compile, as many views
    /// stand on one another.
    fileprivate func isEmpty(_ kind: Kind) throws -> Bool {
        try number("SELECT 1 FROM \(kind.name)") == nil
    }
}
