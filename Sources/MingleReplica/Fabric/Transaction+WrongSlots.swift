// SPDX-License-Identifier: Apache-2.0

import GRDB
import MingleModel
import MingleWire

/// Whom keys are sealed to, and slots that do not open: whoever seals a wrong key to somebody would otherwise keep all others from
/// handing that one on.
extension Transaction {
    /// Of so many devices one says at the most that their slots do not open: each time others write slots anew.
    static let wrongSlotsSaid = 16

    /// Notes that a device wrote a slot of an epoch.
    func noteSlot(of epoch: Int64, for label: UInt64, by author: DeviceRow) throws {
        try run(
            "INSERT OR IGNORE INTO slot (epoch, label, author) VALUES (?, ?, ?)",
            [epoch, Int64(bitPattern: label), author.id]
        )
    }

    /// Notes that a device says that another one's slots for it do not open: these count as missing, of whichever of the event's epochs.
    func noteWrongSlots(by author: DeviceName, for device: DeviceRow) throws {
        let said: Int? = try row("SELECT count(*) AS count FROM wrong_slots WHERE device = ?", [device.id])?["count"]
        guard said ?? 0 < Self.wrongSlotsSaid else { return }
        try run("INSERT OR IGNORE INTO wrong_slots (device, author) VALUES (?, ?)", [device.id, author.column])
        memory.sealedKeys.note(device.person)
    }

    /// A device that wrote slots of the event's keys for this one that do not open, as nobody was told yet; nil if there is none.
    func authorOfWrongSlots() throws -> DeviceName? {
        let own = replica.own
        guard !own.isRelay, let device = memory.devices[own.name] else { return nil }
        // Where the key came another way, all is well.
        let found = try row(
            """
            SELECT device.name FROM slot JOIN epoch ON epoch.id = slot.epoch JOIN device ON device.id = slot.author
            WHERE label IN (?1, ?2) AND key IS NULL AND device.id <> ?3
                AND (SELECT count(*) FROM wrong_slots WHERE device = ?3) < \(Self.wrongSlotsSaid)
                AND NOT EXISTS (SELECT 1 FROM wrong_slots AS said WHERE said.device = ?3 AND said.author = device.name)
            ORDER BY device.name LIMIT 1
            """,
            [
                Int64(bitPattern: own.name.raw.prefix),
                Int64(bitPattern: (own.invitation?.id.raw ?? own.name.raw).prefix), device.id,
            ]
        )
        return try found.map { try DeviceName(column: $0["name"]) }
    }

    /// Of whom some devices say that their slots for them do not open, by those who say so.
    ///
    /// In private audiences it counts for nothing: slots are blind there, and who answers what is said of them would show who is in.
    func wrongSlots(of audience: Int64) throws -> [Int64: Set<Int64>] { audience == 0 ? try db.wrongSlots() : [:] }
}

extension Database {
    /// Of whom some devices say that their slots of the event's keys do not open, by those who say so.
    func wrongSlots() throws -> [Int64: Set<Int64>] {
        let sql = """
            SELECT wrong_slots.device, author.id AS author FROM wrong_slots JOIN device AS author ON author.name = wrong_slots.author
                JOIN device ON device.id = wrong_slots.device JOIN person ON person.id = device.person
            WHERE person.level IS NOT NULL
            """
        return try all(sql) { _ in
        } read: {
            (device: $0.integer(0), author: $0.integer(1))
        }
        .reduce(into: [:]) { wrong, said in wrong[said.device, default: []].insert(said.author) }
    }
}

/// For whom somebody wrote slots of an epoch, believing all of it but what devices say of slots for them.
struct Slots {
    /// The epoch's row.
    let epoch: Int64
    /// Whose slots do not count, by the device that says so.
    let wrong: [Int64: Set<Int64>]

    /// Whether a slot opens, as far as is known, to a device, or to whoever comes by an invitation.
    ///
    /// Each is looked for by itself: where keys are handed on, a few are asked about of whom something has changed, among as many as there
    /// are devices.
    func open(to labels: [UInt64], of device: Int64?, _ db: Database) throws -> Bool {
        try labels.contains { label in
            let authors = try db.all("SELECT author FROM slot WHERE epoch = ? AND label = ?") {
                $0.add(epoch)
                $0.add(Int64(bitPattern: label))
            } read: {
                $0.integer(0)
            }
            return authors.contains { mayWrite($0, for: device) }
        }
    }

    /// Whether what a device seals to another one counts.
    func mayWrite(_ author: Int64, for device: Int64?) -> Bool {
        device.flatMap { wrong[$0]?.contains(author) } != true
    }
}
