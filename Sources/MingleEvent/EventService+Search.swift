// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MingleAPI
import MingleModel
import MingleReplica

/// One search over everything that this person sees.
extension EventService {
    /// What a group of a search has where a request says nothing.
    package static let usualHits = 5

    /// The best of people, moments, places and photos by words.
    ///
    /// What this person does not see is left out before the best are taken, so nothing here, not even whether there is
    /// more, follows from it.
    package func search(_ words: String, limit: Int) throws -> API.Search {
        try Self.requireWords(words)
        let kinds = try [Kind.moment, .place, .photo].filter(isOn)
        let found = try replica.search(words, for: kinds, limit: limit + 1, hasMoments: isOn(.moment))
        let records = try found.records.mapValues { records in
            // What hangs on something of an area that is off is off, too.
            try records.filter { try $0.targetKind.map(isOn) ?? true }
        }
        return API.Search(
            people: group(found.people.map(hit), "people", words, limit),
            moments: group(try (records[Kind.moment.name] ?? []).compactMap(momentHit), "moments", words, limit),
            places: group((records[Kind.place.name] ?? []).compactMap(placeHit), "places", words, limit),
            photos: group(try (records[Kind.photo.name] ?? []).compactMap(photoHit), "photos", words, limit)
        )
    }

    /// People by words of their names, each with how many moments the two have in common.
    package func people(called words: String) throws -> API.Envelope.People {
        try Self.requireWords(words)
        let found = try replica.people(called: words, limit: RecordQuery.searchLimit, hasMoments: isOn(.moment))
        return API.Envelope.People(people: found.map(hit).compactMap(\.person), relays: [])
    }

    /// Refuses what nothing can be found by.
    private static func requireWords(_ text: String) throws {
        guard !SearchQuery(text).isEmpty else {
            throw API.Problem(
                .badRequest,
                "There is nothing to search for in `q`. Give a word of two letters at least, or an emoji."
            )
        }
    }

    /// What an address has as it is (RFC 3986, section 2.3).
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )

    private func group(_ hits: [API.Hit], _ list: String, _ words: String, _ limit: Int) -> API.Found {
        let query = words.addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? ""
        return API.Found(items: Array(hits.prefix(limit)), more: hits.count > limit ? "\(list)?q=\(query)" : nil)
    }

    private func hit(_ found: FoundPerson) -> API.Hit {
        var person = person(found.person)
        if !found.person.me { person.commonMoments = found.commonMoments }
        return API.Hit(id: person.id, title: person.name, link: "/people/\(person.id)", person: person)
    }

    private func momentHit(_ record: ShownRecord) throws -> API.Hit? {
        guard let id = record.id else { return nil }
        let moment = try moment(id)
        return API.Hit(id: moment.id, title: moment.title, link: "/moments/\(moment.id)", moment: moment)
    }

    private func placeHit(_ record: ShownRecord) -> API.Hit? {
        guard let id = record.id, case .text(let name)? = record.values["name"] else { return nil }
        let address: String? = if case .text(let text)? = record.values["address"] { text } else { nil }
        return API.Hit(id: id.description, title: name, link: nil, detail: address)
    }

    private func photoHit(_ record: ShownRecord) throws -> API.Hit? {
        guard let id = record.id else { return nil }
        let photo = try photo(id)
        return API.Hit(id: photo.id, title: photo.title, link: "/photos/\(photo.id)", photo: photo)
    }
}
