// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import MingleAPI
import NodeTestSupport
import Testing

@testable import MingleWeb

/// What clips are about.
@Suite(.timeLimit(.minutes(5)))
struct ThemeRouteTests {
    @Test func `a clip has one of the hosts' themes, and a price where the theme has one`() async throws {
        try await withEvent { browser in
            let food = try await theme(#"{"name":"Food","priced":true,"weight":5}"#, browser)
            let view = try await theme(#"{"name":"View"}"#, browser)
            let clip = try await browser.share(Picture.video)
            let change = { (text: String) in try await browser.call(.patch, "photos/\(clip.id)", text) }

            #expect(try await change(#"{"price":450}"#).isProblem(.badRequest, "theme"))
            #expect(try await change(#"{"theme":"\#(clip.id)"}"#).isProblem(.notFound))
            #expect(try await change(#"{"theme":"soup"}"#).isProblem(.notFound))
            let priced = try decoded(await change(#"{"title":"Soup #lunch","theme":"\#(food)","price":450}"#))
            #expect(priced.theme == food && priced.price == 450 && priced.title == "Soup #lunch")
            #expect(try await change(#"{"price":-1}"#).isProblem(.badRequest, "price"))
            // Another theme takes the price away, and one without prices takes none.
            #expect(try await change(#"{"theme":"\#(view)","price":1}"#).isProblem(.badRequest, "no price"))
            let free = try decoded(await change(#"{"theme":"\#(view)"}"#))
            #expect(free.theme == view && free.price == nil && free.title == "Soup #lunch")

            let listed = { (query: String) in
                try await browser.value(API.Envelope.Photos.self, .get, "photos?\(query)").photos.map(\.id)
            }
            #expect(try await listed("theme=\(view)") == [clip.id])
            #expect(try await listed("theme=\(food)").isEmpty)
            #expect(try decoded(await change(#"{"theme":""}"#)).theme == nil)
            #expect(try await listed("clips=true&theme=\(view)").isEmpty)
        }
    }

    @Test func `a photo that stands still has no theme`() async throws {
        try await withEvent { browser in
            let view = try await theme(#"{"name":"View"}"#, browser)
            let photo = try await browser.share(Picture.small)
            let answer = try await browser.call(.patch, "photos/\(photo.id)", #"{"theme":"\#(view)"}"#)
            #expect(answer.isProblem(.badRequest, "Only clips"))
        }
    }

    private func theme(_ body: String, _ browser: Browser) async throws -> String {
        let answer = try await browser.call(.post, "themes", body)
        #expect(answer.status == 201, "\(answer.text)")
        return try #require(try API.decode(API.JSON.self, from: Data(answer.bytes))["id"]?.text)
    }

    private func decoded(_ answer: Answer) throws -> API.Photo {
        #expect(answer.status == 200, "\(answer.text)")
        return try API.decode(API.Photo.self, from: Data(answer.bytes))
    }
}
