// SPDX-License-Identifier: Apache-2.0

package import MingleModel

extension API {
    /// What a search for places found.
    package struct FoundPlaces: Encodable, Sendable {
        package var places: [Record]
        /// The category that was searched.
        package var category: Record?
        /// The place that the text names, around which was searched.
        package var around: NamedPosition?
        /// The order of the places: `fit`, `distance` or `rating`.
        package var order: String

        package init(places: [Record], category: Record?, around: NamedPosition?, order: PlaceOrder) {
            (self.places, self.category, self.around, self.order) = (places, category, around, order.rawValue)
        }
    }

    /// Where something is that has a name.
    package struct NamedPosition: Codable, Sendable {
        package var name: String
        package var latitude: Double
        package var longitude: Double

        package init(name: String, latitude: Double, longitude: Double) {
            (self.name, self.latitude, self.longitude) = (name, latitude, longitude)
        }
    }

    /// What a text may become that somebody types.
    package struct Suggestion: Codable, Sendable, WordedMembers {
        package static let words = ["kind": [Kind.category.name, Kind.place.name]]

        package var kind: String
        package var id: String
        /// What it is called.
        package var text: String
        /// What tells it apart: of a category the one above it, of a place its address.
        package var detail: String?

        package init(kind: String, id: String, text: String, detail: String?) {
            (self.kind, self.id, self.text, self.detail) = (kind, id, text, detail)
        }
    }
}

extension API.Envelope {
    package struct Suggestions: Codable, Sendable {
        package var suggestions: [API.Suggestion]

        package init(suggestions: [API.Suggestion]) { self.suggestions = suggestions }
    }
}

extension API.FoundPlaces {
    /// The most places of an answer.
    package static let limit = 40

    /// What it looks like.
    private static var schema: API.Schema {
        .named(
            "FoundPlaces",
            .object(
                [
                    "places": .list(Kind.place.recordSchema, limit: limit), "category": Kind.category.recordSchema,
                    "around": API.Schema(of: API.NamedPosition.self),
                    "order": .word(PlaceOrder.allCases.map(\.rawValue)),
                ],
                required: ["places", "order"]
            )
        )
    }

    /// The call that finds places.
    package static var call: API.Call {
        API.Call(
            "GET",
            "places/find",
            "Finds places; all parameters hold that are given.",
            details: "A `q` that is the name of a category, or another word for it, finds what is in it and below. "
                + "`coffee near Lyngby` finds coffee around the place of that name. Any other `q` finds by words.",
            parameters: parameters,
            answer: .json(schema)
        )
    }

    private static var parameters: [API.Parameter] {
        let near = "LATITUDE,LONGITUDE: from where distances count; it narrows nothing by itself."
        return [
            API.Parameter("q", .text(limit: 200), "What is looked for; without it anything."),
            API.Parameter("near", .text(limit: 60), near),
            API.Parameter("radius_m", .number(1...1_000_000), "Only those so near."),
            API.Parameter("wide", .flag, "Whether only those in the square of 5 by 5 km about `near`."),
            API.Parameter("within", .text(limit: 100), "SOUTH,WEST,NORTH,EAST: only those in the rectangle."),
            API.Parameter("category", .text(limit: 64), "Only those in the category of this id, or below it."),
            API.Parameter("price", .integer(1...4), "Only those of this price level at most; not those without one."),
            API.Parameter("rating", .number(1...5), "Only those whose mean of `overall` is this at least."),
            API.Parameter("open", .flag, "Whether only those that are open now."),
            API.Parameter("favourite", .flag, "Whether only this person's favourites."),
            API.Parameter("limit", .integer(1...Int64(limit)), "How many at most; without it \(limit)."),
        ]
    }
}
