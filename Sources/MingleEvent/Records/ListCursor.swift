// SPDX-License-Identifier: Apache-2.0

import MingleAPI
package import MingleReplica

/// The cursor of one list: one of another list is refused, as it would leave out something.
package struct ListCursor: Sendable {
    private let mark: String

    /// Names a list by what it is of and narrowed to.
    package init(_ list: String) {
        // FNV-1a with 32 bits: it tells lists apart by mistake, and nothing is secret.
        let hash = list.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        mark = String(hash, radix: 36)
    }

    /// A cursor as the API writes it; nil at the end of a list.
    package func text(_ cursor: Cursor?) -> String? { cursor.map { "\($0).\(mark)" } }

    /// Reads a cursor of this list; nil for the list's beginning.
    ///
    /// - Throws: ``API/Problem`` named `badRequest` for anything else.
    package func cursor(_ text: String?) throws -> Cursor? {
        guard let text else { return nil }
        guard let end = text.lastIndex(of: "."), let cursor = Cursor(String(text[..<end])) else {
            throw API.Problem(
                .badRequest,
                "Not a cursor of this node: '\(text.prefix(40))'. Start again without `before`."
            )
        }
        guard text[text.index(after: end)...] == mark else {
            throw API.Problem(
                .badRequest,
                "The cursor '\(text.prefix(40))' is of a list with other parameters. Start again without `before`."
            )
        }
        return cursor
    }
}
