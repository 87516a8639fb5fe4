// SPDX-License-Identifier: Apache-2.0

extension API {
    /// What visitors of a showcase are told of the event as a whole.
    package struct Visit: Codable, Sendable {
        package var title: String
        package var people: Int
        package var photos: Int
        package var moments: Int

        package init(title: String, people: Int, photos: Int, moments: Int) {
            (self.title, self.people, self.photos, self.moments) = (title, people, photos, moments)
        }
    }
}

/// What visitors get of the API's values: what it is about, and nothing of whose node it is, where people are, or by which
/// keys they are known.
///
/// A field that visitors shall see has to be named here, so that one that comes later is not shown by itself.
extension API.Person {
    package var forVisitors: Self {
        Self(id: id, name: name, picture: picture, me: false, level: level, fingerprint: "", here: false)
    }
}

extension API.Photo {
    /// Whether the original tells where it was taken, as its author wanted those to know who take part.
    package var tellsPlace: Bool { latitude != nil || longitude != nil }

    package var forVisitors: Self {
        var held = held
        if tellsPlace { held.original = false }
        return Self(
            id: id,
            moment: moment,
            place: place,
            author: author.forVisitors,
            title: title,
            name: name,
            taken: taken,
            posted: posted,
            width: width,
            height: height,
            mime: mime,
            size: size,
            held: held,
            faves: faves,
            faved: false,
            bookmarked: false,
            comments: comments,
            private: self.private,
            mine: false
        )
    }
}

extension API.Record {
    /// - Parameter members: Those of its own members that visitors are to see.
    package func forVisitors(members names: Set<String>) -> Self {
        var record = self
        (record.author, record.subject) = (author.forVisitors, nil)
        (record.mine, record.hidden, record.distanceM) = (false, nil, nil)
        record.members = members.filter { names.contains($0.key) }
        return record
    }
}

extension API.Comment {
    package var forVisitors: Self {
        Self(
            id: id,
            target: target,
            targetKind: targetKind,
            author: author.forVisitors,
            text: text,
            posted: posted,
            mine: false
        )
    }
}

extension API.Moment {
    package var forVisitors: Self {
        Self(
            id: id,
            title: title,
            description: description,
            start: start,
            end: end,
            status: status,
            place: place,
            author: author.forVisitors,
            cover: cover,
            created: created,
            photos: photos,
            joined: joined,
            checkedIn: checkedIn,
            comments: comments,
            faves: faves,
            faved: false,
            bookmarked: false,
            participation: nil,
            button: button,
            mayPost: false,
            mayEdit: false,
            private: false,
            invited: false
        )
    }
}

extension API.FeedItem {
    package var forVisitors: Self {
        Self(
            type: type,
            at: at,
            author: author.forVisitors,
            photo: photo?.forVisitors,
            comment: comment?.forVisitors,
            moment: moment?.forVisitors,
            place: place
        )
    }
}
