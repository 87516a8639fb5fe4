// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
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

    @Test func `A JPEG with all pixels is saved where one is asked for`() throws {
        try withPhoto { mingle, id, folder in
            let outcome = try mingle("photo", "save", id, folder + "/saved.jpg", "--jpeg")
            let saved = try Data(contentsOf: URL(filePath: folder + "/saved.jpg"))
            #expect(outcome.code == 0 && saved.starts(with: [0xFF, 0xD8, 0xFF]))
        }
    }

    @Test func `All photos are saved as one ZIP file, and none at all are said to be none`() throws {
        try withPhoto { mingle, _, folder in
            let file = folder + "/photos.zip"
            #expect(try mingle("photo", "save-all", file, "--mine").output == "Saved \(file).\n")
            let saved = try Data(contentsOf: URL(filePath: file))
            #expect(saved.starts(with: Data("PK".utf8)))
            #expect(try mingle("photo", "save-all", file).errors.contains("already exists"))
            let none = try mingle("photo", "save-all", folder + "/none.zip", "--faved")
            #expect(none.code == 4 && none.errors.contains("There are no such photos"))
            #expect(!FileManager.default.fileExists(atPath: folder + "/none.zip"))
        }
    }

    @Test func `Who keeps the location of a picture that tells none is told so`() throws {
        try withPhoto { mingle, _, folder in
            let plain = try mingle("photo", "add", folder + "/shared.png").output
            let kept = try mingle("photo", "add", folder + "/shared.png", "--keep-location").output
            #expect(!plain.contains("no place") && kept.contains("no place"))
        }
    }

    @Test func `For a dash the picture is all that is written to the standard output, and no file is made`() throws {
        try withPhoto { mingle, id, folder in
            #expect(try mingle("photo", "save", id, folder + "/saved.png").code == 0)
            let size = try #require(
                FileManager.default.attributesOfItem(atPath: folder + "/saved.png")[.size] as? NSNumber
            )
            let command = "cd '\(folder)' && '\(Mingle.program().path)' photo save \(id) - | cmp - saved.png"
            let shell = Process()
            shell.executableURL = URL(filePath: "/bin/bash")
            shell.arguments = ["-c", "set -o pipefail; \(command)"]
            shell.environment = ProcessInfo.processInfo.environment.merging(["MINGLE_DATA": mingle.data ?? ""]) { $1 }
            try shell.run()
            shell.waitUntilExit()
            #expect(shell.terminationStatus == 0 && size.intValue > 0)
            #expect(!FileManager.default.fileExists(atPath: folder + "/-"))
            let both = try mingle("photo", "save", id, "-", "--json")
            #expect(both.code == 2 && both.output.isEmpty && both.errors.contains("--json"))
            #expect(try mingle.onTerminal(["photo", "save", id, "-"], answer: "").said.contains("Redirect the output"))
        }
    }

    @Test func `A file that is there is replaced only by force`() throws {
        try withPhoto { mingle, id, folder in
            let file = folder + "/saved.png"
            try Data("mine".utf8).write(to: URL(filePath: file))
            let refused = try mingle("photo", "save", id, file)
            #expect(refused.code == 1)
            #expect(refused.errors.contains("\(file) already exists"))
            #expect(try String(contentsOf: URL(filePath: file), encoding: .utf8) == "mine")
            #expect(try mingle("photo", "save", id, file, "--force").code == 0)
            let size = try #require(FileManager.default.attributesOfItem(atPath: file)[.size] as? NSNumber)
            #expect(size.intValue > 4)
            #expect(try mingle("photo", "save", id, "").code == 2)
        }
    }

    @Test func `What a link leads to is replaced, and what is no file never is`() throws {
        try withPhoto { mingle, id, folder in
            let (file, link) = (folder + "/saved.png", folder + "/link.png")
            try Data("mine".utf8).write(to: URL(filePath: file))
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
            #expect(try mingle("photo", "save", id, link).errors.contains("\(link) already exists"))
            #expect(try mingle("photo", "save", id, link, "--force").code == 0)
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == file)
            #expect(try Data(contentsOf: URL(filePath: file)).count > 4)
            #expect(unsafe chmod(file, 0o640) == 0)
            #expect(try mingle("photo", "save", id, file, "--force").code == 0)
            #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o640)
            let (nowhere, pipe) = (folder + "/nowhere.png", folder + "/pipe.png")
            try FileManager.default.createSymbolicLink(atPath: nowhere, withDestinationPath: folder + "/gone")
            #expect(try mingle("photo", "save", id, nowhere, "--force").errors.contains("is a broken link"))
            #expect(unsafe mkfifo(pipe, 0o600) == 0)
            for place in [pipe, "/dev/null"] {
                let outcome = try mingle("photo", "save", id, place, "--force")
                #expect(outcome.code == 1 && outcome.errors.contains("\(place) is not a regular file"))
            }
        }
    }

    @Test func `Nothing beside the file is touched, and nothing is left there`() throws {
        try withPhoto { mingle, id, folder in
            let pictures = folder + "/pictures"
            try FileManager.default.createDirectory(atPath: pictures, withIntermediateDirectories: true)
            let longest = String(repeating: "x", count: 251) + ".png"
            for name in ["saved.png.part", "saved.png.new"] {
                try Data("mine".utf8).write(to: URL(filePath: "\(pictures)/\(name)"))
            }
            #expect(try mingle("photo", "save", id, pictures + "/saved.png").code == 0)
            #expect(try mingle("photo", "save", id, "\(pictures)/\(longest)").code == 0)
            #expect(try mingle("photo", "save", "nothing", pictures + "/none.png").code == 4)
            let names = try FileManager.default.contentsOfDirectory(atPath: pictures).sorted()
            #expect(names == ["saved.png", "saved.png.new", "saved.png.part", longest])
            #expect(try String(contentsOf: URL(filePath: pictures + "/saved.png.part"), encoding: .utf8) == "mine")
            let lost = try mingle("photo", "save", id, "\(folder)/none/saved.png")
            #expect(lost.code == 4 && lost.errors.contains("none/saved.png: its folder does not exist"))
        }
    }

    @Test(.enabled(if: SmallDisk.isPossible, "No file system can be mounted here"))
    func `A disk without room is said to be full, and the file that was there stays`() throws {
        try withPhoto { mingle, id, folder in
            let disk = folder + "/disk", file = disk + "/saved.png"
            let isThere = try SmallDisk.mount(at: disk)
            try #require(isThere)
            defer { _ = unsafe umount(disk) }
            try Data("mine".utf8).write(to: URL(filePath: file))
            try? Data(count: 8192).write(to: URL(filePath: disk + "/rest"))
            let outcome = try mingle("photo", "save", id, file, "--force")
            #expect(outcome.code == 14)
            #expect(outcome.errors == "mingle: The disk that holds \(file) is full. Free some space and try again.\n")
            #expect(try String(contentsOf: URL(filePath: file), encoding: .utf8) == "mine")
        }
    }
}

/// A file system in memory with room for two pages, which somebody mounts who may.
private enum SmallDisk {
    static let isPossible =
        (try? Mingle.withFolder { folder in
            defer { _ = unsafe umount(folder + "/disk") }
            return try mount(at: folder + "/disk")
        }) ?? false

    static func mount(at path: String) throws -> Bool {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return unsafe Glibc.mount("tmpfs", path, "tmpfs", 0, "size=8k") == 0
    }
}
