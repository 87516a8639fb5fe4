// SPDX-License-Identifier: Apache-2.0

package import MingleModel
import MingleReplica

/// What the local API offers on records; each concerns the named event, or the current one.
extension Node {
    /// Photos, newest first.
    package func photos(of moment: String?, before: String?, limit: Int, event: String?) throws -> API.Envelope.Photos {
        let target = try moment.map { try Wording.reference($0) }
        return try session(event).photos(of: target, before: Self.cursor(before), limit: limit)
    }

    /// One photo.
    package func photo(_ id: String, event: String?) throws -> API.Photo {
        try session(event).photo(Wording.reference(id))
    }

    /// All moments.
    package func moments(event: String?) throws -> API.Envelope.Moments { try session(event).moments() }

    /// One moment.
    package func moment(_ id: String, event: String?) throws -> API.Moment {
        try session(event).moment(Wording.reference(id))
    }

    /// Makes a moment.
    package func makeMoment(_ new: API.NewMoment, event: String?) throws -> API.Moment {
        try session(event).makeMoment(new)
    }

    /// Changes a moment.
    package func editMoment(_ id: String, _ change: API.NewMoment, event: String?) throws -> API.Moment {
        try session(event).edit(Wording.reference(id), change)
    }

    /// Joins a moment.
    package func joinMoment(_ id: String, event: String?) throws -> API.Moment {
        try session(event).join(Wording.reference(id))
    }

    /// Ignores the invitation to a moment.
    package func ignoreMoment(_ id: String, event: String?) throws -> API.Moment {
        try session(event).ignore(Wording.reference(id))
    }

    /// Checks in at a moment.
    package func checkIn(_ id: String, at position: API.Envelope.Position, event: String?) throws -> API.Moment {
        try session(event).checkIn(Wording.reference(id), at: position)
    }

    /// Who takes part in a moment.
    package func participants(of id: String, event: String?) throws -> API.Envelope.Participants {
        try session(event).participants(of: Wording.reference(id))
    }

    /// Invites people to a moment of one's own.
    package func invite(_ people: [String], to id: String, event: String?) throws -> API.Envelope.Participants {
        try session(event).invite(people, to: Wording.reference(id))
    }

    /// Takes an invitation to a moment of one's own back.
    package func uninvite(_ person: String, from id: String, event: String?) throws -> API.Envelope.Participants {
        try session(event).uninvite(person, from: Wording.reference(id))
    }

    /// Makes a moment of one's own private or public, which gives it another id.
    package func setVisibility(of id: String, _ change: API.Envelope.Visibility, event: String?) throws -> API.Moment {
        try session(event).setVisibility(of: Wording.reference(id), change)
    }

    /// Comments on a photo or moment.
    package func comments(on id: String, before: String?, event: String?) throws -> API.Envelope.Comments {
        try session(event).comments(on: Wording.reference(id), before: Self.cursor(before), limit: 50)
    }

    /// Comments on a photo or moment.
    package func comment(on id: String, text: String, event: String?) throws -> API.Comment {
        try session(event).comment(on: Wording.reference(id), text: text)
    }

    /// Faves a photo or moment, or stops to.
    package func fave(_ id: String, _ on: Bool, event: String?) throws -> API.Faves {
        try session(event).fave(Wording.reference(id), on)
    }

    /// Marks a photo or a moment to find it again, or takes the mark away.
    package func bookmark(_ id: String, _ on: Bool, event: String?) throws -> API.Envelope.Bookmarked {
        try session(event).bookmark(Wording.reference(id), on)
    }

    /// What one marked, marked last first.
    package func bookmarks(before: String?, event: String?) throws -> API.Envelope.Bookmarks {
        try session(event).bookmarks(before: Self.cursor(before), limit: 50)
    }

    /// Deletes a record of one's own, if it is of this kind.
    package func delete(_ kind: Kind, _ id: String, event: String?) throws {
        try session(event).delete(Wording.reference(id), kind)
    }

    /// What happened, newest first.
    package func feed(before: String?, event: String?) throws -> API.Envelope.Feed {
        try session(event).feed(before: Self.cursor(before), limit: 50)
    }

    /// Every visible record, one on a line.
    package func dump(event: String?) throws -> [String] {
        let session = try session(event)
        return try session.shown { try session.replica.dump() }
    }

    private static func cursor(_ text: String?) throws -> Cursor? {
        guard let text else { return nil }
        guard let cursor = Cursor(text) else {
            throw API.Problem(
                .badRequest,
                "Not a cursor of this node: '\(text.prefix(40))'. Start again without a cursor."
            )
        }
        return cursor
    }
}
