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
    /// The one device of the person that it cuts; nil: all of them.
    package let device: DeviceName?
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
        device: DeviceName? = nil,
        level: Level?,
        ends: [Place.Journal: [End]],
        overwrites: Set<Reference>
    ) {
        (self.id, self.person, self.device, self.level) = (id, person, device, level)
        (self.ends, self.overwrites) = (ends, overwrites)
    }

    /// Whether it changes nothing about a delta.
    package func spares(_ place: Place) -> Bool {
        level == .founder || (ends[place.journal] ?? []).contains { $0.isAtOrBehind(place.position) }
    }
}
