// SPDX-License-Identifier: Apache-2.0

package import MingleAPI
import MingleModel
import MingleReplica

/// Finding places.
extension EventService {
    /// Categories among suggestions, if there are places enough.
    private static let usualCategories = 4

    /// The best places for what a request says; none where places are off.
    package func findPlaces(_ parameters: [String: String]) throws -> API.FoundPlaces {
        var query = try PlaceRequest(parameters).query(at: now, in: zone())
        query.hasRatings = try isOn(.rating)
        let found = try isOn(.place) ? replica.findPlaces(query) : FoundPlaces()
        return API.FoundPlaces(
            places: try shown(found.places),
            category: try found.category.map(shown),
            around: found.around.flatMap(API.NamedPosition.init),
            order: found.order
        )
    }

    /// What a text may become that somebody types: categories, then places.
    package func suggestPlaces(_ text: String, near: String?) throws -> API.Envelope.Suggestions {
        let origin = try near.map(ListQuery.position)
        guard try isOn(.place) else { return API.Envelope.Suggestions(suggestions: []) }
        let found = try replica.suggestPlaces(text, near: origin)
        let room = max(Self.usualCategories, PlaceQuery.suggestionLimit - found.places.count)
        let categories = found.categories.prefix(room).compactMap { category, parent in
            suggestion(category, detail: parent?.words(of: "name"))
        }
        let places = found.places.compactMap { suggestion($0, detail: $0.words(of: "address")) }
        let both = (categories + places).prefix(PlaceQuery.suggestionLimit)
        return API.Envelope.Suggestions(suggestions: Array(both))
    }

    private func suggestion(_ record: ShownRecord, detail: String?) -> API.Suggestion? {
        guard let id = record.id, let name = record.words(of: "name") else { return nil }
        return API.Suggestion(kind: record.kind.name, id: id.description, text: name, detail: detail)
    }
}

extension API.NamedPosition {
    /// Where a place is; nil for anything else.
    fileprivate init?(_ place: ShownRecord) {
        guard let name = place.words(of: "name"), let degrees = place.position?.degrees else { return nil }
        self.init(name: name, latitude: degrees.latitude, longitude: degrees.longitude)
    }
}
