// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleModel
import MingleReplica

/// What clips are about.
extension EventService {
    /// The fields of a clip that say what it is about and what that cost, as a change has them.
    ///
    /// Another theme takes the price away that was said before.
    ///
    /// - Throws: ``API/Problem`` named `badRequest` for what is no clip and for a price that the theme has not, and
    ///   `notFound` for a theme that there is not.
    func themeValues(of clip: Reference, _ change: API.Envelope.PhotoChange) throws -> [String: Value] {
        guard change.theme != nil || change.price != nil else { return [:] }
        let shown = try replica.photo(clip)
        guard shown.duration != nil else { throw API.Problem(.badRequest, "Only clips have a theme.") }
        var theme = shown.theme
        if let text = change.theme { theme = text.isEmpty ? nil : try RequestValidation.reference(text) }
        var values: [String: Value] = [:]
        if change.theme != nil {
            values = ["theme": theme.map { Value.data($0.bytes) } ?? .cleared, "price": .cleared]
        }
        guard let theme else {
            guard change.price == nil else { throw API.Problem(.badRequest, "Choose a theme before the price.") }
            return values
        }
        let isPriced = try replica.record(theme, of: .theme).values["priced"] == .number(1)
        guard let price = change.price else { return values }
        guard isPriced else { throw API.Problem(.badRequest, "Clips of this theme have no price.") }
        guard Self.prices.contains(price) else {
            throw API.Problem(.badRequest, "`price` must be a whole number from 0 to \(Self.prices.upperBound).")
        }
        values["price"] = .number(Int64(price))
        return values
    }

    /// Prices in the smallest unit of the event's currency.
    private static let prices = 0...1_000_000_000_000
}
