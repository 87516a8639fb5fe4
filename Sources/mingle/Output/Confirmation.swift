// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Glibc
import MingleCommandLine

/// The option of commands whose effect cannot be undone: they ask on a terminal.
struct Confirmation: ParsableArguments {
    /// The answer was not yes.
    struct Declined: Error {}

    @Flag(name: .shortAndLong, help: "Do not ask for confirmation. Needed where nobody can answer, as in a script.")
    var yes = false

    /// Asks whether to go on, unless `--yes` is set.
    ///
    /// - Parameter question: says what happens, in one or more sentences.
    /// - Throws: `Declined` if the answer is not yes, and `ValidationError` if nobody can answer.
    func ask(_ question: () async throws -> String) async throws {
        if yes { return }
        guard Self.canAsk else {
            throw ValidationError("This cannot be undone. To confirm it without a terminal, add --yes.")
        }
        try Self.ask(try await question())
    }

    /// Whether a person can read a question and answer it.
    static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// Asks on the terminal whether to go on.
    ///
    /// - Throws: `Declined` if the answer is not yes.
    static func ask(_ question: String) throws {
        try confirm("\(question) This cannot be undone.")
    }

    /// The same for an effect that can be undone.
    static func confirm(_ question: String) throws {
        StandardError.print(question, terminator: " Go on? [y/N] ")
        guard agrees(readLine()) else { throw Declined() }
    }

    /// Whether an answer is yes; nil is the end of the input.
    static func agrees(_ answer: String?) -> Bool {
        ["y", "yes"].contains(answer?.trimmingCharacters(in: .whitespaces).lowercased())
    }
}
