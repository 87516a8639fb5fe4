// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Saving photos by the command line", .timeLimit(.minutes(5)))
struct PhotoSavingTests {
    /// Lends the command line of a node with one photo, the photo's id and a folder to `body`.
    private func withPhoto(_ body: (Mingle, _ id: String, _ folder: String) throws -> Void) throws {
        try Mingle.withNode { mingle, folder in
            try Picture.make(folder + "/shared.png")
            let added = try mingle("photo", "add", "\(folder)/shared.png", "--json").output
            let photo = try JSONSerialization.jsonObject(with: Data(added.utf8)) as? [String: Any]
            try body(mingle, #require(photo?["id"] as? String), folder)
        }
    }

    @Test func `A folder stays as it is, whatever is asked, and so does what is in it`() throws {
        try withPhoto { mingle, id, folder in
            let pictures = folder + "/pictures"
            try FileManager.default.createDirectory(atPath: pictures, withIntermediateDirectories: true)
            try Data("mine".utf8).write(to: URL(filePath: pictures + "/mine.txt"))
            for place in [pictures, pictures + "/", "\(pictures)/../pictures"] {
                for more in [[], ["--force"]] {
                    let outcome = try mingle(["photo", "save", id, place] + more)
                    #expect(outcome.code == 1)
                    #expect(outcome.errors.contains("\(place) is a folder"))
                }
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: pictures) == ["mine.txt"])
        }
    }

    @Test func `A file that is there is replaced only by force`() throws {
        try withPhoto { mingle, id, folder in
            let file = folder + "/saved.png"
            try Data("mine".utf8).write(to: URL(filePath: file))
            let refused = try mingle("photo", "save", id, file)
            #expect(refused.code == 1)
            #expect(refused.errors.contains("\(file) is there already"))
            #expect(try String(contentsOf: URL(filePath: file), encoding: .utf8) == "mine")
            #expect(try mingle("photo", "save", id, file, "--force").code == 0)
            let size = try #require(FileManager.default.attributesOfItem(atPath: file)[.size] as? NSNumber)
            #expect(size.intValue > 4)
            #expect(try mingle("photo", "save", id, "").code == 2)
        }
    }

    @Test func `A disk without room is said to be full, and the file that was there stays`() throws {
        try withPhoto { mingle, id, folder in
            let file = folder + "/saved.png"
            try Data("mine".utf8).write(to: URL(filePath: file))
            // What is written there finds no room.
            try FileManager.default.createSymbolicLink(atPath: file + ".part", withDestinationPath: "/dev/full")
            let outcome = try mingle("photo", "save", id, file, "--force")
            #expect(outcome.code == 14)
            #expect(outcome.errors == "mingle: The disk that holds \(file) is full. Free some space and try again.\n")
            #expect(try String(contentsOf: URL(filePath: file), encoding: .utf8) == "mine")
        }
    }
}
