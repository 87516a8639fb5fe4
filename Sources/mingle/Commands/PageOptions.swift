// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// What every command that shows a page of a longer list has.
struct PageOptions: ParsableArguments {
    @Option(help: "Go on where a page ended, as its last line says.") var before: String?

    /// The last line of a page: how to see what is older; nothing where that was all.
    static func more(_ command: String, _ cursor: String?) -> String {
        cursor.map { "\nThere are older ones: \(command) --before \($0)" } ?? ""
    }
}
