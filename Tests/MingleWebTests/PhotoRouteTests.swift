// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import MingleAPI
import MingleNode
import NodeTestSupport
import Testing

@testable import MingleWeb

/// Photos, their comments and faves, and profile pictures, as docs/api.md has them.
@Suite(.timeLimit(.minutes(5)))
struct PhotoRouteTests {
    @Test func `a photo is shared, shown and deleted`() async throws {
        try await withEvent { browser in
            let body = RequestBody.parts([Array(try Picture.small)])
            let answer = try await browser.send(.put, "/api/v1/photos?name=a.jpg&title=At%20the%20lake", body: body)
            #expect(answer.status == 201 && answer.headers[.contentType] == "application/json")
            #expect(
                answer.members == [
                    "author", "bookmarked", "comments", "faved", "faves", "height", "held", "id", "mime", "mine",
                    "name", "posted", "private", "size", "title", "width",
                ]
            )
            let photo = try API.decode(API.Photo.self, from: Data(answer.bytes))
            #expect(photo.width == 96 && photo.height == 64 && photo.mime == "image/jpeg" && photo.mine)
            #expect(photo.name == "a.jpg" && photo.title == "At the lake" && photo.held.original)
            #expect(try await browser.value(API.Photo.self, .get, "photos/\(photo.id)").id == photo.id)
            #expect(try await browser.call(.delete, "photos/\(photo.id)").status == 204)
            for path in ["photos/\(photo.id)", "media/\(photo.id)/thumbnail", "comments?target=\(photo.id)"] {
                #expect(try await browser.call(.get, path).isProblem(.notFound), "\(path)")
            }
            #expect(try await browser.call(.put, "faves/\(photo.id)").isProblem(.notFound))
            #expect(try await browser.call(.get, "photos").text == #"{"photos":[]}"#)
        }
    }

    @Test func `a picture that is there already is answered by the photo that it is`() async throws {
        try await withEvent { browser in
            let first = try await browser.share(Picture.small)
            let body = RequestBody.parts([try Picture.small])
            let answer = try await browser.send(.put, "/api/v1/photos?name=b.jpg&title=Again", body: body)
            #expect(answer.status == 200 && answer.members.contains("already_shared"))
            #expect(try API.decode(API.Photo.self, from: Data(answer.bytes)).id == first.id)

            // Another table of the coder is another picture of the same size.
            var other = try Picture.small
            let table = try #require(other.indices.first { other[$0...].starts(with: [0xFF, 0xDB]) })
            other[table + 68] ^= 1
            #expect(try await browser.share(other).id != first.id)
            let listed = try await browser.value(API.Envelope.Photos.self, .get, "photos").photos
            #expect(listed.count == 2 && listed.allSatisfy { $0.alreadyShared == nil })
            #expect(try await browser.call(.delete, "photos/\(first.id)").status == 204)
            #expect(try await browser.share(Picture.small).id != first.id)
        }
    }

    @Test func `photos come in pages, the newest first`() async throws {
        try await withEvent { browser in
            let (first, second) = (try await browser.share(Picture.small), try await browser.share(Picture.png))
            #expect(second.mime == "image/png" && second.name == "a.jpg.png")
            let page = try await browser.value(API.Envelope.Photos.self, .get, "photos?limit=1")
            #expect(page.photos.map(\.id) == [second.id])
            let cursor = try #require(page.next)
            let rest = try await browser.value(API.Envelope.Photos.self, .get, "photos?limit=1&before=\(cursor)")
            #expect(rest.photos.map(\.id) == [first.id])
            for limit in ["0", "-1", "501", "", "x", "99999999999999999999"] {
                let answer = try await browser.call(.get, "photos?limit=\(limit)")
                #expect(answer.isProblem(.badRequest, "1 to 500"), "\(limit)")
            }
            #expect(try await browser.call(.get, "photos?before=x").isProblem(.badRequest, "cursor"))
            #expect(try await browser.call(.get, "photos?target=x").isProblem(.notFound))
        }
    }

    @Test func `a photo hangs on a moment that one takes part in, and can be its cover`() async throws {
        try await withEvent { browser in
            let moment = try browser.node.makeMoment(.about("Dinner"), event: nil).id
            let body = RequestBody.parts([try Picture.small])
            let early = try await browser.send(.put, "/api/v1/photos?name=a.jpg&target=\(moment)", body: body)
            #expect(early.isProblem(.notAllowed, "check in first"))
            let position = API.Envelope.Position(latitude: 40.4155, longitude: -3.7074, accuracyM: nil)
            _ = try browser.node.checkIn(moment, at: position, event: nil)
            let photo = try await browser.share(Picture.small, "name=a.jpg&target=\(moment)")
            #expect(photo.moment == moment)
            let photos = try await browser.value(API.Envelope.Photos.self, .get, "photos?target=\(moment)").photos
            #expect(photos.map(\.id) == [photo.id])
            let cover = #"{"cover":"\#(photo.id)"}"#
            #expect(try await browser.value(API.Moment.self, .patch, "moments/\(moment)", cover).cover == photo.id)
            let other = try await browser.share(Picture.small)
            let answer = try await browser.call(.patch, "moments/\(moment)", #"{"cover":"\#(other.id)"}"#)
            #expect(answer.isProblem(.badRequest, "cover"))
        }
    }

    @Test func `a photo is commented on and faved`() async throws {
        try await withEvent { browser in
            let id = try await browser.share(Picture.small).id
            let made = try await browser.call(.post, "comments", #"{"target":"\#(id)","text":"Nice"}"#)
            #expect(made.status == 201)
            let list = try await browser.value(API.Envelope.Comments.self, .get, "comments?target=\(id)")
            #expect(list.comments.map(\.text) == ["Nice"] && list.comments.map(\.target) == [id])
            #expect(list.comments.map(\.targetKind) == ["photo"])
            #expect(try await browser.call(.put, "faves/\(id)").text == #"{"faved":true,"faves":1}"#)
            #expect(try await browser.call(.put, "faves/\(id)").text == #"{"faved":true,"faves":1}"#)
            let photo = try await browser.value(API.Photo.self, .get, "photos/\(id)")
            #expect(photo.comments == 1 && photo.faves == 1 && photo.faved)
            #expect(try await browser.call(.delete, "faves/\(id)").text == #"{"faved":false,"faves":0}"#)
            let comment = try #require(list.comments.first)
            #expect(try await browser.call(.delete, "comments/\(comment.id)").status == 204)
            #expect(try await browser.call(.delete, "comments/\(comment.id)").isProblem(.notFound))
        }
    }

    @Test func `what one marked is listed, marked last first, and shows that it is`() async throws {
        try await withEvent { browser in
            #expect(try await browser.call(.get, "bookmarks").text == #"{"items":[]}"#)
            let photo = try await browser.share(Picture.small).id
            let answer = try await browser.call(.post, "moments", API.NewMoment.about("Dinner").json)
            let moment = try API.decode(API.Moment.self, from: Data(answer.bytes)).id
            for id in [photo, moment] {
                for _ in 0..<2 {
                    #expect(try await browser.call(.put, "bookmarks/\(id)").text == #"{"bookmarked":true}"#)
                }
            }
            #expect(try await browser.value(API.Photo.self, .get, "photos/\(photo)").bookmarked)
            #expect(try await browser.value(API.Moment.self, .get, "moments/\(moment)").bookmarked)
            let listed = try await browser.value(API.Envelope.Bookmarks.self, .get, "bookmarks")
            #expect(listed.items.map(\.type) == ["moment", "photo"] && listed.next == nil)
            #expect(listed.items.last?.photo?.id == photo)
            for _ in 0..<2 {
                #expect(try await browser.call(.delete, "bookmarks/\(moment)").text == #"{"bookmarked":false}"#)
            }
            let left = try await browser.value(API.Envelope.Bookmarks.self, .get, "bookmarks").items
            #expect(left.map(\.type) == ["photo"])
            #expect(try await browser.call(.put, "bookmarks/x").isProblem(.notFound))
            #expect(try await browser.call(.get, "bookmarks?before=x").isProblem(.badRequest))
        }
    }

    @Test func `a profile picture is worn and shown`() async throws {
        try await withEvent { browser in
            let me = try #require(try await browser.value(API.Envelope.People.self, .get, "people").people.first)
            #expect(try await browser.call(.get, "media/\(me.id)/picture").isProblem(.notFound))
            let body = RequestBody.parts([try Picture.small])
            let answer = try await browser.send(.put, "/api/v1/profile/picture", body: body)
            let person = try API.decode(API.Person.self, from: Data(answer.bytes))
            #expect(answer.status == 200 && person.id == me.id)
            let path = try #require(person.picture)
            let picture = try await browser.send(.get, path)
            #expect(picture.status == 200 && picture.headers[.contentType] == "image/jpeg")
            #expect(picture.headers[.cacheControl] == "no-cache" && picture.bytes.starts(with: [0xFF, 0xD8, 0xFF]))
            let broken = RequestBody.parts([Array("no picture".utf8)])
            let refused = try await browser.send(.put, "/api/v1/profile/picture", body: broken)
            #expect(refused.isProblem(.notAPicture, "The picture"))
            #expect(try await browser.send(.put, "/api/v1/profile/picture").isProblem(.notAPicture, "empty"))
        }
    }
}
