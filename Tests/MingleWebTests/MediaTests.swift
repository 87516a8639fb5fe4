// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import MingleAPI
import MingleMedia
import MingleNode
import NodeTestSupport
import Testing

@testable import MingleWeb

/// Pictures' bytes, whole and in part (RFC 9110, sections 13 and 14).
@Suite(.timeLimit(.minutes(5)))
struct MediaTests {
    /// Lends a browser, the path of an original of several chunks, and its bytes.
    private func withOriginal(_ body: (Browser, String, Answer) async throws -> Void) async throws {
        try await withEvent { browser in
            let photo = try await browser.share(Picture.large)
            let path = "/api/v1/media/\(photo.id)/original"
            let whole = try await browser.send(.get, path)
            #expect(whole.bytes.count == photo.size && whole.bytes.count > 128 << 10)
            try await body(browser, path, whole)
        }
    }

    private func range(_ value: String, _ more: HTTPFields = [:]) -> HTTPFields {
        var headers = more
        headers[.range] = value
        return headers
    }

    @Test func `each form of a photo is served whole, to be kept for good`() async throws {
        try await withEvent { browser in
            let photo = try await browser.share(Picture.small)
            var tags: Set<String> = []
            for form in ["thumbnail", "preview", "original"] {
                let answer = try await browser.send(.get, "/api/v1/media/\(photo.id)/\(form)")
                #expect(answer.status == 200 && answer.headers[.contentType] == "image/jpeg")
                #expect(answer.bytes.starts(with: [0xFF, 0xD8, 0xFF]) && answer.bytes.suffix(2) == [0xFF, 0xD9])
                #expect(answer.headers[.cacheControl] == "private, max-age=31536000, immutable")
                #expect(answer.headers[.acceptRanges] == "bytes" && answer.headers[.contentDisposition] == nil)
                let tag = try #require(answer.headers[.eTag])
                #expect(tag.hasPrefix("\"") && tag.hasSuffix("\""))
                tags.insert(tag)
            }
            #expect(tags.count == 3)
            #expect(try await browser.call(.get, "media/\(photo.id)/huge").isProblem(.notFound))
            #expect(try await browser.call(.get, "media/\(photo.id)").isProblem(.notFound))
            #expect(try await browser.call(.get, "media/\(photo.id)/picture").isProblem(.notFound))
        }
    }

    @Test func `of a video a clip is shared, which plays from any place and is listed with the photos`() async throws {
        try await withEvent { browser in
            let (photo, clip) = (
                try await browser.share(Picture.small), try await browser.share(Picture.video, "name=IMG_1.MOV")
            )
            #expect(clip.mime == "video/mp4" && clip.name == "IMG_1.mp4" && clip.width == 120 && clip.height == 120)
            #expect(clip.durationMs.map { abs($0 - 6000) < 150 } == true && photo.durationMs == nil)
            let path = "/api/v1/media/\(clip.id)/original"
            let whole = try await browser.send(.get, path)
            #expect(whole.headers[.contentType] == "video/mp4" && whole.headers[.contentDisposition] == nil)
            let part = try await browser.send(.get, path, range("bytes=4-7"))
            #expect(part.status == 206 && part.bytes == Array("ftyp".utf8))
            let still = try await browser.send(.get, "/api/v1/media/\(clip.id)/thumbnail")
            #expect(still.headers[.contentType] == "image/jpeg")

            let again = try await browser.send(.put, "/api/v1/photos", body: .parts([try Picture.video]))
            #expect(again.status == 200 && again.members.contains("already_shared"))
            let all = try await browser.value(API.Envelope.Photos.self, .get, "photos").photos.map(\.id)
            let clips = try await browser.value(API.Envelope.Photos.self, .get, "photos?clips=true").photos.map(\.id)
            #expect(all == [clip.id, photo.id] && clips == [clip.id])
            let short = Array(try Picture.video.prefix(100))
            let answer = try await browser.send(.put, "/api/v1/photos", body: .parts([short]))
            #expect(answer.isProblem(.notAPicture, "clip"))
        }
    }

    @Test func `all pixels of a photo are served as a JPEG, whatever its format`() async throws {
        try await withEvent { browser in
            for (file, width) in [(try Picture.heic, 1800), (try Picture.avif, 96), (try Picture.png, 40)] {
                let photo = try await browser.share(file)
                let path = "/api/v1/media/\(photo.id)/jpeg"
                let answer = try await browser.send(.get, path)
                #expect(answer.status == 200 && answer.headers[.contentType] == "image/jpeg")
                #expect(answer.headers[.contentSecurityPolicy] == "default-src 'none'; sandbox")
                #expect(try StrippedPicture(answer.bytes, keepingLocation: true).width == width)
                let tag = try #require(answer.headers[.eTag])
                #expect(try await browser.send(.get, path, [.ifNoneMatch: tag]).status == 304)
                let saved = try await browser.send(.get, path + "?download=1")
                #expect(saved.headers[.contentDisposition]?.hasSuffix("%2Ejpg") == true && saved.bytes == answer.bytes)
            }
            // What is a JPEG already is not made again.
            let photo = try await browser.share(Picture.small)
            let original = try await browser.send(.get, "/api/v1/media/\(photo.id)/original")
            #expect(try await browser.send(.get, "/api/v1/media/\(photo.id)/jpeg").bytes == original.bytes)
        }
    }

    @Test func `a range is answered with just these bytes`() async throws {
        try await withOriginal { browser, path, whole in
            let (bytes, size) = (whole.bytes, whole.bytes.count)
            let chunk = 64 << 10
            for (header, part) in [
                ("bytes=0-0", 0..<1), ("bytes=\(chunk - 2)-\(chunk + 1)", (chunk - 2)..<(chunk + 2)),
                ("bytes=1-\(size - 2)", 1..<(size - 1)), ("bytes=\(size - 1)-", (size - 1)..<size),
                ("bytes=-5", (size - 5)..<size), ("bytes=100-99999999", 100..<size),
            ] {
                let answer = try await browser.send(.get, path, range(header))
                #expect(answer.status == 206 && answer.bytes == Array(bytes[part]), "\(header)")
                let expected = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)"
                #expect(answer.headers[.contentRange] == expected, "\(header)")
                #expect(
                    answer.headers[.contentLength] == "\(part.count)" && answer.headers[.eTag] == whole.headers[.eTag]
                )
            }
            for header in ["bytes=0-1,3-4", "items=0-1", "bytes=5-4", "x"] {
                let answer = try await browser.send(.get, path, range(header))
                #expect(
                    answer.status == 200 && answer.bytes == bytes && answer.headers[.contentRange] == nil,
                    "\(header)"
                )
            }
        }
    }

    @Test func `a range of which there is nothing cannot be satisfied`() async throws {
        try await withOriginal { browser, path, whole in
            for header in ["bytes=\(whole.bytes.count)-", "bytes=-0", "bytes=99999999999999999999-"] {
                let answer = try await browser.send(.get, path, range(header))
                #expect(answer.status == 416 && answer.bytes.isEmpty, "\(header)")
                #expect(answer.headers[.contentRange] == "bytes */\(whole.bytes.count)")
                #expect(answer.headers[.cacheControl] == "no-store")
            }
        }
    }

    @Test(arguments: [("", false), ("?download=0", false), ("?download=false", false), ("?download=1", true)])
    func `an original is a download if the client says so`(query: String, isDownload: Bool) async throws {
        try await withOriginal { browser, path, _ in
            let answer = try await browser.send(.get, path + query)
            #expect(answer.status == 200 && (answer.headers[.contentDisposition] != nil) == isDownload)
            #expect(try await browser.send(.get, "\(path)?download=maybe").isProblem(.badRequest, "download"))
        }
    }

    @Test func `a range of another version is answered with all`() async throws {
        try await withOriginal { browser, path, whole in
            let tag = try #require(whole.headers[.eTag])
            let name = try #require(HTTPField.Name("If-Range"))
            #expect(try await browser.send(.get, path, range("bytes=0-1", [name: tag])).status == 206)
            for other in ["\"other\"", "W/\(tag)", "Wed, 21 Oct 2015 07:28:00 GMT", ""] {
                let answer = try await browser.send(.get, path, range("bytes=0-1", [name: other]))
                #expect(answer.status == 200 && answer.bytes == whole.bytes, "\(other)")
            }
        }
    }

    @Test func `what a client holds is not sent again`() async throws {
        try await withOriginal { browser, path, whole in
            let tag = try #require(whole.headers[.eTag])
            for tags in [tag, "W/\(tag)", "\"a\", \(tag)", "\"a\",\(tag),\"b\"", "*"] {
                let answer = try await browser.send(.get, path, range("bytes=0-1", [.ifNoneMatch: tags]))
                #expect(answer.status == 304 && answer.bytes.isEmpty && answer.headers[.eTag] == tag, "\(tags)")
            }
            for tags in ["\"a\"", "", "\"a\", \"b\"", String(tag.dropFirst().dropLast())] {
                #expect(try await browser.send(.get, path, [.ifNoneMatch: tags]).status == 200, "\(tags)")
            }
        }
    }

    @Test func `the head alone is sent to those who ask for it, and of all`() async throws {
        try await withOriginal { browser, path, whole in
            for headers in [[:], range("bytes=0-1"), range("bytes=99999999-")] {
                let answer = try await browser.send(.head, path, headers)
                #expect(answer.status == 200 && answer.bytes.isEmpty)
                #expect(answer.headers[.contentLength] == "\(whole.bytes.count)")
                #expect(answer.headers[.eTag] == whole.headers[.eTag] && answer.headers[.contentRange] == nil)
            }
            try await browser.send(.head, "/api/v1/media/x/original").expect404()
        }
    }

    @Test func `a browser that leaves ends the reading`() async throws {
        try await withOriginal { browser, path, _ in
            let (page, response) = (Page(), try await browser.open(.get, path))
            page.leave()
            await #expect(throws: (any Error).self) { try await response.body.write(PageWriter(page: page)) }
            #expect(!page.isFinished)
        }
    }

    @Test func `what this node does not hold can be asked for again later`() async throws {
        try await withTemporaryFolder { folder in
            let (event, photo) = try await withNode(folder) { node in
                let event = try await node.createEvent(title: "Party").id
                return (event, try await Browser(node).share(Picture.small).id)
            }
            try FileManager.default.removeItem(atPath: "\(folder)/events/\(event)/blobs")
            try await withNode(folder) { node in
                let browser = Browser(node)
                let held = try await browser.value(API.Photo.self, .get, "photos/\(photo)").held
                #expect(!held.thumbnail && !held.preview && !held.original && held.bytes == 0)
                for form in ["thumbnail", "preview", "original"] {
                    let answer = try await browser.call(.get, "media/\(photo)/\(form)")
                    #expect(answer.isProblem(.unavailable, "has not arrived"), "\(form)")
                    #expect(answer.headers[.retryAfterSeconds] == "5" && answer.headers[.eTag] == nil)
                }
            }
        }
    }
}

extension Answer {
    /// Fails the test unless this is the head of a problem that says that there is nothing.
    fileprivate func expect404() {
        #expect(status == 404 && bytes.isEmpty && headers[.contentType] == "application/problem+json")
    }
}
