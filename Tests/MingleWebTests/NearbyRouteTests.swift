// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import MingleAPI
import MingleEvent
import MingleModel
import MingleNode
import NodeTestSupport
import Testing

@testable import MingleWeb

/// Photos around a position, and votes on them, as docs/api.md has them.
@Suite(.timeLimit(.minutes(5)))
struct NearbyRouteTests {
    @Test func `a guest finds a photo around the pin, votes on it, and only then sees how others voted`() async throws {
        try await withOpenParty { party async throws in
            let (founder, phone) = (party.founder, try await party.scan())
            let event = try #require(try founder.node.status(event: nil).current?.id)
            var change = API.Envelope.EventChange()
            change.areas = ["venues", "nearby"]
            _ = try await founder.node.changeEvent(event, change)
            let bar = #"{"name":"Bar","latitude":55.6,"longitude":12.5,"radius_m":50}"#
            let made = Data(try await founder.call(.post, "places", bar).bytes)
            let place = try #require(try API.decode(API.JSON.self, from: made)["id"]?.text)
            let photo = try await founder.share(Picture.small, "name=a.jpg&target=\(place)")
            #expect(photo.votes == nil)
            // Half a kilometre is as far as one looks.
            let path = "photos/nearby?near=55.601,12.5"
            try await eventually("the photo and the area come", at: party.node) {
                try party.visited().nearbyPhotos(["near": "55.601,12.5"]).photos.map(\.id) == [photo.id]
            }
            #expect(try await phone.value(API.Envelope.Photos.self, .get, path).photos.map(\.distanceM) == [111])
            #expect(try await phone.call(.get, "photos/nearby?near=55.61,12.5").text == #"{"photos":[]}"#)
            let wide = "photos/nearby?near=55.61,12.5&radius_m=2000"
            #expect(try await phone.value(API.Envelope.Photos.self, .get, wide).photos[0].votes == nil)
            for (bad, word) in [("", "near"), ("?near=1", "LATITUDE"), ("?near=1,2&radius_m=0", "radius_m")] {
                #expect(try await phone.call(.get, "photos/nearby\(bad)").isProblem(.badRequest, word), "\(bad)")
            }
            for up in [true, false] {
                #expect(try await phone.call(.put, "votes/\(photo.id)", #"{"up":\#(up)}"#).status == 200)
                let votes = try await phone.value(API.Photo.self, .get, "photos/\(photo.id)").votes
                #expect(votes?.mine == up && votes?.up == (up ? 1 : 0) && votes?.down == (up ? 0 : 1))
            }
            try await eventually("the author sees the vote", at: founder.node) {
                try founder.node.photo(photo.id, event: nil).votes?.down == 1
            }
            #expect(try await founder.call(.put, "votes/\(photo.id)", #"{"up":true}"#).isProblem(.notAllowed, "yours"))
            #expect(try await founder.call(.get, "votes").isProblem(.notFound))
            #expect(try await phone.call(.delete, "votes/\(photo.id)").status == 204)
            #expect(try await phone.value(API.Photo.self, .get, "photos/\(photo.id)").votes == nil)
            // Where the area is off, nobody votes and nothing is nearby.
            change.areas = ["venues"]
            _ = try await founder.node.changeEvent(event, change)
            #expect(try await founder.call(.get, path).text == #"{"photos":[]}"#)
            try await eventually("the area goes", at: party.node) { try !party.visited().isOn(.vote) }
            #expect(try await phone.call(.put, "votes/\(photo.id)", #"{"up":true}"#).isProblem(.conflict, "nearby"))
        }
    }
}
