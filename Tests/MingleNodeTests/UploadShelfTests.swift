// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleModel
import NodeTestSupport
import Synchronization
import Testing

@testable import MingleNode

/// Uploads that come in parts, without HTTP and without pictures.
@Suite(.timeLimit(.minutes(1)))
struct UploadShelfTests {
    /// A shelf that a test can close and open, with a clock and a disk of its own.
    private struct Bench {
        let folder: String
        let time = Value(0)
        let free = Value(Int64(1 << 40))
        var limits = UploadLimits()

        /// Opens the shelf as a node that starts does.
        func open() -> UploadShelf {
            UploadShelf(
                folder: folder,
                limits: limits,
                now: { [time] in time.current },
                freeBytes: { [free] in Int(free.current) }
            )
        }

        var files: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted() }
    }

    /// A number that changes under a test's hand.
    private final class Value: Sendable {
        private let value: Mutex<Int64>

        init(_ value: Int64) { self.value = Mutex(value) }

        var current: Int64 { value.withLock { $0 } }
        func set(_ new: Int64) { value.withLock { $0 = new } }
        func add(_ more: Int64) -> Int64 {
            value.withLock { value in
                value += more
                return value
            }
        }
    }

    private func withBench(_ limits: UploadLimits = UploadLimits(), _ body: (Bench) async throws -> Void) async throws {
        try await withTemporaryFolder { path in
            try await body(Bench(folder: path + "/unfinished", limits: limits))
        }
    }

    private static let picture = PhotoUpload(path: "", name: "cat.jpg", title: "Cat", keepsLocation: true)

    private func send(_ bytes: [UInt8], to id: String, at offset: Int, on shelf: UploadShelf, _ owner: String = "")
        throws
    {
        try shelf.write(bytes, by: shelf.append(to: id, at: offset, owner: owner))
    }

    private func isProblem(_ name: API.Problem.Name) -> (any Error) -> Bool { { ($0 as? API.Problem)?.name == name } }

    private func sharing(_ id: String) -> @Sendable (PhotoUpload) async throws -> API.Photo {
        { [photo = photo(id)] _ in photo }
    }

    private func photo(_ id: String) -> API.Photo {
        let ana = API.Person(
            id: "a",
            name: "Ana",
            me: true,
            level: "guest",
            fingerprint: "",
            here: true,
            joined: Date(milliseconds: 0)
        )
        return API.Photo(
            id: id,
            author: ana,
            title: "Cat",
            name: "cat.jpg",
            posted: Date(milliseconds: 0),
            width: 1,
            height: 1,
            mime: "image/jpeg",
            size: 6,
            held: API.Photo.Held(thumbnail: true, preview: true, original: true, bytes: 6),
            faves: 0,
            faved: false,
            bookmarked: false,
            comments: 0,
            private: false,
            mine: true
        )
    }

    @Test func `what came before a crash is there after it, and the whole file is shared as it was described`()
        async throws
    {
        try await withBench { bench in
            let id = try bench.open().begin(Self.picture, length: 6, owner: "").id
            try send([1, 2, 3, 4], to: id, at: 0, on: bench.open())
            let shelf = bench.open()
            #expect(try shelf.progress(of: id, owner: "").offset == 4)
            try send([5, 6], to: id, at: 4, on: shelf)
            let shared = try await shelf.finish(id, owner: "") { [photo = photo("p")] upload in
                #expect(FileManager.default.contents(atPath: upload.path) == Data([1, 2, 3, 4, 5, 6]))
                #expect(upload.name == "cat.jpg" && upload.title == "Cat" && upload.keepsLocation)
                return photo
            }
            #expect(shared.id == "p")
            #expect(bench.files == [id + ".json"])
        }
    }

    @Test func `a photo is shared once, whoever asks again meanwhile, later, or after a restart`() async throws {
        try await withBench { bench in
            let shelf = bench.open()
            let id = try shelf.begin(Self.picture, length: 1, owner: "").id
            try send([1], to: id, at: 0, on: shelf)
            let count = Value(0)
            let share: @Sendable (PhotoUpload) async throws -> API.Photo = { [photo = photo("p")] _ in
                _ = count.add(1)
                return photo
            }
            async let first = shelf.finish(id, owner: "", by: share)
            async let second = shelf.finish(id, owner: "", by: share)
            let both = try await [first, second]
            #expect(both.map(\.id) == ["p", "p"])
            let reopened = bench.open()
            #expect(try reopened.progress(of: id, owner: "").offset == 1)
            #expect(try reopened.append(to: id, at: 1, owner: "").isComplete)
            let later = try await reopened.finish(id, owner: "", by: share)
            #expect(later.id == "p")
            #expect(count.current == 1)
        }
    }

    @Test func `a file that could not be shared is tried again`() async throws {
        try await withBench { bench in
            let shelf = bench.open()
            let id = try shelf.begin(Self.picture, length: 1, owner: "").id
            await #expect(throws: API.Problem.self) {
                try await shelf.finish(id, owner: "", by: sharing("p"))
            }
            try send([1], to: id, at: 0, on: shelf)
            await #expect(throws: API.Problem.self) {
                try await shelf.finish(id, owner: "") { _ in throw API.Problem(.unavailable, "Not now.") }
            }
            let shared = try await shelf.finish(id, owner: "", by: sharing("p"))
            #expect(shared.id == "p")
        }
    }

    @Test func `bytes go where the file ends, from one sender, and never beyond its length`() async throws {
        try await withBench { bench in
            let shelf = bench.open()
            let id = try shelf.begin(Self.picture, length: 4, owner: "").id
            let early = try shelf.append(to: id, at: 0, owner: "")
            try shelf.write([1, 2], by: early)
            for wrong in [0, 1, 3, 9] {
                #expect(throws: WrongOffset(offset: 2)) { try shelf.append(to: id, at: wrong, owner: "") }
            }
            #expect(try shelf.progress(of: id, owner: "").offset == 2)
            // The first request was thought lost, and its bytes come late.
            #expect(performing: { try shelf.write([9, 9], by: early) }, throws: isProblem(.conflict))
            let late = try shelf.append(to: id, at: 2, owner: "")
            #expect(performing: { try shelf.write([3, 4, 5], by: late) }, throws: isProblem(.badRequest))
            #expect(try shelf.progress(of: id, owner: "").offset == 2)
        }
    }

    @Test func `what one owner uploads is not there for another`() async throws {
        try await withBench { bench in
            let shelf = bench.open()
            let id = try shelf.begin(Self.picture, length: 4, owner: "ana").id
            let calls: [() throws -> Void] = [
                { _ = try shelf.progress(of: id, owner: "ben") }, { _ = try shelf.append(to: id, at: 0, owner: "") },
                { try shelf.drop(id, owner: "ben") }, { _ = try shelf.progress(of: "../" + id, owner: "ana") },
            ]
            for call in calls { #expect(performing: call, throws: isProblem(.notFound)) }
            try shelf.drop(id, owner: "ana")
            #expect(bench.files.isEmpty)
            _ = try shelf.begin(Self.picture, length: 4, owner: "ana")
            shelf.dropAll(of: "ben")
            #expect(bench.files.count == 2)
            shelf.dropAll(of: "ana")
            #expect(bench.files.isEmpty)
            var fair = Self.picture
            fair.event = "fair"
            _ = try shelf.begin(fair, length: 4, owner: "ana")
            shelf.dropAll(ofEvent: "party")
            #expect(bench.files.count == 2)
            shelf.dropAll(ofEvent: "fair")
            #expect(bench.files.isEmpty)
        }
    }

    @Test func `a full disk refuses more, and keeps what came`() async throws {
        try await withBench { bench in
            let shelf = bench.open()
            let id = try shelf.begin(Self.picture, length: 4, owner: "").id
            try send([1, 2], to: id, at: 0, on: shelf)
            bench.free.set(Int64(DiskRoom.reserve))
            #expect(performing: { try send([3], to: id, at: 2, on: shelf) }, throws: isProblem(.noSpace))
            #expect(
                performing: { try shelf.begin(Self.picture, length: 1, owner: "") },
                throws: isProblem(.noSpace)
            )
            bench.free.set(1 << 40)
            // The disk fills up while bytes come.
            let (part, kept) = ("\(bench.folder)/\(id).part", "\(bench.folder)/kept")
            let writer = try shelf.append(to: id, at: 2, owner: "")
            #expect(writer.offset == 2)
            try FileManager.default.moveItem(atPath: part, toPath: kept)
            try FileManager.default.createSymbolicLink(atPath: part, withDestinationPath: "/dev/full")
            #expect(performing: { try send([1], to: id, at: 0, on: shelf) }, throws: isProblem(.noSpace))
            try FileManager.default.removeItem(atPath: part)
            try FileManager.default.moveItem(atPath: kept, toPath: part)
            #expect(try shelf.progress(of: id, owner: "").offset == 2)
        }
    }

    @Test func `a file that is too large or empty is refused before its first byte`() async throws {
        try await withBench { bench in
            let shelf = bench.open()
            _ = try shelf.begin(Self.picture, length: 128 << 20, owner: "")
            let large = { _ = try shelf.begin(Self.picture, length: (128 << 20) + 1, owner: "") }
            #expect(performing: large, throws: isProblem(.tooLarge))
            #expect(
                performing: { try shelf.begin(Self.picture, length: 0, owner: "") },
                throws: isProblem(.badRequest)
            )
        }
    }

    @Test func `an owner has so many unfinished uploads; those that nobody goes on with make room`() async throws {
        var limits = UploadLimits()
        (limits.ofOwner, limits.inAll) = (.init(uploads: 2, bytes: 100), .init(uploads: 3, bytes: 150))
        try await withBench(limits) { bench in
            let shelf = bench.open()
            let first = try shelf.begin(Self.picture, length: 10, owner: "ana").id
            bench.time.set(1)
            #expect(
                performing: { try shelf.begin(Self.picture, length: 91, owner: "ana") },
                throws: isProblem(.tooMany)
            )
            let second = try shelf.begin(Self.picture, length: 90, owner: "ana").id
            #expect(performing: { try shelf.begin(Self.picture, length: 1, owner: "ana") }, throws: isProblem(.tooMany))
            #expect(
                performing: { try shelf.begin(Self.picture, length: 51, owner: "ben") },
                throws: isProblem(.tooMany)
            )
            _ = try shelf.begin(Self.picture, length: 5, owner: "ben")
            bench.time.set(limits.patience)
            _ = try shelf.begin(Self.picture, length: 1, owner: "ana")
            #expect(performing: { try shelf.progress(of: first, owner: "ana") }, throws: isProblem(.notFound))
            #expect(try shelf.progress(of: second, owner: "ana").length == 90)
        }
    }

    @Test func `uploads and outcomes are gone after a day, and so are files of no upload`() async throws {
        try await withBench { bench in
            let shelf = bench.open()
            _ = try shelf.begin(Self.picture, length: 2, owner: "")
            let whole = try shelf.begin(Self.picture, length: 1, owner: "").id
            try send([1], to: whole, at: 0, on: shelf)
            bench.time.set(10)
            _ = try await shelf.finish(whole, owner: "", by: sharing("p"))
            bench.time.set(bench.limits.lifetime)
            shelf.expire()
            #expect(bench.files == [whole + ".json"])
            try Data([1]).write(to: URL(filePath: bench.folder + "/stray.part"))
            try Data("{".utf8).write(to: URL(filePath: bench.folder + "/torn.json"))
            _ = bench.open()
            #expect(bench.files == [whole + ".json"])
            bench.time.set(bench.limits.lifetime + 10)
            _ = bench.open()
            #expect(bench.files.isEmpty)
        }
    }

    @Test func `of outcomes the oldest go first`() async throws {
        var limits = UploadLimits()
        limits.outcomes = 1
        try await withBench(limits) { bench in
            let shelf = bench.open()
            let ids = try await [Int64(1), 2].asyncMap { time in
                bench.time.set(time)
                let id = try shelf.begin(Self.picture, length: 1, owner: "").id
                try send([1], to: id, at: 0, on: shelf)
                _ = try await shelf.finish(id, owner: "", by: sharing("p"))
                return id
            }
            shelf.expire()
            #expect(bench.files == [ids[1] + ".json"])
        }
    }
}

extension [Int64] {
    fileprivate func asyncMap<Result>(_ body: (Int64) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await body(element)) }
        return results
    }
}
