// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import MingleAPI
import MingleNode
import NIOCore
import NodeTestSupport
import Testing

@testable import MingleWeb

/// Uploads that go on after a break, as clients make them.
@Suite(.timeLimit(.minutes(2)))
struct UploadRouteTests {
    private func begin(_ length: Int, _ query: String = "name=cat.jpg&title=Cat", by browser: Browser) async throws
        -> String
    {
        let answer = try await browser.send(.post, "/api/v1/uploads?\(query)", [.uploadLength: "\(length)"])
        #expect(answer.status == 201, "\(answer.text)")
        let upload = try API.decode(API.Upload.self, from: Data(answer.bytes))
        #expect(answer.headers[.location] == "/api/v1/uploads/\(upload.id)")
        return "/api/v1/uploads/\(upload.id)"
    }

    private func patch(_ path: String, at offset: Int, _ body: RequestBody, by browser: Browser) async throws -> Answer
    {
        try await browser.send(.patch, path, [.uploadOffset: "\(offset)"], body: body)
    }

    @Test func `an upload goes on after breaks and a restart, and becomes one photo`() async throws {
        try await withTemporaryFolder { folder in
            let picture = try Picture.large
            let (half, most) = (picture.count / 2, picture.count - 10)
            let path = try await withNode(folder) { node in
                _ = try await node.createEvent(title: "Party")
                let browser = Browser(node)
                let path = try await begin(picture.count, by: browser)
                let broken = try await patch(path, at: 0, .broken(after: Array(picture[..<half])), by: browser)
                #expect(broken.isProblem(.badRequest, "was interrupted"))
                let head = try await browser.send(.head, path)
                #expect(head.status == 200 && head.headers[.cacheControl] == "no-store")
                #expect(head.headers[.uploadOffset] == "\(half)")
                #expect(head.headers[.uploadLength] == "\(picture.count)")
                let part = try await patch(path, at: half, .parts([Array(picture[half..<most])]), by: browser)
                #expect(part.status == 204 && part.headers[.uploadOffset] == "\(most)")
                return path
            }
            try await withNode(folder) { node in
                let browser = Browser(node)
                let wrong = try await patch(path, at: half, .parts([[1]]), by: browser)
                #expect(wrong.isProblem(.conflict) && wrong.headers[.uploadOffset] == "\(most)")
                let last = try await patch(path, at: most, .parts([Array(picture[most...])]), by: browser)
                #expect(last.status == 201, "\(last.text)")
                let photo = try API.decode(API.Photo.self, from: Data(last.bytes))
                #expect(photo.title == "Cat" && photo.name == "cat.jpg")
                // The answer was lost.
                let again = try await patch(path, at: picture.count, .nothing, by: browser)
                #expect(try API.decode(API.Photo.self, from: Data(again.bytes)).id == photo.id)
                let listed = try await browser.value(API.Envelope.Photos.self, .get, "photos")
                #expect(listed.photos.map(\.id) == [photo.id])
                #expect(try await browser.send(.delete, path).status == 204)
                #expect(try await browser.send(.head, path).status == 404)
            }
        }
    }

    @Test func `what cannot become a photo is refused by its name, early where that can be told`() async throws {
        try await withEvent { browser in
            let post = "/api/v1/uploads?name=cat.jpg"
            let large = try await browser.send(.post, post, [.uploadLength: "\((128 << 20) + 1)"])
            #expect(large.isProblem(.tooLarge, "128 MiB"))
            for length in ["", "-1", "1.5", "99999999999999999999"] {
                let answer = try await browser.send(.post, post, [.uploadLength: length])
                #expect(answer.isProblem(.badRequest, "Upload-Length"))
            }
            #expect(try await browser.send(.post, post).isProblem(.badRequest, "Upload-Length"))
            let there = try await browser.send(.post, post + "&target=aaaa", [.uploadLength: "1"])
            #expect(there.isProblem(.notFound))
            let path = try await begin(3, by: browser)
            let page = try await patch(path, at: 0, .parts([[1, 2, 3]]), by: browser)
            #expect(page.isProblem(.notAPicture, "cat.jpg"))
            let more = try await patch(
                try await begin(3, by: browser),
                at: 0,
                .parts([[1, 2, 3, 4], [5]]),
                by: browser
            )
            #expect(more.isProblem(.badRequest, "Upload-Length"))
            #expect(try await patch("/api/v1/uploads/x", at: 0, .parts([[1]]), by: browser).isProblem(.notFound))
        }
    }

    @Test func `an upload stays with its event, whichever is the current one at its end`() async throws {
        try await withEvent { browser in
            let picture = try Picture.small
            let path = try await begin(picture.count, by: browser)
            let first = try await browser.value(API.Envelope.Events.self, .get, "events").events.first?.id
            _ = try await browser.node.createEvent(title: "Another")
            let last = try await patch(path, at: 0, .parts([picture]), by: browser)
            #expect(last.status == 201, "\(last.text)")
            #expect(try await browser.call(.get, "photos").text == #"{"photos":[]}"#)
            let event = try #require(first)
            let listed = try await browser.value(API.Envelope.Photos.self, .get, "photos?event=\(event)")
            #expect(listed.photos.count == 1)
        }
    }

    @Test func `the routes serve several owners, each its own uploads`() async throws {
        try await withEvent { browser in
            let node = browser.node
            let router = Router(context: WebContext.self, options: .autoGenerateHeadEndpoints)
            router.add(middleware: ProblemMiddleware())
            UploadRoutes(
                shelf: node.uploads,
                owner: { request, _ in request.headers[.userAgent] ?? "" },
                prepare: { upload, _, _ in upload },
                finish: { upload, _, _ in try await node.addPhoto(upload, event: upload.event) }
            ).add(to: CallRouter(router.group("api/v1")))
            let door = Browser(node, router)
            let ana: HTTPFields = [.userAgent: "ana", .uploadLength: "3"]
            let begun = try await door.send(.post, "/api/v1/uploads?name=a.jpg", ana)
            let path = try #require(begun.headers[.location])
            #expect(try await door.send(.head, path, [.userAgent: "ana"]).status == 200)
            #expect(try await door.send(.head, path, [.userAgent: "ben"]).status == 404)
            #expect(try await browser.send(.head, path).status == 404)
        }
    }
}
