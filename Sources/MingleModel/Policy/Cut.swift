// SPDX-License-Identifier: Apache-2.0

/// Where a delta stands: in which journal, and where among its branches.
package struct Place: Hashable, Sendable {
    /// One journal of one device.
    package struct Journal: Hashable, Sendable {
        /// The device.
        package let device: DeviceName
        /// Which of its two.
        package let journal: MingleModel.Journal

        /// Names a journal.
        package init(_ device: DeviceName, _ journal: MingleModel.Journal) {
            (self.device, self.journal) = (device, journal)
        }
    }

    /// The journal.
    package let journal: Journal
    /// The place in it.
    package let position: BranchPosition

    /// Names a place.
    package init(_ journal: Journal, _ position: BranchPosition) { (self.journal, self.position) = (journal, position) }
}

/// The end of what counts of one person, or of what counts above a level (design, "Who may do what").
///
/// What stands past its ends is void whenever it comes, as the ends name headers by their hashes, so nobody can write in
/// front of them any more.
package struct Cut: Hashable, Sendable {
    /// The last delta of one branch that counts in full.
    package struct End: Hashable, Sendable {
        /// Its sequence.
        package let sequence: UInt32
        /// Its place; nil while that header is not held, when its sequence alone says what comes before.
        package let position: BranchPosition?

        /// Names the last delta that counts.
        package init(sequence: UInt32, position: BranchPosition?) {
            (self.sequence, self.position) = (sequence, position)
        }

        fileprivate func isAtOrBehind(_ place: BranchPosition) -> Bool {
            guard let position else { return place.sequence <= sequence }
            return place == position || place.precedes(position)
        }
    }

    /// The delta that says it.
    package let id: Reference
    /// Whose deltas it cuts.
    package let person: PersonID
    /// What the person is past the ends; nil: out of the event, and the founder's level: all that everybody is.
    package let level: Level?
    /// The ends of each journal; of a journal without one nothing counts.
    package let ends: [Place.Journal: [End]]
    /// Earlier cuts that this one replaces, where its maker may.
    package let overwrites: Set<Reference>

    /// Says where what counts ends.
    package init(
        id: Reference,
        person: PersonID,
        level: Level?,
        ends: [Place.Journal: [End]],
        overwrites: Set<Reference>
    ) {
        (self.id, self.person, self.level) = (id, person, level)
        (self.ends, self.overwrites) = (ends, overwrites)
    }

    /// Whether it changes nothing about a delta.
    package func spares(_ place: Place) -> Bool {
        level == .founder || (ends[place.journal] ?? []).contains { $0.isAtOrBehind(place.position) }
    }
}

/// What somebody may do: a level, and what cuts leave of it.
package struct Standing: Hashable, Sendable {
    /// The level, as if nobody had cut anything.
    package let base: Level
    /// The cuts that count and that no other replaces, in the order of their ids.
    package let cuts: [Cut]

    /// Says what somebody may do.
    package init(base: Level, cuts: [Cut] = []) { (self.base, self.cuts) = (base, cuts.sorted { $0.id < $1.id }) }

    /// The level of all that comes from now on; nil: removed.
    package var level: Level? { cuts.reduce(base) { Self.lower($0, to: $1.level) } }

    /// Whether somebody took the person out of the event.
    package var isRemoved: Bool { cuts.contains { $0.level == nil } }

    /// The level at which a delta was written; nil: it counts for nothing.
    package func level(at place: Place) -> Level? {
        cuts.reduce(base) { $1.spares(place) ? $0 : Self.lower($0, to: $1.level) }
    }

    private static func lower(_ level: Level?, to other: Level?) -> Level? {
        guard let level, let other else { return nil }
        return min(level, other)
    }
}
