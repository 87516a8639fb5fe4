// SPDX-License-Identifier: Apache-2.0

import MingleModel

// How many words each person dates within one hour: the table is the count, since who lies may name any number of hours.
extension Transaction {
    /// Counts words that a device dates within an hour, or less than none for such that went.
    func count(_ change: Int, in hour: Int64, of device: DeviceRow) throws {
        guard change != 0 else { return }
        for counted in [Counts.Hour.all, device.id] {
            try db.run(Self.counting) { row in
                for value in [device.person, hour, counted, Int64(change)] { row.add(value) }
            }
        }
        guard change < 0 else { return }
        try db.run(
            "DELETE FROM hourly WHERE person = ? AND hour = ? AND device IN (\(Counts.Hour.all), ?) AND words = 0"
        ) { row in
            for value in [device.person, hour, device.id] { row.add(value) }
        }
    }

    /// How many words of an hour count together with those of a device: see ``sharedUsage(of:)``.
    ///
    /// However many devices a person has, it looks at one row, and at one of each that counts by itself.
    func words(in hour: Int64, sharedBy device: DeviceRow) throws -> Int {
        let apart = memory.share(of: device.person).apart
        if apart.contains(device.id) { return try words(in: hour, of: device.id, by: device.person) }
        let all = try words(in: hour, of: Counts.Hour.all, by: device.person)
        return try apart.reduce(all) { try $0 - words(in: hour, of: $1, by: device.person) }
    }

    private func words(in hour: Int64, of device: Int64, by person: Int64) throws -> Int {
        let words = try db.number(Self.counted) { row in
            for value in [person, hour, device] { row.add(value) }
        }
        return Int(words ?? 0)
    }

    /// One row of the table.
    static let counted = "SELECT words FROM hourly WHERE person = ? AND hour = ? AND device = ?"

    private static let counting = """
        INSERT INTO hourly (person, hour, device, words) VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET words = words + excluded.words
        """
}
