// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleModel
import MingleWire
import NodeTestSupport
import SystemPackage
import Testing

@testable import MingleNode

struct DataFolderTests {
    private func permissions(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `a folder that is open is refused to others until it is let go of`() async throws {
        try await withTemporaryFolder { path in
            var first: DataFolder? = try DataFolder(path)
            #expect(first?.path == path)
            let error = try #require(throws: DataFolderError.self) { try DataFolder(path) }
            guard case .inUse(path) = error else { throw error }
            #expect("\(error)".contains(path) && "\(error)".contains("--data"))
            // By another name it is still the same folder.
            #expect(throws: DataFolderError.self) {
                try DataFolder(path + "/../" + (path as NSString).lastPathComponent)
            }
            withExtendedLifetime(first) {}
            first = nil
            _ = try DataFolder(path)
        }
    }

    @Test func `a file in the folder's place is named in plain words`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/file"
            try Data("words".utf8).write(to: URL(fileURLWithPath: path))
            for place in [path, path + "/below"] {
                let error = try #require(throws: DataFolderError.self) { try DataFolder(place) }
                #expect("\(error)".contains("Not a directory") && !"\(error)".contains("NSCocoa"), "\(error)")
            }
        }
    }

    @Test(arguments: ["uploads", "importing"])
    func `a folder that no node has used is refused where a node would empty what is in it`(name: String) async throws {
        try await withTemporaryFolder { folder in
            let mine = "\(folder)/www/\(name)/mine"
            try FileManager.default.createDirectory(atPath: mine, withIntermediateDirectories: true)
            let error = try #require(throws: DataFolderError.self) { try DataFolder(folder + "/www") }
            #expect("\(error)".contains("it contains \(name),"), "\(error)")
            #expect(FileManager.default.fileExists(atPath: mine))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/www") == [name])
        }
    }

    @Test func `no node keeps its own where another one empties or counts`() async throws {
        try await withTemporaryFolder { path in
            let folder = try DataFolder(path)
            for place in ["events", "events/mine", "uploads/a/b", "importing"] {
                let error = try #require(throws: DataFolderError.self) { try DataFolder("\(path)/\(place)") }
                #expect("\(error)".contains("which belongs to another node"), "\(error)")
            }
            _ = try DataFolder(path + "/second")
            withExtendedLifetime(folder) {}
        }
    }

    @Test func `a refused opening takes nothing from who has the folder`() async throws {
        try await withTemporaryFolder { path in
            let folder = try DataFolder(path)
            let upload = path + "/uploads/half"
            try Data([1]).write(to: URL(fileURLWithPath: upload))
            for _ in 0..<3 { #expect(throws: DataFolderError.self) { try DataFolder(path) } }
            #expect(FileManager.default.fileExists(atPath: upload))
            withExtendedLifetime(folder) {}
        }
    }

    @Test func `a file that was removed and made anew is not the one that was opened before`() async throws {
        try await withTemporaryFolder { path in
            let name = path + "/node.lock"
            let open = {
                try FileDescriptor.open(FilePath(name), .readWrite, options: .create, permissions: .ownerReadWrite)
            }
            let first = try open()
            #expect(DataFolder.isName(name, of: first))
            try FileManager.default.removeItem(atPath: name)
            #expect(!DataFolder.isName(name, of: first))
            let second = try open()
            #expect(!DataFolder.isName(name, of: first) && DataFolder.isName(name, of: second))
            try first.close()
            try second.close()
        }
    }

    @Test func `a path that is too long for the socket is refused with its limit`() throws {
        let path = FileManager.default.temporaryDirectory.path + "/" + String(repeating: "x", count: 100)
        #expect { try DataFolder(path) } throws: { "\($0)".contains("longer than 97 bytes") }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `a place where no folder can be is unusable, and it is said what to do`() async throws {
        try await withTemporaryFolder { path in
            let file = path + "/file"
            try Data().write(to: URL(fileURLWithPath: file))
            let error = try #require(throws: DataFolderError.self) { try DataFolder(file) }
            guard case .unusable(file, _) = error else { throw error }
            #expect("\(error)".contains(file) && "\(error)".contains("--data"))
        }
    }

    @Test func `a folder is made with those above it, for its owner alone`() async throws {
        try await withTemporaryFolder { path in
            let deep = path + "/a/b/c"
            let folder = try DataFolder(deep)
            #expect(try permissions(deep) == 0o700 && permissions(deep + "/events") == 0o700)
            #expect(try permissions(deep + "/node.lock") == 0o600)
            #expect(folder.socketPath == deep + "/node.sock")
        }
    }

    @Test func `settings are kept, and damaged ones are begun anew`() async throws {
        try await withTemporaryFolder { path in
            let folder = try DataFolder(path)
            #expect(folder.loadSettings().name == nil)
            try folder.save(DataFolder.Settings(name: "Ana", current: "event", port: 4781))
            let settings = folder.loadSettings()
            #expect(settings.name == "Ana" && settings.current == "event" && settings.port == 4781)
            #expect(try permissions(path + "/node.json") == 0o600)
            try Data("{".utf8).write(to: URL(fileURLWithPath: path + "/node.json"))
            #expect(folder.loadSettings().name == nil)
        }
    }

    @Test func `uploads that were left behind are gone`() async throws {
        try await withTemporaryFolder { path in
            _ = try DataFolder(path)
            try Data([1]).write(to: URL(fileURLWithPath: path + "/uploads/half"))
            let folder = try DataFolder(path)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/uploads").isEmpty)
        }
    }

    @Test func `what is no event's folder is left alone`() async throws {
        try await withTemporaryFolder { path in
            let folder = try DataFolder(path)
            #expect(folder.events().isEmpty)
            let events = [TransportNode.event(1).event, TransportNode.event(2).event]
            for name in events.map(\.description) + [".hidden", "notes", String(repeating: "a", count: 51)] {
                try FileManager.default.createDirectory(
                    atPath: "\(path)/events/\(name)",
                    withIntermediateDirectories: true
                )
            }
            #expect(folder.events() == events.sorted { $0.description < $1.description })
            #expect(folder.eventPath(events[0]) == "\(path)/events/\(events[0])")
        }
    }

    @Test func `a file is replaced as a whole`() async throws {
        try await withTemporaryFolder { path in
            let file = path + "/file"
            try SafeFile.write([1, 2, 3, 4], to: file)
            try SafeFile.write([5], to: file)
            #expect(FileManager.default.contents(atPath: file) == Data([5]))
            #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["file"])
            #expect(throws: (any Error).self) { try SafeFile.write([1], to: path + "/missing/file") }
        }
    }

    @Test func `free space is told where it can be`() async throws {
        try await withTemporaryFolder { path in
            #expect(SafeFile.freeBytes(at: path) ?? 0 > 0)
            #expect(SafeFile.freeBytes(at: path + "/missing") == nil)
        }
    }
}
