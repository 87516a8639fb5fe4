// SPDX-License-Identifier: Apache-2.0

package import MingleModel

/// One thing that happened, as far as it takes to gather and rank it.
///
/// Persons and records are rows of this replica, which mean nothing elsewhere.
package struct Happening: Hashable, Sendable {
    /// A photo, a comment, a moment, a check-in or a rating.
    package let kind: Kind
    /// The record.
    package let row: Int64
    /// Who made it.
    package let author: Int64
    /// What it hangs on, a moment that continues another in place of that one; 0 for nothing.
    package let target: Int64
    /// When it is shown, in milliseconds since 1970.
    package let at: Int64
    /// What decides between equal times.
    package let tie: Int64

    /// Describes a record of the news.
    package init(kind: Kind, row: Int64, author: Int64, target: Int64, at: Int64, tie: Int64) {
        (self.kind, self.row, self.author) = (kind, row, author)
        (self.target, self.at, self.tie) = (target, at, tie)
    }

    /// Its place in lists.
    package var place: Cursor { Cursor(at: at, tie: tie) }
}

/// What of a moment ranks what happens there.
package struct MomentStanding: Hashable, Sendable {
    /// When it starts, in milliseconds since 1970.
    package let start: Int64
    /// When it ends, in milliseconds since 1970.
    package let end: Int64
    /// Whether the viewer made it or takes part in it.
    package let isMine: Bool
}

/// That somebody was somewhere.
package struct ShownCheckIn: Hashable, Sendable {
    /// The name of the place, if it was at one; copied, so it outlives the place.
    package let placeName: String?
    /// Why others do not see it; nil if they do.
    package let hiding: ShownHiding?
}

/// What something is called that others are told of, and who made it.
package struct ShownThing: Hashable, Sendable {
    /// The record; nil where it is a person or the event.
    package let id: Reference?
    /// What kind of record it is.
    package let kind: Kind
    /// What people call it: a title, the name of a file or of a place, or the first words.
    package let title: String
    /// Who made it.
    package let author: ShownPerson
    /// What it hangs on, of a comment.
    package let target: Reference?
    /// The kind of that.
    package let targetKind: Kind?
}
