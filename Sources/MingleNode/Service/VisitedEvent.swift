// SPDX-License-Identifier: Apache-2.0

package import MingleAPI
package import MingleEvent
package import MingleMedia
package import MingleModel
import MingleReplica

/// The event of a showcase, as its visitors see it: all that they can ask for, and no way to anything else of the node.
package struct VisitedEvent: Sendable {
    private let session: EventSession
    private let node: Node

    fileprivate init(_ session: EventSession, of node: Node) { (self.session, self.node) = (session, node) }

    private var id: String { session.event.description }
    private var service: EventService { session.service }

    /// What the event is called, and how much there is.
    package func about() throws -> API.Visit {
        let event = try node.show(session)
        // The showcase is somebody of the event, and nobody whom visitors would count.
        let people = max(0, event.people - 1)
        return API.Visit(title: event.title, people: people, photos: event.photos, moments: event.moments)
    }

    /// Photos, newest first.
    package func photos(_ query: ListQuery) throws -> API.Envelope.Photos {
        let page = try service.photos(query)
        return API.Envelope.Photos(photos: page.photos.filter(Self.isForVisitors).map(\.forVisitors), next: page.next)
    }

    /// One photo.
    package func photo(_ reference: Reference) throws -> API.Photo { try visible(reference).forVisitors }

    /// All moments.
    package func moments() throws -> API.Envelope.Moments {
        API.Envelope.Moments(
            moments: try service.moments().moments.filter(Self.isForVisitors).map(\.forVisitors)
        )
    }

    /// One moment.
    package func moment(_ reference: Reference) throws -> API.Moment {
        let moment = try service.moment(reference)
        guard Self.isForVisitors(moment) else { throw API.Problem.nothingForVisitors }
        return moment.forVisitors
    }

    /// Comments on a photo or moment, newest first.
    package func comments(_ query: ListQuery) throws -> API.RecordList {
        var page = try service.records(of: .comment, query)
        page.records = page.records.filter { $0.hidden == nil }.map { $0.forVisitors(members: ["text"]) }
        return page
    }

    /// What happened, newest first, but who was where.
    package func feed(before: String?) throws -> API.Envelope.Feed {
        let page = try service.feed(before: before, limit: 50)
        let items = page.items.filter { item in
            item.type != "check_in" && item.hidden == nil && item.moment.map(Self.isForVisitors) ?? true
        }
        return API.Envelope.Feed(items: items.map(\.forVisitors), next: page.next)
    }

    /// Who takes part, less the showcase itself.
    package func people() throws -> API.Envelope.People {
        let people = try service.people().people.filter { !$0.me && Level(word: $0.level)?.isPeople ?? false }
        return API.Envelope.People(people: people.map(\.forVisitors), relays: [])
    }

    /// Opens one form of a photo; of one that tells where it was taken not the original.
    package func openMedia(
        _ reference: Reference,
        _ rendition: Rendition
    ) throws -> (reader: BlobReader, type: String, name: String) {
        let photo = try visible(reference)
        guard rendition != .original || !photo.tellsPlace else {
            throw API.Problem(
                .notAllowed,
                "The original of this photo says where it was taken. Only participants can open it. Look at the preview."
            )
        }
        return try node.openMedia(reference, rendition, event: id)
    }

    /// Opens a person's profile picture.
    package func openProfilePicture(_ person: PersonID) throws -> (reader: BlobReader, type: String) {
        try node.openProfilePicture(person, event: id)
    }

    private func visible(_ reference: Reference) throws -> API.Photo {
        let photo = try service.photo(reference)
        guard Self.isForVisitors(photo) else { throw API.Problem.nothingForVisitors }
        return photo
    }

    /// A showcase is shown nothing that is hidden or private; visitors would not be either, if it were.
    private static func isForVisitors(_ photo: API.Photo) -> Bool { photo.hidden == nil }

    private static func isForVisitors(_ moment: API.Moment) -> Bool { moment.hidden == nil && !moment.private }
}

extension Node {
    /// The event that this showcase shows, while it shows it.
    ///
    /// - Throws: `API.Problem`, in words for visitors: why there is nothing to see.
    package func visitedEvent() throws -> VisitedEvent {
        switch try showcaseState() {
        case .open: break
        case .looking, .asking, .refused:
            throw API.Problem(
                .unavailable,
                "This page waits until somebody from the event is connected. Try again in a moment."
            )
        case .nameless, .raised:
            throw API.Problem(
                .unavailable,
                "This page shows nothing at the moment. The person who set it up finds out why with: mingle status."
            )
        case .out: throw API.Problem(.notAllowed, "A host of the event has closed this page.")
        }
        guard let session = showcaseSession else { throw API.Problem.nothingForVisitors }
        return VisitedEvent(session, of: self)
    }
}

extension API.Problem {
    /// Visitors asked for what is not there, or not for them.
    fileprivate static let nothingForVisitors = API.Problem(.notFound, "There is nothing to see at this address.")
}
