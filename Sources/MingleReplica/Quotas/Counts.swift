// SPDX-License-Identifier: Apache-2.0

import GRDB
import MingleModel
import MingleWire

/// All that is counted for quotas.
struct Counts: Equatable {
    /// Words that a device, or all of a person's devices together, date within one hour.
    struct Hour: Hashable, Comparable {
        /// Stands for all devices of a person.
        static let all: Int64 = 0

        let person: Int64
        let hour: Int64
        let device: Int64

        static func < (left: Hour, right: Hour) -> Bool {
            (left.person, left.hour, left.device) < (right.person, right.hour, right.device)
        }
    }

    /// What is held of each device.
    private(set) var usage: [Int64: Usage] = [:]
    private(set) var hours: [Hour: Int] = [:]

    /// Counts anew; it reads all journals.
    static func counted(_ db: Database) throws -> Counts {
        var counts = Counts()
        let sql = """
            SELECT device.id, device.person, epoch = 0, erased, journal.header FROM branch
                JOIN device ON device.id = branch.device JOIN journal ON journal.branch = branch.id
            WHERE branch.journal = \(Journal.content.rawValue) AND erased <> 1
            """
        // What nothing is made of takes no memory.
        _ = try db.all(sql) { _ in
        } read: { row in
            let (device, person) = (row.integer(0), row.integer(1))
            guard row.integer(3) == 0 else {
                counts.usage[device, default: Usage()].letGo += 1
                return
            }
            // A header that cannot be read is damage, which is found and said elsewhere.
            guard let weight = try? Weight(stored: row.bytes(4) ?? [], isKey: row.integer(2) != 0) else { return }
            counts.usage[device, default: Usage()].count(weight.length, isKey: weight.isKey)
            guard weight.isTimed else { return }
            for counted in [device, Hour.all] {
                counts.hours[Hour(person: person, hour: weight.hour, device: counted), default: 0] += 1
            }
        }
        counts.usage = counts.usage.filter { $0.value != Usage() }
        return counts
    }

    /// Reads what was counted.
    static func stored(_ db: Database) throws -> Counts {
        var counts = Counts()
        counts.usage = try Usage.stored(db)
        let hours = try db.all("SELECT person, hour, device, words FROM hourly") { _ in
        } read: {
            (Hour(person: $0.integer(0), hour: $0.integer(1), device: $0.integer(2)), Int($0.integer(3)))
        }
        counts.hours = Dictionary(hours) { first, _ in first }
        return counts
    }

    /// Keeps the words of each hour, of which none are kept yet.
    func storeHours(_ db: Database) throws {
        // In the table's order, so that each row goes behind the one before.
        for (hour, words) in hours.sorted(by: { $0.key < $1.key }) {
            try db.run("INSERT INTO hourly (person, hour, device, words) VALUES (?, ?, ?, ?)") { row in
                for value in [hour.person, hour.hour, hour.device, Int64(words)] { row.add(value) }
            }
        }
    }
}

extension Usage {
    /// Reads what was counted of each device.
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
