// SPDX-License-Identifier: Apache-2.0

import MingleModel

// How many words each person dates within one hour: the table is the count, since who lies may name any number of hours.
extension Transaction {
    /// Counts words that a device dates within an hour, or less than none for such that went.
    func count(_ change: Int, in hour: Int64, of device: DeviceRow) throws {
        guard change != 0 else { return }
        try db.run(Self.counting) { row in
            for value in [device.person, hour, device.id, Int64(change)] { row.add(value) }
        }
        guard change < 0 else { return }
        try db.run("DELETE FROM hourly WHERE person = ? AND hour = ? AND device = ? AND words = 0") { row in
            for value in [device.person, hour, device.id] { row.add(value) }
        }
    }

    /// How many words of an hour count together with those of a device: see ``sharedUsage(of:)``.
    func words(in hour: Int64, sharedBy device: DeviceRow) throws -> Int {
        let apart = memory.share(of: device.person).apart
        let isApart = apart.contains(device.id)
        let counts = try db.all("SELECT device, words FROM hourly WHERE person = ? AND hour = ?") { row in
            row.add(device.person)
            row.add(hour)
        } read: { columns in
            let other = columns.integer(0)
            return (isApart ? other == device.id : !apart.contains(other)) ? Int(columns.integer(1)) : 0
        }
        return counts.reduce(0, +)
    }

    private static let counting = """
        INSERT INTO hourly (person, hour, device, words) VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET words = words + excluded.words
        """
}
