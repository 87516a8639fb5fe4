// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import Testing

@testable import MingleNode
@testable import mingle

/// What a shell offers for an argument, as the scripts of `mingle completion` ask for it.
@Suite(.timeLimit(.minutes(5)))
struct CompletionTests {
    /// The words for the argument `name` of a command, at the end of a line.
    private func offers(
        _ mingle: MingleCommandTests.Mingle,
        _ command: [String],
        _ name: String,
        line: [String] = [],
        shell: String = "bash"
    ) throws -> [String] {
        var asking = mingle
        asking.environment["SAP_SHELL"] = shell
        let words = ["mingle"] + command + line + [""]
        let outcome = try asking(["---completion"] + command + ["--", name, "\(words.count - 1)", "0"] + words)
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome)")
        return outcome.output.split(separator: "\n").map(String.init)
    }

    @Test func `The running node names what is in the event`() throws {
        try Mingle.withNode { mingle, folder in
            try Picture.make(folder + "/a.png")
            let added = try mingle("photo", "add", folder + "/a.png", "--title", "Sunset: west").output
            let photo = String(try #require(added.split(separator: "(").last?.prefix { $0 != ")" }))
            #expect(try offers(mingle, ["photo", "save"], "positional@0") == [photo])
            #expect(
                try offers(mingle, ["fave"], "positional@0", shell: "fish") == ["\(photo)\tyour photo “Sunset: west”"]
            )
            #expect(
                try offers(mingle, ["report"], "positional@0", shell: "zsh").first
                    == "\(photo):your photo “Sunset: west”"
            )
            #expect(try offers(mingle, ["moment", "show"], "positional@0").isEmpty)
            #expect(try offers(mingle, ["people", "remove"], "positional@0") == ["Ana"])
            #expect(try offers(mingle, ["invitation", "close"], "positional@0").count == 1)
            #expect(try offers(mingle, ["devices", "retire"], "positional@0").count == 1)
            #expect(try offers(mingle, ["status"], "--event").count == 1)
        }
    }

    @Test func `Without a node nothing is offered, and nothing is said`() throws {
        #expect(try offers(Mingle(data: "/nowhere"), ["photo", "save"], "positional@0").isEmpty)
        let lost = ["--data", "/nowhere"]
        try Mingle.withNode { mingle, _ in
            let offered = try offers(mingle, ["people", "mute"], "positional@0", line: lost)
            #expect(offered.isEmpty)
        }
    }

    @Test func `A person is offered by name where that is one plain word that nobody else has`() throws {
        func person(_ name: String) -> API.Person {
            API.Person(id: name, name: name, me: false, level: "guest", fingerprint: "ab12 cd34", here: false)
        }
        let people = ["Ana", "Bob", "Bob", "Ana & Bob", "$(ls)", ""].map(person)
        let words = people.map { Offer.person($0, among: people).word }
        #expect(words == ["Ana"] + Array(repeating: "ab12cd34", count: 5))
    }

    @Test func `Levels, reasons and shells are in the scripts themselves`() throws {
        let script = try Mingle(data: "/nowhere")("completion", "bash").output
        for words in ["spam", "indecent", "successor", "zsh"] { #expect(script.contains(words)) }
    }
}
