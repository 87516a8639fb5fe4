// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MingleNode

/// The names of commands, and what somebody means who writes one wrong.
enum CommandNames {
    /// Refuses a word that is no command where a command is to stand; the parser would call it an unexpected argument.
    static func require(in arguments: [String]) throws {
        var (command, path) = (Mingle.self as any ParsableCommand.Type, "mingle")
        for word in arguments {
            let known = command.configuration.subcommands
            guard !known.isEmpty, !word.hasPrefix("-"), word != "help" else { return }
            guard let named = known.first(where: { $0._commandName == word }) else {
                let nearest = ConfigurationFile.nearest(to: word, among: known.map { $0._commandName })
                throw ValidationError(
                    "\(path) has no command \(ConfigurationFile.quoted(word))"
                        + (nearest.map { "; did you mean '\($0)'?" } ?? ".") + " \(path) --help lists them."
                )
            }
            (command, path) = (named, "\(path) \(word)")
        }
    }

    /// Refuses a name or text with a dash before it that has an h in it: the parser would take it for -h among other letters,
    /// and print help as if that were all.
    static func requireNoHiddenHelp(in arguments: [String]) throws {
        for word in arguments.prefix(while: { $0 != "--" }) where word.hasPrefix("-") && !word.hasPrefix("--") {
            let letters = word.dropFirst().prefix { $0 != "=" }
            guard letters.count > 1, letters.contains("h"), letters != "help" else { continue }
            throw ValidationError(
                "\(ConfigurationFile.quoted(word)) is no option. If it is a name or a text, put -- before it; if an option's value, =."
            )
        }
    }
}
