// SPDX-License-Identifier: Apache-2.0

/// What somebody may do: a level, and what cuts leave of it.
package struct Standing: Hashable, Sendable {
    /// That a person has left, said by the person.
    package struct Leaving: Hashable, Sendable {
        /// The cut that says it.
        package let cut: Cut
        /// The person's level where that was said.
        ///
        /// Of what the person said from a higher one it takes nothing: others, who put the person lower, let that stand.
        package let level: Level

        fileprivate func takes(_ place: Place, at level: Level) -> Bool { level <= self.level && !cut.spares(place) }
    }

    /// Devices that a person may retire and go on.
    ///
    /// A thief could retire made-up ones without end, each of which takes a new key. Nobody can tell these from the stolen one, so
    /// beyond that no device of the person's gets a key any more.
    package static let retiredDevices = 16

    /// What cuts take of a level; of nearly everybody's nothing, which takes a word instead of three lists.
    private indirect enum Loss: Hashable, Sendable {
        case nothing
        case some(cuts: [Cut], retirements: [Cut], leavings: [Leaving])
    }

    /// The level, as if nobody had cut anything.
    package let base: Level
    private let loss: Loss

    /// Says what somebody may do.
    package init(base: Level, cuts: [Cut] = [], retirements: [Cut] = [], leavings: [Leaving] = []) {
        self.base = base
        let isWhole = cuts.isEmpty && retirements.isEmpty && leavings.isEmpty
        loss =
            isWhole
            ? .nothing
            : .some(
                cuts: cuts.sorted { $0.id < $1.id },
                retirements: retirements.sorted { $0.id < $1.id },
                leavings: leavings.sorted { $0.cut.id < $1.cut.id }
            )
    }

    /// The cuts by others that count and that no other replaces, in the order of their ids.
    package var cuts: [Cut] { if case .some(let cuts, _, _) = loss { cuts } else { [] } }

    /// The cuts of single devices by the person that stand where others let the person's words count, in the order of their ids.
    package var retirements: [Cut] { if case .some(_, let retirements, _) = loss { retirements } else { [] } }

    /// What the person said about leaving and nobody lifted, in the order of the cuts' ids.
    package var leavings: [Leaving] { if case .some(_, _, let leavings) = loss { leavings } else { [] } }

    /// Whether the person retired so many devices that none gets a key any more.
    package var hasLostTooMany: Bool {
        let retirements = retirements
        return retirements.count > Self.retiredDevices
            && Set(retirements.map(\.device)).count > Self.retiredDevices
    }

    /// The level of all that comes from now on; nil: out of the event.
    package var level: Level? {
        guard !hasLeft else { return nil }
        return cuts.reduce(base) { Self.lower($0, to: $1.level) }
    }

    /// Whether somebody took the person out of the event.
    package var isRemoved: Bool { cuts.contains { $0.level == nil } }

    /// Whether the person has left the event.
    package var hasLeft: Bool { !leavings.isEmpty }

    /// Whether some of what the person said may count for less than the rest.
    package var isCut: Bool { loss != .nothing }

    /// All cuts that count, whoever made them.
    package var countingCuts: [Cut] { cuts + ownCuts }

    /// The cuts that the person made: who has left, and which devices are retired.
    package var ownCuts: [Cut] { retirements + leavings.map(\.cut) }

    /// Whether the person said that a device is not to be used any more.
    package func isRetired(_ device: DeviceName) -> Bool { retirements.contains { $0.device == device } }

    /// The level at which a delta was written; nil: it counts for nothing.
    package func level(at place: Place) -> Level? {
        levelBeforeLeaving(at: place).flatMap { level in
            leavings.contains { $0.takes(place, at: level) } ? nil : level
        }
    }

    /// The same, whatever the person said about leaving.
    func levelBeforeLeaving(at place: Place) -> Level? {
        let ofDevice = retirements.filter { $0.device == place.journal.device }
        guard ofDevice.allSatisfy({ $0.spares(place) }) else { return nil }
        return cuts.reduce(base) { $1.spares(place) ? $0 : Self.lower($0, to: $1.level) }
    }

    private static func lower(_ level: Level?, to other: Level?) -> Level? {
        guard let level, let other else { return nil }
        return min(level, other)
    }
}
