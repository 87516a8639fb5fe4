// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MingleNode

/// Checks the names of commands and suggests the nearest one.
enum CommandNames {
    /// Refuses an unknown command, which the parser would call an unexpected argument.
    static func require(in arguments: [String]) throws {
        var (command, path) = (Mingle.self as any ParsableCommand.Type, "mingle")
        for word in arguments {
            let known = command.configuration.subcommands
            guard !known.isEmpty, !word.hasPrefix("-"), word != "help" else { return }
            guard let named = known.first(where: { $0._commandName == word }) else {
                let nearest = ConfigurationFile.nearest(to: word, among: known.map { $0._commandName })
                throw ValidationError(
                    "Not a \(path) command: \(ConfigurationFile.quoted(word)). "
                        + (nearest.map { "Did you mean '\($0)'? " } ?? "") + "See \(path) --help."
                )
            }
            (command, path) = (named, "\(path) \(word)")
        }
    }

    /// Refuses a text such as `-happy`, in which the parser would find the option `-h` and print help.
    static func requireNoHiddenHelp(in arguments: [String]) throws {
        let options = arguments.prefix { $0 != "--" }
        for (place, word) in options.enumerated() where word.hasPrefix("-") && !word.hasPrefix("--") {
            // A time in the past, as the value of an option.
            if place > 0, options[place - 1].hasPrefix("--"), When.isPast(word) { continue }
            let letters = word.dropFirst().prefix { $0 != "=" }
            guard letters.count > 1, letters.contains("h"), letters != "help" else { continue }
            throw ValidationError(
                "Not an option: \(ConfigurationFile.quoted(word)). Put -- before a text that begins with a dash, or "
                    + "write --option=VALUE for the value of an option."
            )
        }
    }
}
