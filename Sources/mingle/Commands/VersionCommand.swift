// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MingleCommandLine
import MingleNode

/// Says which program this is.
struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Show the version and the commit that this program was built from."
    )

    func run() throws { try StandardOutput.print("mingle \(Node.build)") }
}
