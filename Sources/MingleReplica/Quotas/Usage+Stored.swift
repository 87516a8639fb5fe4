// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleModel
import MingleWire

extension Usage {
    /// Counts anew what is held of each device; it reads all journals.
    static func counted(_ db: Database) throws -> [Int64: Usage] {
        let journals = """
            FROM journal CROSS JOIN branch ON branch.id = journal.branch WHERE branch.journal = \(Journal.content.rawValue)
            """
        var usage: [Int64: Usage] = [:]
        let held = try Row.fetchAll(
            db,
            sql: """
                SELECT device, epoch = 0 AS isKey, ifnull(sum(length(payload)), 0) AS bytes, sum(erased = 2) AS letGo \(journals)
                GROUP BY device, isKey
                """
        )
        for row in held {
            usage[row["device"], default: Usage()].count(row["bytes"], isKey: row["isKey"])
            usage[row["device"], default: Usage()].letGo += row["letGo"]
        }
        let missing = try Row.fetchCursor(
            db,
            sql: "SELECT device, epoch = 0 AS isKey, header \(journals) AND payload IS NULL AND erased = 0"
        )
        while let row = try missing.next() {
            // A header that cannot be read is damage, which is found and said elsewhere.
            let length = (try? Header.storedPayloadLength([UInt8](row["header"] as Data))) ?? 0
            usage[row["device"], default: Usage()].count(length, isKey: row["isKey"])
        }
        return usage.filter { $0.value != Usage() }
    }

    /// Reads what was counted.
    static func stored(_ db: Database) throws -> [Int64: Usage] {
        let rows = try db.all("SELECT device, words, keys, let_go FROM usage") { _ in
        } read: {
            ($0.integer(0), Usage(words: Int($0.integer(1)), keys: Int($0.integer(2)), letGo: Int($0.integer(3))))
        }
        return Dictionary(rows) { first, _ in first }.filter { $0.value != Usage() }
    }

    /// Keeps the count of one device.
    func store(of device: Int64, _ db: Database) throws {
        try db.run("INSERT OR REPLACE INTO usage (device, words, keys, let_go) VALUES (?, ?, ?, ?)") {
            $0.add(device)
            $0.add(Int64(words))
            $0.add(Int64(keys))
            $0.add(Int64(letGo))
        }
    }
}
