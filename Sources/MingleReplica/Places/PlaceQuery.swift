// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import MingleModel

/// Which places somebody looks for; all that is given holds.
package struct PlaceQuery: Sendable {
    /// Places that are found at most.
    package static let limit = 40
    /// Suggestions at most.
    package static let suggestionLimit = 8
    /// Metres around a place that a text names, where nothing says how far.
    package static let usualMetres = 5000.0
    /// Metres of a side of a wide area.
    package static let wideMetres = 5000.0

    /// What is looked for: a category, words, or one of these near something; empty: anything.
    package var text = ""
    /// A category in whose subtree places are; nil: any.
    package var category: Reference?
    /// From where distances count, unless the text names a place; nil: there are none.
    package var origin: GridPosition?
    /// How many metres around that places are; nil: any number.
    package var metres: Double?
    /// Whether they are in the wide area around that.
    package var isWide = false
    /// Where else they are; nil: anywhere.
    package var rectangle: GridRectangle?
    /// The least mean of ratings, in thousandths; nil: any, or none.
    package var leastRating: Int64?
    /// The highest price level; nil: any, or none.
    package var highestPrice: Int64?
    /// When they are open; nil: whenever.
    package var opening: Opening?
    /// Whether they are the viewer's favourites.
    package var isFavourite = false
    /// Whether ratings count.
    package var hasRatings = true
    /// How many at most, up to ``limit``.
    package var limit = Self.limit

    /// A time, and whose clocks show it.
    package struct Opening: Sendable {
        package let time: Timestamp
        package let zone: TimeZone

        package init(time: Timestamp, zone: TimeZone) { (self.time, self.zone) = (time, zone) }
    }

    /// Any place.
    package init() {}
}

/// What a search for places found.
package struct FoundPlaces: Sendable {
    /// The best of them.
    package var places: [ShownRecord] = []
    /// The category that was searched; nil: none.
    package var category: ShownRecord?
    /// The place that the text names, around which was searched; nil: none.
    package var around: ShownRecord?
    /// The order of the places.
    package var order = PlaceOrder.rating

    /// Nothing.
    package init() {}
}

/// What a beginning of a text may become.
package struct SuggestedPlaces: Sendable {
    /// Categories with their parents, the best first.
    package var categories: [(category: ShownRecord, parent: ShownRecord?)] = []
    /// Places, the best first.
    package var places: [ShownRecord] = []
}
