// SPDX-License-Identifier: Apache-2.0

extension API {
    /// A place of a file that a host imports.
    package struct ImportedPlace: Codable, Hashable, Sendable {
        package var name: String
        /// Degrees.
        package var latitude: Double
        package var longitude: Double
        /// Metres; of a new place 25 where nobody says.
        package var radiusM: Int?
        /// Names of up to three categories; those that the event lacks are made.
        package var categories: [String]?
        package var address: String?
        package var telephone: String?
        package var description: String?
        /// As a place has them: `{"monday": [["09:00", "17:00"]]}`.
        package var hours: JSON?
        /// What the place is where it comes from, such as `osm:node/123`: by this it is known again.
        package var source: String?

        package init(name: String, latitude: Double, longitude: Double) {
            (self.name, self.latitude, self.longitude) = (name, latitude, longitude)
        }
    }

    /// What a category is made of that an import names and the event lacks.
    package struct ImportedCategory: Codable, Hashable, Sendable {
        package var name: String
        /// The name of the category above it.
        package var parent: String?
        package var singular: String?
        package var short: String?
        /// Other words by which people look for it, with spaces between them.
        package var synonyms: String?

        package init(name: String) { self.name = name }
    }

    /// Places to import.
    package struct PlaceImport: Codable, Sendable {
        /// Places of one request.
        package static let limit = 500

        /// Up to ``limit`` places.
        package var places: [ImportedPlace]
        /// What is known of categories besides their names.
        package var categories: [ImportedCategory]?
        /// Whether only to say what would be done.
        package var dryRun: Bool?

        package init(places: [ImportedPlace], categories: [ImportedCategory]? = nil, dryRun: Bool? = nil) {
            (self.places, self.categories, self.dryRun) = (places, categories, dryRun)
        }
    }

    /// What came of an import, or would come of it.
    package struct PlaceImportOutcome: Codable, Sendable {
        /// New places.
        package var made = 0
        /// Places that were there and say something else now.
        package var changed = 0
        /// Places that were there and stay as they are.
        package var known = 0
        /// The names of new categories.
        package var categories: [String] = []
        /// Places that did not come in.
        package var leftOut: [LeftOutPlace] = []

        package init() {}
    }

    /// A place that did not come in.
    package struct LeftOutPlace: Codable, Sendable {
        /// Its position in the list of the request, from 0 on.
        package var index: Int
        /// Why.
        package var detail: String

        package init(index: Int, detail: String) { (self.index, self.detail) = (index, detail) }
    }
}
