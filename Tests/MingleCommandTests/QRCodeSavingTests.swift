// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Saving QR codes by the command line", .timeLimit(.minutes(5)))
struct QRCodeSavingTests {
    private func invitations(_ mingle: Mingle) throws -> Int {
        let listed = try mingle("invitation", "list", "--json").output
        let answer = try JSONSerialization.jsonObject(with: Data(listed.utf8)) as? [String: [Any]]
        return try #require(answer?["invitations"]).count
    }

    @Test(arguments: [["invite", "--new"], ["devices", "link"]])
    func `Nobody else reads the code, and who could before still may`(words: [String]) throws {
        try Mingle.withNode { mingle, folder in
            let file = folder + "/code.svg"
            let mode = { try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int }
            #expect(try mingle(words + ["-o", file]).code == 0)
            #expect(try mode() == 0o600 && String(contentsOf: URL(filePath: file), encoding: .utf8).contains("<svg"))
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
            #expect(try mingle(words + ["-o", file]).code == 0)
            #expect(try mode() == 0o644)
        }
    }

    @Test(arguments: [["invite", "--new"], ["devices", "link"]])
    func `For a dash the code is all that is written to the standard output, and the link is said beside it`(
        words: [String]
    ) throws {
        try Mingle.withNode { mingle, _ in
            let outcome = try mingle(words + ["-o", "-"])
            #expect(outcome.code == 0 && outcome.output.hasPrefix("<") && outcome.output.contains("</svg>"))
            #expect(!outcome.output.contains("mingle://") && outcome.errors.contains("mingle://"))
        }
    }

    @Test func `Whoever may make a link is told how once no link is open, and others whom to ask`() throws {
        try Mingle.withNode { mingle, _ in
            let listed = try mingle("invitation", "list", "--json").output
            for id in listed.matches(of: /"id":"([a-z0-9]+)","level"/).map(\.output.1) {
                try mingle("invitation", "close", String(id), "--yes")
            }
            let outcome = try mingle("invite")
            #expect(outcome.code == 4, "\(listed)")
            #expect(
                outcome.errors == "mingle: Party has no open invitation to show. To create one: mingle invite --new\n"
            )
        }
    }

    @Test func `No link is made whose code could not be written`() throws {
        try Mingle.withNode { mingle, folder in
            let before = try invitations(mingle)
            for place in [folder, folder + "/none/code.svg", "/dev/null"] {
                let outcome = try mingle("invite", "--new", "--uses", "1", "-o", place)
                #expect(outcome.code != 0 && outcome.errors.contains(place), "\(outcome)")
            }
            #expect(try invitations(mingle) == before)
        }
    }
}
