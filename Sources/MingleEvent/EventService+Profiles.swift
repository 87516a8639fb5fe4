// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MingleAPI
package import MingleModel
import MingleReplica

/// What is told of one person.
extension EventService {
    /// A person's profile, as far as this person may see it.
    ///
    /// Somebody who was never let in is known to those alone who decide about that.
    package func profile(of id: PersonID) throws -> API.Profile {
        try requireKnown(id)
        let areas = try replica.settings().areas
        let shown = try replica.profile(
            of: id,
            hasMoments: areas.contains(.moments),
            hasPlaces: areas.contains(.venues)
        )
        let moments = shown.moments
        return API.Profile(
            person: person(shown.person),
            connection: shown.person.me ? nil : try replica.connection(with: id).rawValue,
            counts: API.Profile.Counts(
                photos: shown.photos,
                pictures: shown.pictures,
                made: moments[.made] ?? 0,
                joined: moments[.joined] ?? 0,
                checkedIn: moments[.checkedIn] ?? 0,
                commonMoments: moments[.common] ?? 0,
                crossedPaths: moments[.crossed] ?? 0,
                commonConnections: shown.commonConnections,
                visited: shown.visited,
                rated: areas.contains(.ratings) ? shown.rated : 0
            ),
            lastSeen: shown.lastSeen.map(lastSeen)
        )
    }

    /// Moments of a person by the person's part in them, those that start last first.
    package func moments(
        of id: PersonID,
        in part: MomentPart,
        before: String?,
        limit: Int
    ) throws -> API.Envelope.Moments {
        try requireKnown(id)
        let cursor = ListCursor("people/\(id)/moments?in=\(part.rawValue)")
        guard try isOn(.moment) else { return API.Envelope.Moments(moments: []) }
        let page = try replica.moments(of: id, part, before: cursor.cursor(before), limit: limit)
        let here = present
        return API.Envelope.Moments(
            moments: page.items.map { API.Moment($0, now: now, here: here) },
            next: cursor.text(page.next)
        )
    }

    /// Pictures that a person has had in the profile, the latest first.
    package func profilePictures(
        of id: PersonID,
        before: String?,
        limit: Int
    ) throws -> API.Envelope.ProfilePictures {
        try requireKnown(id)
        let cursor = ListCursor("people/\(id)/pictures")
        let page = try replica.profilePictures(of: id, before: cursor.cursor(before), limit: limit)
        return API.Envelope.ProfilePictures(
            pictures: page.items.map { picture in
                let path = "/api/v1/media/\(id)/picture?of=\(picture.id)"
                return API.ProfilePicture(
                    id: picture.id.description,
                    posted: Date(milliseconds: picture.posted),
                    current: picture.isCurrent,
                    thumbnail: path,
                    preview: "\(path)&large=true"
                )
            },
            next: cursor.text(page.next)
        )
    }

    /// People who are connected with a person and with this one, as all of them let everybody see.
    package func commonConnections(
        with id: PersonID,
        before: String?,
        limit: Int
    ) throws -> API.Envelope.SomePeople {
        try requireKnown(id)
        let cursor = ListCursor("people/\(id)/connections")
        let page = try replica.commonConnections(with: id, before: cursor.cursor(before), limit: limit)
        return API.Envelope.SomePeople(people: page.items.map(person), next: cursor.text(page.next))
    }

    private func lastSeen(_ checkIn: ShownLastSeen) -> API.Profile.LastSeen {
        API.Profile.LastSeen(
            at: Date(milliseconds: checkIn.at),
            moment: checkIn.moment?.description,
            title: checkIn.moment.flatMap { try? replica.seenMoment($0).title } ?? checkIn.placeName
        )
    }

    /// Refuses somebody of whom this person is not told.
    private func requireKnown(_ id: PersonID) throws {
        guard let person = try? replica.person(id), try isKnown(person) else {
            throw API.Problem(.notFound, "There is nobody with the id \(id) in the event.")
        }
    }

    private func isKnown(_ person: ShownPerson) throws -> Bool {
        let wasIn = person.level != nil || person.hasLeft || person.isRemoved && !person.isDeclined
        return try wasIn || person.me || ownLevel()?.governs(.guest) ?? false
    }
}
