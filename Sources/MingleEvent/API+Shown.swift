// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MingleAPI
package import MingleModel
package import MingleReplica

extension API.Person {
    /// A person, who is here if a device of theirs is connected or it is this node's own.
    package init(_ person: ShownPerson, here: Set<PersonID>) {
        self.init(
            id: person.id.description,
            name: person.name,
            picture: person.picture,
            me: person.me,
            level: person.levelWord,
            invitedTo: person.invitedTo?.word,
            fingerprint: person.fingerprint,
            here: person.me || here.contains(person.id),
            joined: person.joined.map { Date(milliseconds: $0) },
            muted: person.isMuted,
            door: person.isDoor ? true : nil,
            byDoor: person.byDoor
        )
    }
}

extension ShownPerson {
    /// What the API says of the person's level.
    package var levelWord: String {
        if let level { return level.word }
        if isRemoved { return isDeclined ? API.Person.declined : API.Person.removed }
        return hasLeft ? API.Person.left : API.Person.waiting
    }
}

extension API.Comment {
    /// A comment.
    package init(_ comment: ShownComment, here: Set<PersonID>) {
        self.init(
            id: comment.id.description,
            target: comment.target.description,
            targetKind: comment.targetKind.name,
            author: API.Person(comment.author, here: here),
            text: comment.text,
            posted: Date(milliseconds: comment.posted),
            mine: comment.author.me,
            hidden: comment.hiding.map { API.Hidden($0, here: here) }
        )
        guard comment.hasPicture else { return }
        let path = "/api/v1/comments/\(comment.id)"
        (thumbnail, preview) = ("\(path)/thumbnail", "\(path)/preview")
    }
}

extension API.Photo {
    /// A photo, of which `held` is here.
    package init(_ photo: ShownPhoto, held: Held, here: Set<PersonID>) {
        self.init(
            id: photo.id.description,
            moment: photo.moment?.description,
            place: photo.place?.description,
            author: API.Person(photo.author, here: here),
            title: photo.title,
            name: photo.name,
            taken: photo.taken.map { Date(milliseconds: $0) },
            posted: Date(milliseconds: photo.posted),
            width: Int(photo.width),
            height: Int(photo.height),
            mime: photo.original.type,
            size: Int(photo.original.size),
            durationMs: photo.duration.map { Int($0) },
            latitude: photo.latitude.map { Double($0) / Position.partsPerDegree },
            longitude: photo.longitude.map { Double($0) / Position.partsPerDegree },
            held: held,
            faves: Int(photo.faves),
            faved: photo.faved,
            bookmarked: photo.bookmarked,
            comments: Int(photo.comments),
            private: photo.isPrivate,
            mine: photo.author.me,
            hidden: photo.hiding.map { API.Hidden($0, here: here) },
            heldBack: photo.isHeldBack ? true : nil,
            outside: photo.outside.isEmpty ? nil : photo.outside.map(\.rawValue)
        )
        (theme, price) = (photo.theme?.description, photo.price.map { Int($0) })
        // What others think sways nobody who has not voted.
        let given = photo.votes
        if given.mine != nil || photo.author.me && given.up + given.down > 0 {
            votes = API.Votes(up: Int(given.up), down: Int(given.down), mine: given.mine)
        }
    }
}

extension API.Moment {
    /// A moment as it stands at `now`.
    package init(_ moment: ShownMoment, now: Timestamp, here: Set<PersonID>) {
        let status = moment.status(at: now)
        self.init(
            id: moment.id.description,
            title: moment.title,
            description: moment.description,
            start: Date(milliseconds: moment.start),
            end: Date(milliseconds: moment.end),
            status: status.rawValue,
            place: API.Place(
                id: moment.place.id?.description,
                name: moment.place.name,
                latitude: moment.place.latitude.map { Double($0) / Position.partsPerDegree },
                longitude: moment.place.longitude.map { Double($0) / Position.partsPerDegree },
                radiusM: moment.place.radius.map { Int($0) }
            ),
            author: API.Person(moment.author, here: here),
            cover: moment.cover?.description,
            coverThumbnail: moment.coverPath("thumbnail"),
            coverPreview: moment.coverPath("preview"),
            categories: moment.categories.map(\.description),
            created: Date(milliseconds: moment.created),
            photos: Int(moment.photos),
            joined: Int(moment.joined),
            checkedIn: Int(moment.checkedIn),
            comments: Int(moment.comments),
            faves: Int(moment.faves),
            faved: moment.faved,
            bookmarked: moment.bookmarked,
            participation: moment.participation.map { Self.word($0) },
            button: MomentRules.button(moment.participation, status).rawValue,
            mayPost: MomentRules.mayPost(moment.participation, status),
            mayEdit: moment.author.me,
            hidden: moment.hiding.map { API.Hidden($0, here: here) },
            private: moment.isPrivate,
            invited: moment.isInvited,
            invitedAt: moment.invited.map { Date(milliseconds: $0) }
        )
    }

    private static func word(_ participation: ParticipationState) -> String {
        switch participation {
        case .ignored: "ignored"
        case .joined: "joined"
        case .checkedIn: "checked_in"
        }
    }
}

extension SeenMoment {
    /// Whether the moment is yet to come, going on or over.
    package func status(at now: Timestamp) -> MomentStatus {
        MomentStatus(start: Timestamp(milliseconds: start), end: Timestamp(milliseconds: end), now: now)
    }
}

extension ShownMoment {
    /// Where the cover's picture is served in one size; nil without a cover.
    fileprivate func coverPath(_ size: String) -> String? {
        if let coverPicture { return "/api/v1/moments/\(id)/\(size)?v=\(coverPicture)" }
        return cover.map { "/api/v1/media/\($0)/\(size)" }
    }

    /// Whether the moment is yet to come, going on or over.
    package func status(at now: Timestamp) -> MomentStatus {
        MomentStatus(start: Timestamp(milliseconds: start), end: Timestamp(milliseconds: end), now: now)
    }
}

extension API.Hidden {
    /// Why something is hidden.
    package init(_ hiding: ShownHiding, here: Set<PersonID>) {
        self.init(
            record: hiding.record.description,
            reason: hiding.words ?? "",
            reported: hiding.isByReports,
            by: API.Person(hiding.maker, here: here),
            at: Date(milliseconds: hiding.at)
        )
    }
}

extension ShownHiding {
    /// Why, for people: what nodes say by themselves speaks of several who reported it, and one may do.
    package var words: String? { isByReports ? "It was reported." : reason }
}
