// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import MingleAPI
import MingleEvent
import MingleMedia
import MingleModel
import MingleNode
import NodeTestSupport
import Testing

@testable import MingleWeb

/// Photos to take home.
@Suite(.timeLimit(.minutes(5)))
struct ArchiveRouteTests {
    private struct Fault: Error {}

    /// The files of an archive, as Python reads them, with their texts where they are texts.
    private func files(_ answer: Answer) throws -> [String: Data] {
        #expect(answer.status == 200 && answer.headers[.contentType] == "application/zip", "\(answer.text.prefix(300))")
        return try files(answer.bytes)
    }

    private func files(_ bytes: [UInt8]) throws -> [String: Data] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mingle-zip-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let archive = folder.appendingPathComponent("photos.zip")
        try Data(bytes).write(to: archive)
        let (python, files) = (Process(), folder.appendingPathComponent("files"))
        python.executableURL = URL(filePath: "/usr/bin/python3")
        python.arguments = ["-m", "zipfile", "-e", archive.path, files.path]
        try python.run()
        python.waitUntilExit()
        guard python.terminationStatus == 0 else { throw Fault() }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: files.path)) ?? []
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: files.appendingPathComponent($0))) }
        )
    }

    private func original(_ photo: API.Photo, _ browser: Browser) async throws -> Data {
        Data(try await browser.send(.get, "/api/v1/media/\(photo.id)/original").bytes)
    }

    @Test func `all photos come in one archive, byte for byte, under names of time and author`() async throws {
        try await withEvent { browser in
            #expect(try await browser.call(.get, "photos.zip").isProblem(.notFound, "no such photos"))
            let photos = [
                try await browser.share(Picture.small), try await browser.share(Picture.large),
                try await browser.share(Picture.avif, "name=b.avif"),
            ]
            let answer = try await browser.send(.get, "/api/v1/photos.zip")
            #expect(answer.headers[.contentDisposition] == "attachment; filename*=UTF-8''Party%2Ezip")
            let files = try files(answer)
            #expect(
                files.count == 3 && files.keys.allSatisfy { $0.hasPrefix("20") && $0.contains(photos[0].author.name) }
            )
            var originals: [Data] = []
            for photo in photos { originals.append(try await original(photo, browser)) }
            #expect(Set(files.values) == Set(originals))
            let head = try await browser.send(.head, "/api/v1/photos.zip")
            #expect(head.status == 200 && head.bytes.isEmpty)
        }
    }

    @Test func `a JPEG is made of what not every program shows, and only of that`() async throws {
        try await withEvent { browser in
            let (avif, jpeg) = (
                try await browser.share(Picture.avif, "name=b.avif"), try await browser.share(Picture.small)
            )
            let saved = try files(await browser.send(.get, "/api/v1/photos.zip?format=jpeg"))
            #expect(saved.count == 2 && saved.keys.allSatisfy { $0.hasSuffix(".jpg") })
            #expect(saved.values.allSatisfy { $0.starts(with: [0xFF, 0xD8, 0xFF]) })
            #expect(try await saved.values.contains(original(jpeg, browser)))
            #expect(try await !saved.values.contains(original(avif, browser)))
            #expect(try await browser.call(.get, "photos.zip?format=gif").isProblem(.badRequest, "format"))
        }
    }

    @Test func `a moment, what one faves, one's own, or chosen photos are saved alone`() async throws {
        try await withEvent { browser in
            let moment = try browser.node.makeMoment(.about("Dinner"), event: nil).id
            #expect(try await browser.call(.post, "moments/\(moment)/join").status == 200)
            _ = try await browser.call(
                .post,
                "moments/\(moment)/check-in",
                #"{"latitude":40.4155,"longitude":-3.7074}"#
            )
            let eaten = try await browser.share(Picture.small, "name=a.jpg&target=\(moment)")
            let faved = try await browser.share(Picture.png)
            let other = try await browser.share(Picture.large)
            #expect(try await browser.call(.put, "faves/\(faved.id)").status == 200)
            for (query, chosen) in [
                ("target=\(moment)", [eaten]), ("faved=true", [faved]), ("mine=true", [eaten, faved, other]),
                ("ids=\(eaten.id),\(other.id)", [eaten, other]), ("ids=\(eaten.id)&target=\(moment)", [eaten]),
            ] {
                let saved = try files(await browser.send(.get, "/api/v1/photos.zip?\(query)"))
                var originals: [Data] = []
                for photo in chosen { originals.append(try await original(photo, browser)) }
                #expect(Set(saved.values) == Set(originals) && saved.count == chosen.count, "\(query)")
            }
            let nothing = "photos.zip?faved=true&target=\(moment)"
            #expect(try await browser.call(.get, nothing).isProblem(.notFound))
            #expect(try await browser.call(.get, "photos.zip?target=nothing").isProblem(.notFound, "nothing"))
        }
    }

    @Test func `hundreds of ids come as JSON or by a form of the page, and by no other site's`() async throws {
        try await withEvent { browser in
            let photos = [try await browser.share(Picture.small), try await browser.share(Picture.png)]
            _ = try await browser.share(Picture.large)
            let ids = photos.map(\.id)
            let json = "{\"ids\":[\"\(ids.joined(separator: "\",\""))\"]}"
            #expect(try files(await browser.call(.post, "photos.zip", json)).count == 2)
            let form = ids.joined(separator: "%2C")
            func send(_ text: String, origin: String = "http://\(Browser.host)") async throws -> Answer {
                try await browser.send(
                    .post,
                    "/api/v1/photos.zip",
                    [.contentType: "application/x-www-form-urlencoded", .origin: origin],
                    body: .parts([Array(text.utf8)])
                )
            }
            #expect(try files(await send("ids=\(form)")).count == 2)
            // Many fit, and what is not there is not in the archive.
            let deleted = try await browser.share(Picture.avif, "name=c.avif").id
            #expect(try await browser.call(.delete, "photos/\(deleted)").status == 204)
            let many = Array(repeating: deleted, count: 4990).joined(separator: "%2C")
            #expect(try files(await send("ids=\(form)%2C\(many)")).count == 2)
            #expect(try await send("ids=\(many)%2C\(many)").isProblem(.tooLarge))
            #expect(try await send("x=1").isProblem(.badRequest, "`ids`"))
            #expect(try await send("ids=\(form)", origin: "http://evil.example").isProblem(.notAllowed))
            #expect(try await send("ids=\(form)", origin: "null").isProblem(.notAllowed))
        }
    }

    @Test func `a hidden photo is in no archive`() async throws {
        try await withEvent { browser in
            let (hidden, shown) = (try await browser.share(Picture.small), try await browser.share(Picture.png))
            #expect(try await browser.call(.put, "hidden/\(hidden.id)", #"{"reason":"rude"}"#).status == 204)
            for path in ["photos.zip", "photos.zip?ids=\(hidden.id),\(shown.id)", "photos.zip?mine=1"] {
                let saved = try files(await browser.send(.get, "/api/v1/\(path)"))
                #expect(try await Array(saved.values) == [original(shown, browser)], "\(path)")
            }
        }
    }

    @Test func `what is deleted while an archive is sent does not break it, and what is not here is listed`()
        async throws
    {
        try await withEvent { browser in
            let photos = [
                try await browser.share(Picture.large), try await browser.share(Picture.small),
                try await browser.share(Picture.png), try await browser.share(Picture.avif, "name=c.avif"),
            ]
            let node = browser.node
            let chosen = try node.service(nil).archive(PhotoChoice(), assuming: .gmt)
            let awaited = try #require(chosen.first { $0.id.description == photos[3].id })
            let archive = PhotoArchive(name: "a.zip", items: ArchivedPhotos(chosen)) { id, _ in
                if id == awaited.id { throw API.Problem(.unavailable, "Not here") }
                return try node.part(nil).openMedia(id, .original).reader
            } makeJPEG: { _ in
                throw Fault()
            }
            let large = try await original(photos[0], browser)
            var (bytes, deleted): ([UInt8], Bool) = ([], false)
            var parts = archive.parts()
            while let part = try await parts.next() {
                bytes += part
                guard !deleted, bytes.count > 100 else { continue }
                deleted = true
                // One is being sent, and one is still to come.
                for photo in photos[0...1] { _ = try await browser.call(.delete, "photos/\(photo.id)") }
            }
            let saved = try files(bytes)
            #expect(deleted && saved.values.contains(large) && saved.count == 3)
            let missing = String(decoding: try #require(saved["missing.txt"]), as: UTF8.self)
            #expect(missing.contains("have not arrived") && missing.contains(awaited.path))
            #expect(missing.split(whereSeparator: \.isNewline).count == 2)
        }
    }
}
