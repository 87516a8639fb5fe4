// SPDX-License-Identifier: Apache-2.0

package import MingleModel

/// A person as others see them.
package struct ShownPerson: Hashable, Sendable {
    /// The person.
    package var id: PersonID
    /// The name of the profile; a stand-in where none has come.
    package var name: String
    /// Whether the person said that name.
    package var hasName: Bool
    /// Where the profile picture is served; nil without one.
    package var picture: String?
    /// Whether it is this node's person.
    package var me: Bool
    /// What the person may do; nil: not let in, or not any more.
    package var level: Level?
    /// What the person could do if nobody had said otherwise since.
    package var base: Level?
    /// Whether somebody took the person out of the event, or did not let the person in.
    package var isRemoved = false
    /// Whether the person waited to be let in, and was not.
    package var isDeclined = false
    /// Whether the person has left the event.
    package var hasLeft = false
    /// Whether it is a relay, or was one.
    package var isRelay = false
    /// Whether the viewer does not want to see what the person shares.
    package var isMuted = false
    /// Whether it is a door: a machine that lets phones take part.
    package var isDoor = false
    /// What the door is called by which the person takes part with a phone; nil for a person with a node.
    package var byDoor: String?
    /// What the person who waits, or was declined, is to become once let in; nil for all others, and where nobody knows.
    package var invitedTo: Level?
    /// Twelve characters that two people can compare.
    package var fingerprint: String
    /// When the person was admitted, in milliseconds since 1970.
    package var joined: Int64?
}

/// A photo with its counts, as the viewer sees it.
package struct ShownPhoto: Hashable, Sendable {
    /// The record.
    package var id: Reference
    /// The moment that it hangs on.
    package var moment: Reference?
    /// The place that it hangs on.
    package var place: Reference?
    /// Who shared it.
    package var author: ShownPerson
    /// What its author says of it.
    package var title: String
    /// The file's name at its author's.
    package var name: String
    /// When it was taken, in milliseconds since 1970.
    package var taken: Int64?
    /// When it was shared, in milliseconds since 1970.
    package var posted: Int64
    /// Pixels across, as it is looked at.
    package var width: Int64
    /// Pixels down, as it is looked at.
    package var height: Int64
    /// How many milliseconds a clip runs; nil for what stands still.
    package var duration: Int64?
    /// What a clip is about.
    package var theme: Reference?
    /// What that cost, in the smallest unit of the event's currency.
    package var price: Int64?
    /// Where it was taken, in 1e-7 degrees, if its author kept that.
    package var latitude: Int64?
    /// See ``latitude``.
    package var longitude: Int64?
    /// What the author shared.
    package var original: Media
    /// Large enough for a screen.
    package var preview: Media
    /// Small enough for a grid.
    package var thumbnail: Media
    /// How many people fave it.
    package var faves: Int64
    /// Whether the viewer does.
    package var faved: Bool
    /// Whether the viewer marked it to find it again.
    package var bookmarked: Bool
    /// How many comments it has.
    package var comments: Int64
    /// What people say for and against it.
    package var votes = ShownVotes()
    /// Whether only those can see it who were invited to its moment.
    package var isPrivate: Bool
    /// Whether a moderator has to look at it before others see it.
    package var isHeldBack = false
    /// How it stands outside of its moment.
    package var outside: [OutsideMoment] = []
    /// Why others do not see it; nil if they do.
    package var hiding: ShownHiding?
}

/// How many people are for something and against it.
package struct ShownVotes: Hashable, Sendable {
    /// How many are for it.
    package var up: Int64 = 0
    /// How many are against it.
    package var down: Int64 = 0
    /// Whether the viewer is for it; nil: the viewer has no vote.
    package var mine: Bool?
}

/// A moment with its counts, as the viewer sees it.
package struct ShownMoment: Hashable, Sendable {
    /// The record.
    package var id: Reference
    /// What it is called.
    package var title: String
    /// What it is about.
    package var description: String
    /// When it starts, in milliseconds since 1970.
    package var start: Int64
    /// When it ends, in milliseconds since 1970.
    package var end: Int64
    /// The place that was copied into it.
    package var place: ShownPlace
    /// Who made it.
    package var author: ShownPerson
    /// The photo that stands for it: the creator's choice, else its earliest.
    package var cover: Reference?
    /// The moment's own picture that stands for it, in place of a photo; the preview and what tells it from others.
    package var coverPicture: String?
    /// What kind of moment it is.
    package var categories: [Reference]
    /// When it was made, in milliseconds since 1970.
    package var created: Int64
    /// How many photos hang on it.
    package var photos: Int64
    /// How many people joined, those who checked in among them.
    package var joined: Int64
    /// How many people checked in.
    package var checkedIn: Int64
    /// How many comments it has.
    package var comments: Int64
    /// How many people fave it.
    package var faves: Int64
    /// Whether the viewer does.
    package var faved: Bool
    /// Whether the viewer marked it to find it again.
    package var bookmarked: Bool
    /// How far the viewer takes part.
    package var participation: ParticipationState?
    /// Why others do not see it; nil if they do.
    package var hiding: ShownHiding?
    /// Whether only those can see it whom its creator invited.
    package var isPrivate: Bool
    /// Whether the viewer is invited.
    package var isInvited: Bool
    /// When the viewer was invited, in milliseconds since 1970; nil: not at all.
    package var invited: Int64?
    /// The earlier moments that it continues, the latest first.
    package var continues: [Reference]
}

/// The people of a moment, each list in the order of time.
package struct ShownParticipants: Hashable, Sendable {
    /// Who joined, those who checked in among them.
    package var joined: [ShownPerson]
    /// Who checked in.
    package var checkedIn: [ShownPerson]
    /// Whom its creator invited, whether they joined or not.
    package var invited: [ShownPerson]
}

/// A place, in 1e-7 degrees and metres.
package struct ShownPlace: Hashable, Sendable {
    /// The place's record, where the moment was made from one.
    package var id: Reference?
    /// What it is called.
    package var name: String
    /// Degrees north, times 10 million; nil where a moment has no position.
    package var latitude: Int64?
    /// Degrees east, times 10 million.
    package var longitude: Int64?
    /// Metres around the position that belong to it; nil: check-ins are not held to it.
    package var radius: Int64?
}

/// A comment, as the viewer sees it.
package struct ShownComment: Hashable, Sendable {
    /// The record.
    package var id: Reference
    /// What it is about.
    package var target: Reference
    /// What that is.
    package var targetKind: Kind
    /// Who wrote it.
    package var author: ShownPerson
    /// What it says.
    package var text: String
    /// Whether it has a picture of its own.
    package var hasPicture: Bool
    /// When it was written, in milliseconds since 1970.
    package var posted: Int64
    /// Why others do not see it; nil if they do.
    package var hiding: ShownHiding?
}

/// One page of a list, with the cursor of the next.
package struct Page<Item: Sendable>: Sendable {
    /// The items.
    package var items: [Item]
    /// Where the list goes on; nil at its end.
    package var next: Cursor?

    /// A page of items.
    package init(items: [Item], next: Cursor? = nil) { (self.items, self.next) = (items, next) }
}

/// A place in a list: opaque to its user.
package struct Cursor: Hashable, Comparable, Sendable, LosslessStringConvertible {
    /// Behind everything.
    static let end = Cursor(at: .max, tie: .max)

    /// When a record is shown, or another value by which a list is ordered.
    let at: Int64
    /// See ``ShownAt/tie``.
    let tie: Int64

    init(at: Int64, tie: Int64) { (self.at, self.tie) = (at, tie) }

    package static func < (left: Cursor, right: Cursor) -> Bool { (left.at, left.tie) < (right.at, right.tie) }

    /// Reads what ``description`` wrote.
    package init?(_ description: String) {
        let parts = description.split(separator: ".")
        guard parts.count == 2, let at = Int64(parts[0], radix: 36), let tie = Int64(parts[1], radix: 36) else {
            return nil
        }
        self.init(at: at, tie: tie)
    }

    /// The cursor as a word.
    package var description: String { "\(String(at, radix: 36)).\(String(tie, radix: 36))" }
}
