// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MingleAPI
import MingleClient
import MingleModel
import MingleNode

extension ClientOptions {
    /// The person with a fingerprint, an id or a unique name.
    ///
    /// - Parameter level: The person's new level. Above attendee, a name is refused: anybody can take any name.
    func person(_ word: String, for level: String? = nil) async throws -> API.Person {
        let people: API.Envelope.People = try await client.get(path("people"))
        // Fingerprints come first: a person may choose another's fingerprint as a name.
        let print = Self.letters(word)
        let everybody = people.people + people.relays
        if let meant = everybody.first(where: { $0.id == word || Self.letters($0.fingerprint) == print }) {
            return meant
        }
        let found = everybody.filter { $0.name.visible == word.visible }
        if let level, ["successor", "host", "moderator"].contains(level), let named = found.first {
            throw ValidationError(
                "Anybody can take the name \(word), and a \(level) has power over others. Use the fingerprint: "
                    + "--to \(level) '\(named.fingerprint)'"
            )
        }
        guard let one = found.first else {
            throw API.Problem(
                .notFound,
                "No person in the event has the name or fingerprint \(word). To list all people: mingle people"
            )
        }
        guard found.count == 1 else {
            let prints = found.map(\.fingerprint).joined(separator: ", ")
            throw API.Problem(
                .conflict,
                "\(found.count) people have the name \(word). Use a fingerprint: \(prints)."
            )
        }
        return one
    }

    /// A fingerprint in lower case, without spaces.
    private static func letters(_ text: String) -> String { text.lowercased().filter { !$0.isWhitespace } }
}
