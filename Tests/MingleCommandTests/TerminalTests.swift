// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("What other people wrote, on a terminal", .timeLimit(.minutes(5)))
struct TerminalTests {
    /// What may not reach a terminal: C1 controls, line separators, changes of direction, tags, and what shows nothing.
    private static let planted = "X\u{9b}31m\u{202e}\u{2028}\u{61c}\u{200b}\u{e0041}\u{3164}Y"
    private static let forbidden = Set("\u{9b}\u{202e}\u{2028}\u{61c}\u{200b}\u{e0041}\u{3164}".unicodeScalars)

    @Test func `No command prints what drives a terminal or shows nothing, as text or as JSON`() throws {
        try Mingle.withNode { mingle, folder in
            let planted = Self.planted
            try Picture.make(folder + "/cake.png")
            try #require(mingle("profile", "--name", planted).code == 0)
            let photo = try Self.id(mingle("photo", "add", folder + "/cake.png", "--title", planted, "--json").output)
            let moment = try Self.id(
                mingle("moment", "create", planted, "--place", planted, "--at", "55.6,12.5", "--json").output
            )
            try #require(mingle("comment", photo, planted).code == 0)
            try #require(mingle("bookmark", photo).code == 0)
            try #require(mingle("event", "set", "--title", planted, "--areas", "moments,venues").code == 0)
            let words = ["name=\(planted)", "latitude=55.6", "longitude=12.5", "radius_m=50", "description=\(planted)"]
            let place = try Self.id(mingle(["place", "add"] + words + ["--json"]).output)
            try #require(mingle("moderation", "hide", place, "--reason", planted).code == 0)
            let commands: [[String]] = [
                ["status"], ["news"], ["news", "--ids"], ["notifications"],
                ["dump"], ["event", "list"],
                ["photo", "list"],
                ["comment", photo],
                ["photo", "add", folder + "/cake.png"], ["moment", "list"], ["moment", "show", moment], ["people"],
                ["peers"],
                ["devices"], ["connections"], ["bookmarks"], ["reports"], ["profile"], ["doctor"], ["moderation"],
                ["moderation", "log"], ["invitation"], ["invite"], ["place", "list"], ["place", "show", place],
                ["category", "list"], ["fave", photo], ["moment", "join", moment], ["people", "mute", planted],
            ]
            var told: Set<[String]> = []
            for command in commands {
                for format in [[], ["--json"]] {
                    let outcome = try mingle(command + format)
                    let found = Self.forbidden.intersection((outcome.output + outcome.errors).unicodeScalars)
                    #expect(found.isEmpty, "\(command + format)")
                    if (outcome.output + outcome.errors).contains("31m") { told.insert(command) }
                }
            }
            #expect(
                told.count >= 15,
                "what was planted is printed by \(told.map { $0.joined(separator: " ") }.sorted())"
            )
        }
    }

    @Test func `No command writes to the terminal by itself`() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/mingle")
        let files = try #require(
            FileManager.default.enumerator(at: sources.standardized, includingPropertiesForKeys: nil)
        )
        let ways = ["FileHandle.standard", "StandardOutput.write(", " print(", "fputs(", "write(STD"]
        // A progress line moves the cursor, a question for a passphrase stands before its answer, a file is saved as it
        // is; completion scripts, help and offers to shells are this program's own.
        let exempt = [
            "PassphrasePrompt.swift",
            "Progress.swift", "Output.swift", "OperatorCommands.swift", "Failure.swift",
        ]
        var looked = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            looked += 1
            guard !exempt.contains(file.lastPathComponent) else { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(ways.filter(text.contains) == [], "\(file.lastPathComponent)")
        }
        #expect(looked > 30)
    }

    private static func id(_ output: String) throws -> String {
        struct Made: Decodable { let id: String }
        let text = output.split(separator: "\n").first.map(String.init) ?? ""
        return try JSONDecoder().decode(Made.self, from: Data(text.utf8)).id
    }
}
