// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import MingleWire
import Synchronization

extension EventSession {
    /// Reads from the replica, and turns failures into problems.
    func shown<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw API.Problem(error)
        }
    }

    func photos(of moment: Reference?, before: Cursor?, limit: Int) throws -> API.Envelope.Photos {
        let page = try shown {
            try replica.photos(of: moment, before: before, limit: limit)
        }
        return API.Envelope.Photos(photos: page.items.map { photo($0) }, next: page.next?.description)
    }

    func photo(_ reference: Reference) throws -> API.Photo { photo(try shown { try replica.photo(reference) }) }

    func photo(_ photo: ShownPhoto) -> API.Photo {
        API.Photo(photo, held: held(photo), here: roster.present)
    }

    func moments() throws -> API.Envelope.Moments {
        let moments = try shown { try replica.moments() }
        return API.Envelope.Moments(
            moments: moments.map { API.Moment($0, now: clock.now(), here: roster.present) }
        )
    }

    func moment(_ reference: Reference) throws -> API.Moment {
        API.Moment(try shown { try replica.moment(reference) }, now: clock.now(), here: roster.present)
    }

    func participants(of reference: Reference) throws -> API.Envelope.Participants {
        try requireShown(reference)
        let participants = try shown { try replica.participants(of: reference) }
        return API.Envelope.Participants(
            joined: participants.joined.map { API.Person($0, here: roster.present) },
            checkedIn: participants.checkedIn.map { API.Person($0, here: roster.present) },
            invited: participants.invited.map { API.Person($0, here: roster.present) }
        )
    }

    func comments(on target: Reference, before: Cursor?, limit: Int) throws -> API.Envelope.Comments {
        try requireShown(target)
        let page = try shown {
            try replica.comments(on: target, before: before, limit: limit)
        }
        return API.Envelope.Comments(
            comments: page.items.map { API.Comment($0, here: roster.present) },
            previous: page.next?.description
        )
    }

    func faves(of target: Reference) throws -> API.Faves {
        let faves = try shown { try replica.faves(of: target) }
        return API.Faves(faves: Int(faves.count), faved: faves.mine)
    }

    /// Everybody who takes part and who has left, and for those who decide about it who waits to be let in, and who was removed;
    /// whoever is muted is listed in any case, to be shown again.
    func people() throws -> API.Envelope.People {
        let removals = try shown { try ownLevel()?.governs(.guest) ?? false ? replica.removals() : [] }
        let listed = try shown {
            let known = try replica.people() + replica.leftPeople()
            guard try ownLevel()?.governs(.guest) ?? false else { return known }
            return try known + replica.waitingPeople() + removals.map(\.person)
        }
        let times = Dictionary(removals.map { ($0.person.id, $0.at) }) { min($0, $1) }
        let here = roster.present
        let entry = { (person: ShownPerson) in
            var entry = API.Person(person, here: here)
            entry.removed = times[person.id].map { Date(milliseconds: $0) }
            return entry
        }
        let ids = Set(listed.map(\.id))
        let people = listed + (try shown { try replica.mutedOutsiders() }).filter { !ids.contains($0.id) }
        // Of those who wait, have left or were removed some may be relays.
        let relays = try shown { try replica.relays() } + people.filter(\.isRelay)
        return API.Envelope.People(
            people: people.filter { !$0.isRelay }.map(entry),
            relays: relays.map(entry)
        )
    }

    /// What this node's person may do; nil: not let in.
    func ownLevel() throws -> Level? { try shown { try replica.level(of: replica.own.person) } }

    /// Whether the event can be read, and a member who is here knows no more of what it is called: its founder has begun anew, and not
    /// named it since.
    func isNameless() throws -> Bool {
        try roster.hasInSyncReader && replica.hasKey() && replica.title() == nil
    }

    /// Whether this person founded the event and has to name it again, as it began anew.
    func waitsForName() throws -> Bool {
        guard try replica.title() == nil, try replica.hasKey(), try ownLevel() == .founder else { return false }
        return try !roster.hasReader || isNameless()
    }

    /// Why the last peer that refused this node did so; nil once another person's node has let this node in.
    var refusalReason: String? { refusal.withLock { $0?.reason } }

    /// Why peers refuse this node; nil while it is connected to another member that lets it in.
    var shutOut: String? { refusalNow?.reason }

    /// What a peer says of a host's decision to decline this person, without a proof; nil while no peer says so.
    var declination: String? { refusalNow.flatMap { $0.cause == .declined ? $0.reason : nil } }

    /// Whether another member that is linked has let this node in.
    var isLetIn: Bool { roster.isLetIn(byOthersThan: replica.own.person) }

    private var refusalNow: Goodbye? {
        isLetIn ? nil : refusal.withLock { $0 }
    }

    /// The same, also where this device knows by itself that its person retired it.
    var reasonToStayOut: String? { shutOut ?? (isKnownToBeRetired ? Goodbye.retirement : nil) }

    private var isKnownToBeRetired: Bool { (try? replica.isRetired(replica.own.name)) == true }

    /// What to do about that.
    var wayBackIn: String {
        if isRelay {
            return
                "Ask a host for a relay's link (mingle invite --level relay), and restart the relay with it. If a host let the "
                + "relay in before, leave the event first: mingle event leave \(event) --now"
        }
        if refusalNow?.cause == .retired || isKnownToBeRetired {
            return
                "No host can change that. To take part on this device again, leave the event here (mingle event leave \(event) "
                + "--now), and join by a link from another device of yours: mingle devices link"
        }
        return
            "Ask a host to let you in again. If no host does, leave the event (mingle event leave \(event) --now), and join by "
            + "a link as a new person."
    }

    func ownPerson() throws -> API.Person {
        API.Person(try shown { try replica.person(replica.own.person) }, here: roster.present)
    }

    func feed(before: Cursor?, limit: Int) throws -> API.Envelope.Feed {
        let page = try shown { try replica.activity(before: before, limit: limit) }
        return API.Envelope.Feed(
            items: page.items.compactMap { feedItem($0) },
            next: page.next?.description,
            locked: before == nil ? try locked() : nil
        )
    }

    func bookmarks(before: Cursor?, limit: Int) throws -> API.Envelope.Bookmarks {
        let page = try shown { try replica.bookmarks(before: before, limit: limit) }
        let items = page.items.compactMap { bookmark in
            feedItem(bookmark.record).map { item in
                var item = item
                item.at = Date(milliseconds: bookmark.at)
                return item
            }
        }
        return API.Envelope.Bookmarks(items: items, next: page.next?.description)
    }

    /// What others said under keys that have not come; nil where all can be read.
    func locked() throws -> [API.Locked]? {
        let here = roster.present
        let locked = try shown { try replica.locked() }.filter { !$0.author.isMuted }
            .map { locked in
                API.Locked(
                    author: API.Person(locked.author, here: here),
                    count: Int(locked.count),
                    latest: Date(milliseconds: locked.latest),
                    unlockers: locked.unlockers.map { API.Person($0, here: here) }
                )
            }
        return locked.isEmpty ? nil : locked
    }

    private func feedItem(_ activity: ShownActivity) -> API.FeedItem? {
        let here = roster.present
        switch activity {
        case .photo(let photo):
            let shown = self.photo(photo)
            return API.FeedItem(
                type: "photo",
                at: shown.posted,
                author: shown.author,
                photo: shown,
                hidden: shown.hidden
            )
        case .comment(let comment):
            let shown = API.Comment(comment, here: here)
            return API.FeedItem(
                type: "comment",
                at: shown.posted,
                author: shown.author,
                comment: shown,
                hidden: shown.hidden
            )
        case .moment(let moment):
            let shown = API.Moment(moment, now: clock.now(), here: here)
            return API.FeedItem(
                type: "moment",
                at: shown.created,
                author: shown.author,
                moment: shown,
                hidden: shown.hidden
            )
        case .checkIn(let checkIn):
            return API.FeedItem(
                type: "check_in",
                at: Date(milliseconds: checkIn.at),
                author: API.Person(checkIn.author, here: here),
                moment: checkIn.moment.flatMap { try? self.moment($0) },
                place: checkIn.placeName,
                hidden: checkIn.hiding.map { API.Hidden($0, here: here) }
            )
        }
    }

    /// What of a photo's media is here.
    private func held(_ photo: ShownPhoto) -> API.Photo.Held {
        guard let owner = PersonID(text: photo.author.id) else {
            return API.Photo.Held(thumbnail: false, preview: false, original: false, bytes: 0)
        }
        let original = photo.original.name(owner: owner)
        let isComplete = blobs.isComplete(original)
        return API.Photo.Held(
            thumbnail: blobs.isComplete(photo.thumbnail.name(owner: owner)),
            preview: blobs.isComplete(photo.preview.name(owner: owner)),
            original: isComplete,
            bytes: isComplete ? Int(photo.original.size) : partialBytes(of: original, size: photo.original.size)
        )
    }

    private func partialBytes(of name: BlobName, size: UInt64) -> Int {
        guard let held = try? blobs.heldChunks(name), let geometry = ChunkGeometry(size: Int64(size)) else { return 0 }
        return min(held.count * geometry.chunkSize, Int(size))
    }
}
