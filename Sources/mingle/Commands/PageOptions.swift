// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MingleAPI
import MingleNode

/// Options of every command that prints a page of a longer list.
struct PageOptions: ParsableArguments {
    @Option(help: "Continue a list, with the value from the last line of the page before.") var before: String?
}

extension ClientOptions {
    /// The last line of a page: the command for the next page; empty if there is none.
    func more(_ command: String, _ cursor: String?) -> String {
        guard let cursor else { return "" }
        let given = [("data", data.data?.shellQuoted), ("config", data.config?.shellQuoted), ("event", event)]
        let options = given.map { name, value in value.map { " --\(name) \($0)" } ?? "" }.joined()
        return "\nOlder entries: \(command)\(options) --before \(cursor)"
    }
}
