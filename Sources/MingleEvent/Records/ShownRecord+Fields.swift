// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica

extension ShownRecord {
    /// The words of a text field; nil where it has none.
    func words(of name: String) -> String? {
        if case .text(let text)? = values[name] { text } else { nil }
    }

    /// The words of a text field; empty where it has none.
    func text(_ name: String) -> String { words(of: name) ?? "" }

    /// The number of a field; nil where it has none.
    func number(_ name: String) -> Int64? {
        if case .number(let number)? = values[name] { number } else { nil }
    }

    /// When it is open; nil where nobody says so.
    var hours: OpeningHours? {
        guard let field = kind.fields.first(where: { $0.type == .hours }), case .data(let bytes)? = values[field.name]
        else { return nil }
        return OpeningHours(bytes: bytes)
    }
}
