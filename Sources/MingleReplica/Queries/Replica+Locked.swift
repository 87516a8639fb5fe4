// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
package import MingleModel

/// What somebody said to everybody under a key that has not come to this device.
package struct ShownLocked: Hashable, Sendable {
    /// Who said it.
    package var author: ShownPerson
    /// How many deltas are locked.
    package var count: Int64
    /// When the last was written, in milliseconds since 1970.
    package var latest: Int64
    /// Whose devices can hand the key on, the author among them.
    package var unlockers: [ShownPerson]
}

extension Replica {
    /// Authors of which something is locked, that are told of at a time.
    package static let lockedLimit = 50

    /// Branches of journals that are looked at for that.
    fileprivate static let lockedBranches = 1000

    /// What is locked for this device, by author and key.
    ///
    /// What is for others is not in it: nobody can tell which of the keys of private audiences are for this device.
    package func locked() throws -> [ShownLocked] {
        let words = try view { viewer in
            // Who takes no part any more gets no further key, and a relay none at all.
            guard let me = try viewer.rows("SELECT level FROM person WHERE id = ?", [viewer.me]).first,
                let level = (me["level"] as Int64?).flatMap(Level.init(column:)), level.isPeople
            else { return [LockedWords]() }
            return try viewer.lockedWords()
        }
        guard !words.isEmpty else { return [] }
        // Nobody hands on a key for what stands behind a cut.
        let counting = try write(isDurable: false) { transaction in
            try transaction.settleLevels()
            return try words.compactMap { try transaction.counting($0) }
        }
        return try view { try $0.locked(counting) }
    }

    /// Of some deltas those whose words are here, with the key to them, and that no cut takes away: what this person knows.
    package func readable(_ references: some Collection<Reference>) throws -> Set<Reference> {
        guard !references.isEmpty else { return [] }
        return try write(isDurable: false) { transaction in
            try transaction.settleLevels()
            return Set(try references.filter(transaction.isReadable))
        }
    }
}

extension Transaction {
    fileprivate func isReadable(_ reference: Reference) throws -> Bool {
        guard let row = try resolve(reference) else { return false }
        let sql = """
            SELECT branch FROM journal JOIN epoch ON epoch.id = journal.epoch
            WHERE journal.id = ? AND payload IS NOT NULL AND key IS NOT NULL
            """
        guard let branch = try db.number(sql, binding: { $0.add(row) }), let device = memory.branches[branch]?.device,
            let author = memory.devices[device]?.person
        else { return false }
        return try memory.persons[author]?.isCut != true || level(of: row, by: author) != nil
    }
}

/// What stands on a branch under a key that is not held.
private struct LockedWords {
    let epoch: Int64
    let person: Int64
    let branch: Int64
    var count: Int64
    var latest: Int64

    /// Puts what a person said under the same key on another branch to it.
    func joined(with other: LockedWords) -> LockedWords {
        var words = self
        (words.count, words.latest) = (count + other.count, max(latest, other.latest))
        return words
    }
}

extension Transaction {
    /// Those of the words that count; nil if none does.
    fileprivate func counting(_ words: LockedWords) throws -> LockedWords? {
        guard let author = memory.persons[words.person], author.isCut else { return words }
        let sql = """
            SELECT sequence, substr(header, 2, 8) FROM journal WHERE epoch = ? AND branch = ? AND payload IS NOT NULL
            """
        let times = try db.all(sql) { row in
            for value in [words.epoch, words.branch] { row.add(value) }
        } read: { row in
            let place = memory.place(branch: words.branch, sequence: UInt32(truncatingIfNeeded: row.integer(0)))
            let counts = place.flatMap { author.standing?.level(at: $0) } != nil
            return counts ? row.bytes(1).flatMap(Timestamp.init(stored:))?.milliseconds ?? 0 : nil
        }
        .compactMap(\.self)
        guard let latest = times.max() else { return nil }
        var words = words
        (words.count, words.latest) = (Int64(times.count), latest)
        return words
    }
}

extension Viewer {
    fileprivate func lockedWords() throws -> [LockedWords] {
        let epochs = try lockedEpochs()
        guard !epochs.isEmpty else { return [] }
        // A stored header holds its time in the eight bytes behind the first.
        let sql = """
            SELECT epoch, device.person, branch.id, count(*), max(substr(header, 2, 8)) AS latest
            FROM journal JOIN branch ON branch.id = journal.branch JOIN device ON device.id = branch.device
            WHERE epoch IN (\(epochs.map(String.init).joined(separator: ", "))) AND payload IS NOT NULL
                AND branch.journal = \(Journal.content.rawValue)
            GROUP BY epoch, branch.id ORDER BY latest DESC LIMIT \(Replica.lockedBranches)
            """
        return try db.all(sql) { _ in
        } read: { row in
            LockedWords(
                epoch: row.integer(0),
                person: row.integer(1),
                branch: row.integer(2),
                count: row.integer(3),
                latest: row.bytes(4).flatMap(Timestamp.init(stored:))?.milliseconds ?? 0
            )
        }
    }

    /// Says of each author and key what is locked, the latest first.
    fileprivate func locked(_ words: [LockedWords]) throws -> [ShownLocked] {
        let shares = Dictionary(grouping: words) { [$0.epoch, $0.person] }.values
            .compactMap { share in share.dropFirst().reduce(share.first) { $0?.joined(with: $1) } }
            .sorted { ($0.latest, $0.epoch, $0.person) > ($1.latest, $1.epoch, $1.person) }
            .prefix(Replica.lockedLimit)
        // Under a key that is lost most people may have said something.
        let epochs = Set(shares.map(\.epoch))
        let known = try Dictionary(uniqueKeysWithValues: epochs.map { ($0, try holders(of: $0)) })
        return try shares.map { share in
            let unlockers = [share.person] + (known[share.epoch] ?? []).filter { $0 != share.person }
            return ShownLocked(
                author: try person(share.person),
                count: share.count,
                latest: share.latest,
                unlockers: try unlockers.map { try person($0) }
            )
        }
    }

    /// The event's epochs that are known and whose keys are not held.
    ///
    /// The ids of private ones stand in headers for anybody to speak of in the event's name, so whatever a content journal speaks
    /// of, too, is left out.
    private func lockedEpochs() throws -> [Int64] {
        try rows(
            """
            SELECT DISTINCT epoch.id FROM epoch JOIN epoch_mention ON epoch_mention.epoch = epoch.id
                JOIN journal ON journal.id = epoch_mention.delta JOIN branch ON branch.id = journal.branch
            WHERE key IS NULL AND branch.journal = \(Journal.fabric.rawValue) AND NOT EXISTS (
                SELECT 1 FROM epoch_mention AS other JOIN journal ON journal.id = other.delta
                    JOIN branch ON branch.id = journal.branch
                WHERE other.epoch = epoch.id AND branch.journal = \(Journal.content.rawValue)
            )
            ORDER BY epoch.id DESC LIMIT 16
            """,
            []
        )
        .map { $0["id"] }
    }

    /// Persons who take part and have a slot of an epoch that opens as far as they say, by a device or by the invitation that it came by.
    private func holders(of epoch: Int64) throws -> [Int64] {
        let slots = Slots(epoch: epoch, wrong: try db.wrongSlots())
        let ways = try rows(
            """
            SELECT device.id, person, device.name, came_by FROM device JOIN person AS owner ON owner.id = device.person
            WHERE owner.level < \(Level.relay.rawValue) ORDER BY person
            """,
            []
        )
        var holders: [Int64] = []
        for way in ways where way["person"] != me && holders.last != way["person"] {
            let names: [Data?] = [way["name"], way["came_by"]]
            let labels = try names.compactMap { name in try name.map { try Bytes32(column: $0).prefix } }
            if try slots.open(to: labels, of: way["id"], db) { holders.append(way["person"]) }
        }
        return holders
    }
}
