// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Taking an event home by the command line", .timeLimit(.minutes(5)))
struct ExportTests {
    private func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    @Test func `An event is exported, exported again, and comes into another event once`() throws {
        try Mingle.withNode { mingle, folder in
            for width in [40, 50] { try Picture.make("\(folder)/\(width).png", width: width) }
            try mingle("photo", "add", folder + "/40.png", "--title", "The cake #sweet")
            try mingle("photo", "add", folder + "/50.png")
            let out = folder + "/out"
            #expect(try mingle("export", out).output == "Saved 2 photos in \(out).\n")
            #expect(try names(out) == ["album.css", "index.html", "photos", "records.jsonl", "thumbs"])
            let photos = try names(out + "/photos")
            #expect(photos.count == 4 && photos.filter { $0.hasSuffix(".png.xmp") }.count == 2)
            // An export that was broken off is completed.
            try FileManager.default.removeItem(atPath: out + "/records.jsonl")
            try FileManager.default.removeItem(atPath: "\(out)/photos/\(photos[0])")
            #expect(try mingle("export", out).code == 0)
            #expect(try names(out + "/photos") == photos && names(out).contains("records.jsonl"))
            #expect(try mingle("import", out).output == "Shared 0 photos; 2 were there already.\n")
            try mingle("event", "create", "Second")
            #expect(try mingle("import", out).output == "Shared 2 photos; 0 were there already.\n")
            #expect(try mingle("import", out).output == "Shared 0 photos; 2 were there already.\n")
            #expect(try mingle("photo", "list", "--json").output.contains(#""title":"The cake #sweet""#))
            // Nothing of somebody else's is written over.
            try Data().write(to: URL(filePath: folder + "/40.txt"))
            let refused = try mingle("export", folder)
            #expect(refused.code == 1 && refused.errors.contains("has other files"))
            #expect(try mingle("export", "--zip", folder + "/out.zip").code == 0)
            #expect(try mingle("export").code == 2)
        }
    }

    @Test func `Of a folder that somebody meddled with the rest comes in, and each refusal has a name`() throws {
        try Mingle.withNode { mingle, folder in
            let out = folder + "/out", photos = out + "/photos"
            try FileManager.default.createDirectory(atPath: photos, withIntermediateDirectories: true)
            try Picture.make(photos + "/good.png")
            try Picture.make(photos + "/last.png", width: 50)
            try Data("none".utf8).write(to: URL(filePath: photos + "/broken.png"))
            try Picture.make(folder + "/outside.png", width: 60)
            try FileManager.default.createSymbolicLink(
                atPath: photos + "/link.png",
                withDestinationPath: folder + "/outside.png"
            )
            func photo(_ file: String, _ more: String = "") -> String { #"{"kind":"photo","file":"\#(file)"\#(more)}"# }
            let lines = [
                photo("photos/good.png", #","title":"Cake","author":{"name":"Bob"},"mine":false"#),
                #"{"kind":"photo","title":""# + String(repeating: "x", count: 10_000_000) + #""}"#,
                "{broken", photo("photos/../../outside.png"), photo("../outside.png"), photo("photos/link.png"),
                photo("photos/missing.png"), photo("photos/broken.png"), #"{"kind":"comment","text":"Hello"}"#,
                photo("photos/last.png"),
            ]
            try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: out + "/records.jsonl"))
            let outcome = try mingle("import", out)
            #expect(outcome.code == 3)
            #expect(outcome.output == "Shared 2 photos; 0 were there already. 7 could not be taken: see above.\n")
            for words in [
                "line 2 is longer than 1 MiB", "line 3 is not a record",
                "photos/../../outside.png is not a file of the folder",
                "../outside.png is not a file of the folder", "photos/link.png is a symbolic link",
                "photos/missing.png is missing", "broken.png",
            ] { #expect(outcome.errors.contains(words), "\(words)") }
            let list = try mingle("photo", "list", "--json").output
            #expect(list.contains(#""title":"Cake (by Bob)""#) && !list.contains(#""width":60"#))
            // Without records what is there comes in.
            try FileManager.default.removeItem(atPath: out + "/records.jsonl")
            let untitled = try mingle("import", out)
            #expect(untitled.code == 3 && untitled.output.hasPrefix("Shared 0 photos; 2 were there already."))
            #expect(try mingle("import", folder + "/nothing").code == 4)
        }
    }
}
