// SPDX-License-Identifier: Apache-2.0

package import MingleModel

/// What a list of records of one kind is narrowed to, and in which order it stands.
package struct RecordQuery: Sendable {
    /// Records of a list that is in order of distance or fit: it has no further page.
    package static let closestLimit = 200
    /// Records of a search.
    package static let searchLimit = 40

    /// The order of a list.
    package enum Order: Hashable, Sendable {
        /// As this node shows them, the newest first.
        case newest
        /// From the highest value of a number field to the lowest; records without one are left out.
        case highest(String)
        /// From the lowest value of a number field to the highest.
        case lowest(String)
    }

    /// What they hang on, or what a moment that this is continues; nil: on whatever.
    package var target: Reference?
    /// Whose they are; nil: anybody's.
    package var author: PersonID?
    /// Whom they are about, of kinds that are about a person; nil: anybody.
    package var subject: PersonID?
    /// Words that they have; nil: any.
    ///
    /// Lists by words stand in the order of fit.
    package var words: String?
    /// Where they are; nil: anywhere.
    ///
    /// Lists within a circle stand in the order of distance.
    package var circle: GridCircle?
    /// Where they are; nil: anywhere.
    package var rectangle: GridRectangle?
    /// Whether the viewer faves them; false: whether or not.
    package var isFaved = false
    /// Whether only photos that move are of interest.
    package var isClip = false
    /// Whether claims are left out whose author owns the place.
    package var isOpenClaim = false
    /// Whether everybody sees them who can open them.
    ///
    /// Nothing of it is hidden or held back, also of one's own, or hangs on what a person shared whom the viewer muted.
    package var isShown = false
    /// Whether everybody in the event can open them.
    package var isPublic = false
    /// Values that fields have, by name; of a field with several references one of them.
    package var filters: [String: Value] = [:]
    /// The order of lists that have neither words nor a circle.
    package var order = Order.newest
    /// The cursor of the page before.
    package var before: Cursor?
    /// How many at most.
    package var limit = 50

    /// Everything, newest first.
    package init() {}
}

/// A record of any kind, as the viewer sees it.
package struct ShownRecord: Hashable, Sendable {
    /// The record; nil for keyed ones.
    package var id: Reference?
    /// Its kind.
    package var kind: Kind
    /// Who wrote it.
    package var author: PersonID
    /// What it hangs on.
    package var target: Target
    /// The kind of the record that it hangs on; nil where it hangs on none, or on one that has not come.
    package var targetKind: Kind?
    /// Whom it is about besides.
    package var subject: PersonID?
    /// When it was written, in milliseconds since 1970.
    package var made: Int64
    /// What its fields show, by name.
    package var values: [String: Value]
    /// Metres from the middle of the circle that was asked for.
    package var metres: Double?
    /// Whether not everybody in the event can open it.
    package var isPrivate: Bool
    /// Why others do not see it; nil if they do.
    package var hiding: ShownHiding?
}

/// What is told with a record of the records of one kind that hang on it.
package struct ShownAggregate: Hashable, Sendable {
    /// How many there are.
    package var count: Int64
    /// Means of fields, by name.
    package var means: [String: Double]
    /// What this person's own says; nil: there is none.
    package var mine: [String: Value]?
}

/// How many records of a list stand in one step of time.
package struct TimeCount: Hashable, Sendable {
    /// When the step begins, in milliseconds since 1970.
    package let start: Int64
    /// How many there are.
    package let count: Int64
    /// The cursor with which the list goes on at the first of them.
    package let before: Cursor

    /// The same by longer steps; each has the cursor of its first part in the list's order.
    ///
    /// - Parameter step: milliseconds.
    package static func gathered(_ counts: [TimeCount], by step: Int64) -> [TimeCount] {
        counts.reduce(into: []) { gathered, one in
            let start = one.start - (one.start % step + step) % step
            if let last = gathered.last, last.start == start {
                let count = last.count + one.count
                gathered[gathered.count - 1] = TimeCount(start: start, count: count, before: last.before)
            } else {
                gathered.append(TimeCount(start: start, count: one.count, before: one.before))
            }
        }
    }
}
