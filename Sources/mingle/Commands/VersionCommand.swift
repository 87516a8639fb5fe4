// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CCommit
import MingleCommandLine
import MingleNode

/// Says which program this is.
struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Show the version and the commit that this program was built from."
    )

    /// Version and commit; the version alone in a build from sources without a repository.
    static var text: String {
        let commit = unsafe String(cString: mingle_commit())
        return commit.isEmpty ? Node.version : "\(Node.version) (\(commit))"
    }

    func run() throws { try StandardOutput.print("mingle \(Self.text)") }
}
