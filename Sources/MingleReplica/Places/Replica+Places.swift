// SPDX-License-Identifier: Apache-2.0

import GRDB
package import MingleModel

/// Places by what they are called, what they are, where they are and what people think of them.
extension Replica {
    /// The best places for a query, of those that the viewer sees.
    ///
    /// A text that is just what a category is called finds what is in it, and in those below. A text such as "coffee
    /// near Lyngby" finds coffee around the place of that name. Any other text finds by words.
    package func findPlaces(_ query: PlaceQuery) throws -> FoundPlaces {
        let categories = try shownCategories()
        return try view { viewer in
            var finder = PlaceFinder(viewer: viewer, categories: categories, query: query)
            return try finder.find()
        }
    }

    /// What a text may become while it is typed: categories and places whose words begin so.
    package func suggestPlaces(_ text: String, near origin: GridPosition?) throws -> SuggestedPlaces {
        let words = SearchQuery(text)
        guard !words.isEmpty else { return SuggestedPlaces() }
        let categories = try shownCategories()
        var query = PlaceQuery()
        query.limit = PlaceQuery.suggestionLimit
        return try view { viewer in
            let finder = PlaceFinder(viewer: viewer, categories: categories, query: query, origin: origin)
            return SuggestedPlaces(
                categories: try viewer.suggested(categories, words),
                places: try finder.best(words, by: .fit, isByOwnWords: true)
            )
        }
    }
}

extension PlaceFinder {
    /// Reads the query's text, and finds what it means.
    fileprivate mutating func find() throws -> FoundPlaces {
        var (text, found) = (query.text, FoundPlaces())
        if categories.called(text) == nil, let phrase = NearPhrase(text), let place = try place(called: phrase.place) {
            (text, found.around) = (phrase.what, place)
        }
        lookAround(found.around)
        if let category = query.category {
            subtrees.append(categories.subtree(of: category))
            found.category = try categories[category].flatMap(viewer.category)
        }
        var words: SearchQuery?
        if let category = categories.called(text) {
            subtrees.append(categories.subtree(of: category.id))
            found.category = try viewer.category(category)
        } else if !text.allSatisfy(\.isWhitespace) {
            words = SearchQuery(text)
        }
        found.order = words != nil ? .fit : origin != nil ? .distance : .rating
        found.places = try best(words, by: found.order)
        return found
    }

    /// Counts distances from a place, or from where the query says.
    private mutating func lookAround(_ place: ShownRecord?) {
        origin = place?.position ?? query.origin
        let metres = query.metres ?? (place == nil || query.isWide ? nil : PlaceQuery.usualMetres)
        circle = origin.flatMap { origin in metres.flatMap { GridCircle(center: origin, metres: $0) } }
        let wide = query.isWide ? origin.map { GridRectangle(about: $0, metres: PlaceQuery.wideMetres) } : nil
        areas = [wide, query.rectangle].compactMap(\.self)
    }

    /// The best place whose name or address has all words of a text; nil where there is none.
    private func place(called text: String) throws -> ShownRecord? {
        let words = SearchQuery(text)
        guard !words.isEmpty else { return nil }
        var anywhere = PlaceQuery()
        anywhere.hasRatings = query.hasRatings
        let finder = PlaceFinder(viewer: viewer, categories: categories, query: anywhere, origin: query.origin)
        return try finder.best(words, by: .fit, isByOwnWords: true).first { $0.isCalled(words) }
    }
}

extension Viewer {
    /// The record of a category.
    fileprivate func category(_ category: ShownCategories.Category) throws -> ShownRecord? {
        try rows("SELECT * FROM \(seen(.category)) AS record WHERE id = ?", [category.row]).first.map { row in
            try record(row, of: .category)
        }
    }

    /// Categories by words, the best first.
    fileprivate func suggested(
        _ categories: ShownCategories,
        _ words: SearchQuery
    ) throws -> [(category: ShownRecord, parent: ShownRecord?)] {
        let candidates = try Search.candidates(for: words, of: [Kind.category.number], db)
        let found = candidates.compactMap { found in
            categories[row: found.record].map { (category: $0, score: Int64(found.score)) }
        }
        let ranked = found.map { category, score in
            let name = FoldedWords.words(of: category.called.first ?? "")
            let fit = PlaceRank.fit(score, name: name, query: words.words)
            return (category: category, rank: PlaceRank(fit: fit, tie: category.tie))
        }
        return try ranked.sorted { $0.rank < $1.rank }.prefix(PlaceQuery.suggestionLimit).compactMap { found in
            guard let record = try category(found.category) else { return nil }
            let parent = categories.tree.parent(of: found.category.id).flatMap { categories[$0] }
            return (record, try parent.flatMap(category))
        }
    }
}

extension ShownRecord {
    /// Where it is; nil for a record without a position.
    package var position: GridPosition? {
        guard case .number(let latitude)? = values["latitude"], case .number(let longitude)? = values["longitude"]
        else {
            return nil
        }
        return GridPosition(latitude: latitude, longitude: longitude)
    }

    /// Whether its name and address have all words, or words that begin so or have one error.
    fileprivate func isCalled(_ query: SearchQuery) -> Bool {
        let texts = ["name", "address"].compactMap { if case .text(let text)? = values[$0] { text } else { nil } }
        let words = FoldedWords.words(of: texts.joined(separator: "\n"))
        return query.words.allSatisfy { wanted in
            let patterns = OneErrorPatterns(of: wanted)
            return words.contains { $0.hasPrefix(wanted) || patterns?.find($0) ?? false }
        }
    }
}
