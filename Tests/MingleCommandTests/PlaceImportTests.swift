// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Importing places by the command line", .timeLimit(.minutes(5)))
struct PlaceImportTests {
    @Test func `The example makes a fair, again it changes nothing, and what is left out is named by its line`() throws
    {
        try Mingle.withNode { mingle, folder in
            let list = try mingle("event", "list", "--json").output
            let event = try #require(list.split(separator: "\"id\":\"").last?.prefix { $0 != "\"" })
            #expect(try mingle("event", "set", "--areas", "venues", "--event", String(event)).code == 0)
            let example = "examples/street-fair"
            let command = ["places", "import", example + "/stalls.geojson", "--mapping", example + "/categories.json"]
            let planned = try mingle(command + ["--dry-run"])
            #expect(planned.code == 0 && planned.output.hasPrefix("Would import places: 30 new"), "\(planned.errors)")
            #expect(try mingle("place", "list").output == "No places.\n")
            #expect(try mingle(command).output.hasPrefix("Imported places: 30 new, 0 changed, 0 as they were."))
            #expect(try mingle(command).output.hasPrefix("Imported places: 0 new, 0 changed, 30 as they were."))
            #expect(try mingle("place", "list", "--json").output.contains(#""friday":[["10:00","22:00"]]"#))
            #expect(try mingle("category", "list", "--search", "espresso").output.contains("Coffee"))
            let file = folder + "/more.csv"
            try Data("name,latitude,longitude\nKiosk,55.6,12.5\nNowhere,,\n\"Open,1,2\n".utf8).write(
                to: URL(filePath: file)
            )
            let outcome = try mingle("places", "import", file)
            #expect(outcome.code == 1 && outcome.output.contains("1 new") && outcome.output.contains("2 left out"))
            #expect(outcome.errors == "line 3: no latitude\nline 4: a quote is not closed\n")
        }
    }

    @Test func `A file that is too large is refused before it is read, and so is one of another kind`() throws {
        try Mingle.withFolder { folder in
            let mingle = Mingle(data: folder + "/data"), file = folder + "/large.csv"
            #expect(FileManager.default.createFile(atPath: file, contents: nil))
            let handle = try #require(FileHandle(forWritingAtPath: file))
            try handle.truncate(atOffset: 200_000_000)
            try handle.close()
            let outcome = try mingle("places", "import", file)
            #expect(outcome.code == 14 && outcome.errors.contains("has 200 MB, and at most 50 MB are read"))
            #expect(try mingle("places", "import", folder + "/places.xlsx").code == 2)
        }
    }
}
