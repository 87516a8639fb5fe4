// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleModel
package import MingleReplica

/// The lists of deals of one's own.
package enum DealList: String, Sendable, CaseIterable {
    /// Those that the person offers.
    case mine
    /// Those that the person used.
    case used
    /// Those of places that the person likes best.
    case favourites
}

extension ListQuery {
    /// The query for deals.
    ///
    /// - Throws: ``API/Problem`` named `badRequest` for a value that makes no sense.
    package func deals() throws -> DealQuery {
        var query = DealQuery()
        query.place = try parameters["target"].map(RequestValidation.reference)
        (query.words, query.circle, query.limit) = (parameters["q"], try circle(), try Self.limit(parameters))
        let own = try word("list", of: DealList.self)
        (query.isOwn, query.isUsed, query.isOfFavourites) = (own == .mine, own == .used, own == .favourites)
        // One's own deals and uses are listed whatever the time is.
        query.state = try word("state", of: DealState.self) ?? (own == .mine || own == .used ? nil : .active)
        return query
    }

    private func word<Word: RawRepresentable & CaseIterable>(
        _ name: String,
        of type: Word.Type
    ) throws -> Word? where Word.RawValue == String {
        guard let text = parameters[name] else { return nil }
        guard let word = Word(rawValue: text) else {
            let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw API.Problem(.badRequest, "`\(name)` must be one of: \(words).")
        }
        return word
    }
}
