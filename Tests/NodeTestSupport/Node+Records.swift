// SPDX-License-Identifier: Apache-2.0

package import MingleAPI
package import MingleEvent
package import MingleModel
package import MingleNode
import MingleReplica

/// What tests do on nodes, by ids as the API has them.
extension Node {
    /// Photos, newest first.
    package func photos(of moment: String?, before: String?, limit: Int, event: String?) throws -> API.Envelope.Photos {
        let parameters = ["target": moment, "before": before, "limit": "\(limit)"].compactMapValues(\.self)
        return try service(event).photos(ListQuery(.photo, parameters))
    }

    /// One photo.
    package func photo(_ id: String, event: String?) throws -> API.Photo {
        try service(event).photo(RequestValidation.reference(id))
    }

    /// All moments.
    package func moments(event: String?) throws -> API.Envelope.Moments { try service(event).moments() }

    /// One moment.
    package func moment(_ id: String, event: String?) throws -> API.Moment {
        try service(event).moment(RequestValidation.reference(id))
    }

    /// Makes a moment.
    package func makeMoment(_ new: API.NewMoment, event: String?) throws -> API.Moment {
        try service(event).makeMoment(new)
    }

    /// Changes a moment.
    package func editMoment(_ id: String, _ change: API.NewMoment, event: String?) throws -> API.Moment {
        try service(event).edit(RequestValidation.reference(id), change)
    }

    /// Joins a moment.
    package func joinMoment(_ id: String, event: String?) throws -> API.Moment {
        try service(event).join(RequestValidation.reference(id))
    }

    /// Ignores the invitation to a moment.
    package func ignoreMoment(_ id: String, event: String?) throws -> API.Moment {
        try service(event).ignore(RequestValidation.reference(id))
    }

    /// Checks in at a moment.
    package func checkIn(_ id: String, at position: API.Envelope.Position, event: String?) throws -> API.Moment {
        try service(event).checkIn(RequestValidation.reference(id), at: position)
    }

    /// Who takes part in a moment.
    package func participants(of id: String, event: String?) throws -> API.Envelope.Participants {
        try service(event).participants(of: RequestValidation.reference(id))
    }

    /// Invites people to a moment of one's own.
    package func invite(_ people: [String], to id: String, event: String?) throws -> API.Envelope.Participants {
        try service(event).invite(people, to: RequestValidation.reference(id))
    }

    /// Takes an invitation to a moment of one's own back.
    package func uninvite(_ person: String, from id: String, event: String?) throws -> API.Envelope.Participants {
        try service(event).uninvite(person, from: RequestValidation.reference(id))
    }

    /// Makes a moment of one's own private or public, which gives it another id.
    package func setVisibility(of id: String, _ change: API.Envelope.Visibility, event: String?) throws -> API.Moment {
        try service(event).setVisibility(of: RequestValidation.reference(id), change)
    }

    /// Comments on a photo or moment, the latest first.
    package func comments(on id: String, before: String?, event: String?) throws -> API.Envelope.Comments {
        let query = ListQuery(.comment, ["target": id, "before": before].compactMapValues(\.self))
        let list = try service(event).records(of: .comment, query)
        return try API.decode(API.Envelope.Comments.self, from: API.encode(list))
    }

    /// Comments on a photo or moment.
    package func comment(on id: String, text: String, event: String?) throws -> API.Comment {
        let made = try service(event).create(.comment, ["target": .text(id), "text": .text(text)])
        return try API.decode(API.Comment.self, from: API.encode(made))
    }

    /// Faves a photo or moment, or stops to.
    package func fave(_ id: String, _ on: Bool, event: String?) throws -> API.Faves {
        try service(event).fave(RequestValidation.reference(id), on)
    }

    /// Marks a photo or a moment to find it again, or takes the mark away.
    package func bookmark(_ id: String, _ on: Bool, event: String?) throws -> API.Envelope.Bookmarked {
        try service(event).bookmark(RequestValidation.reference(id), on)
    }

    /// What one marked, marked last first.
    package func bookmarks(before: String?, event: String?) throws -> API.Envelope.Bookmarks {
        try service(event).bookmarks(before: before, limit: 50)
    }

    /// Deletes a record of one's own, if it is of this kind.
    package func delete(_ kind: Kind, _ id: String, event: String?) throws {
        try service(event).delete(RequestValidation.reference(id), kind)
    }

    /// What happened, newest first.
    package func news(_ order: NewsOrder = .best, before: String? = nil, event: String?) throws -> API.Envelope.News {
        try service(event).news(order: order, before: before)
    }

    /// Every visible record, one on a line.
    package func dump(event: String?) throws -> [String] { try service(event).replica.dump() }

    /// Everybody in the event.
    package func people(event: String?) throws -> API.Envelope.People { try service(event).people() }

    /// Hides a record of anybody's.
    package func hide(_ id: String, because reason: String?, event: String?) throws {
        let reason = try RequestValidation.reason(reason ?? "")
        try service(event).hide(RequestValidation.reference(id), because: reason)
    }

    /// Shows a record again.
    package func unhide(_ id: String, event: String?) throws {
        try service(event).hide(RequestValidation.reference(id), because: nil)
    }

    /// What is hidden.
    package func hidden(event: String?) throws -> API.Envelope.HidingLog { try service(event).hidden() }

    /// Who hid and unhid what.
    package func hidingLog(event: String?) throws -> API.Envelope.HidingLog { try service(event).hidingLog() }

    /// Reports a record.
    @discardableResult
    package func report(_ id: String, because reason: String, text: String?, event: String?) throws -> API.ReportReaders
    {
        try service(event).report(
            RequestValidation.reference(id),
            RequestValidation.report(reason),
            RequestValidation.remark(text ?? "")
        )
    }

    /// What was reported.
    package func reported(event: String?) throws -> API.Envelope.Reported { try service(event).reported() }

    /// Connections and requests.
    package func connections(event: String?) throws -> API.Envelope.Connections { try service(event).connections() }

    /// Asks somebody to connect, or takes that back.
    package func connect(_ id: String, _ on: Bool, event: String?) throws -> API.Envelope.Connected {
        try service(event).connect(RequestValidation.person(id), on)
    }

    /// Starts an event.
    package func createEvent(title: String) async throws -> API.Event {
        try await createEvent(API.Envelope.NewEvent(title: title))
    }
}
