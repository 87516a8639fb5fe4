// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleWire

/// What an epoch's key has to obey, so that nobody has it who is out.
///
/// What others decided it obeys one by one. What people say of themselves they may say as often as they like, so it is enough
/// that a key obeys it once: else anybody could have keys made without end, or crowd out what others decided.
struct Concerns: Hashable, Sendable {
    /// Devices of one person for whose retiring keys are made anew: with the last of them the person has lost too many, so that a key
    /// that obeys as many is sealed to none.
    private static let retiredDevices = Standing.retiredDevices + 1

    /// Things of which so many have to be obeyed, each by any of the words that say it.
    private struct Owed: Hashable {
        let count: Int
        let things: [Set<UInt64>]
    }

    /// Removals, closed invitations and ends of guests' parts; of more than a key lists the lowest are meant.
    private let decided: Set<UInt64>
    /// Who left, and after that who retired devices, as far as a key has room.
    private let owed: [Owed]
    /// All of it that is known.
    let known: Set<UInt64>

    /// Collects what others decided, and the cuts by which people have left or retired devices.
    init(decided: some Sequence<UInt64>, said: [Cut]) {
        let all = Set(decided)
        self.decided =
            all.count > Limits.obeyedPerEpoch ? Set(all.sorted().prefix(Limits.obeyedPerEpoch)) : all
        known = all.union(said.map(\.id.hash))
        let persons = Dictionary(grouping: said, by: \.person).sorted { $0.key < $1.key }.map(\.value)
        let leavings = persons.map { cuts in Self.things(cuts.filter { $0.device == nil }) }
        let retirements = persons.map { cuts in Self.things(cuts.filter { $0.device != nil }) }
        var room = Limits.obeyedPerEpoch - self.decided.count
        owed = (leavings + retirements).filter { !$0.isEmpty }
            .map { things in
                let count = min(things.count, Self.retiredDevices, room)
                room -= count
                return Owed(count: count, things: things)
            }
    }

    /// One set for each device, or for all of them, of whatever says the same of it.
    private static func things(_ cuts: [Cut]) -> [Set<UInt64>] {
        Dictionary(grouping: cuts, by: \.device).values.map { Set($0.map(\.id.hash)) }
    }

    /// What a new key lists.
    var listed: Set<UInt64> {
        owed.reduce(into: decided) { listed, owed in
            listed.formUnion(owed.things.compactMap { $0.min() }.sorted().prefix(owed.count))
        }
    }

    /// Whether a key that lists this has been made by somebody who knew all of it.
    func areObeyed(by obeys: Set<UInt64>) -> Bool {
        decided.isSubset(of: obeys)
            && owed.allSatisfy { owed in owed.things.count { !$0.isDisjoint(with: obeys) } >= owed.count }
    }
}
