// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MingleNode

/// What every command that shows a page of a longer list has.
struct PageOptions: ParsableArguments {
    @Option(help: "Go on where a page ended, as its last line says.") var before: String?
}

extension ClientOptions {
    /// The last line of a page: how the same command goes on behind it; nothing where that was all.
    func more(_ command: String, _ cursor: String?) -> String {
        guard let cursor else { return "" }
        let folder = data.data.map { " --data \($0.shellQuoted)" } ?? ""
        return "\nThere are older ones: \(command)\(folder)\(event.map { " --event \($0)" } ?? "") --before \(cursor)"
    }
}
