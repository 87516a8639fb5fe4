// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

@testable import mingle

/// What cannot be undone is asked on a terminal, and refused where nobody can answer.
@Suite(.timeLimit(.minutes(5)))
struct ConfirmationTests {
    @Test func `Only yes is an answer to go on`() {
        for answer in ["y", "Y", "yes", " Yes "] { #expect(Confirmation.agrees(answer)) }
        for answer in ["", "n", "no", "yess", "j", nil] { #expect(!Confirmation.agrees(answer)) }
    }

    @Test(arguments: [
        ["photo", "delete", "x"], ["moment", "delete", "x"], ["comment", "--delete", "x"],
        ["moment", "make-public", "x"],
        ["invitation", "close", "x"],
    ])
    func `Without a terminal nothing is done that cannot be undone, unless it is confirmed`(words: [String]) throws {
        try Mingle.withNode { mingle, _ in
            let refused = try mingle(words)
            #expect(refused.code == 2)
            #expect(
                refused.errors == "mingle: This cannot be undone. To confirm it without a terminal, add --yes.\n",
                "\(refused.errors)"
            )
            // The node looks for what was named.
            #expect(try mingle(words + ["--yes"]).code == 4)
        }
    }

    @Test func `On a terminal it is done after yes, and not after anything else`() throws {
        try Mingle.withNode { mingle, folder in
            try Picture.make(folder + "/a.png")
            let added = try mingle("photo", "add", folder + "/a.png").output
            let id = String(try #require(added.split(separator: "(").last?.prefix { $0 != ")" }))
            let kept = try mingle.onTerminal(["photo", "delete", id], answer: "\n")
            #expect(kept.code == 1, "\(kept)")
            #expect(kept.said.contains("Delete your photo “a.png” on every node? This cannot be undone. Go on? [y/N] "))
            #expect(kept.said.contains("mingle: Nothing was changed."))
            #expect(try mingle("photo", "list").output.contains(id))
            let deleted = try mingle.onTerminal(["photo", "delete", id], answer: "y\n")
            #expect(deleted.code == 0 && deleted.said.contains("Deleted the photo."), "\(deleted)")
            #expect(try mingle("photo", "list").output.contains("No photos yet"))
            let left = try mingle.onTerminal(["event", "leave", event(mingle), "--now"], answer: "yes\n")
            #expect(left.code == 0 && left.said.contains("Leave Party") && left.said.contains("Left Party."), "\(left)")
        }
    }

    private func event(_ mingle: MingleCommandTests.Mingle) throws -> String {
        let listed = try mingle("event", "list", "--json").output
        return String(try #require(listed.firstMatch(of: /"id":"([a-z0-9]+)"/)).output.1)
    }
}
