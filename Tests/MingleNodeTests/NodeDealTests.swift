// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleEvent
import MingleModel
import MingleNode
import NodeTestSupport
import Testing

/// Deals of two people's nodes; the rules of one node are in RecordRuleTests.
@Suite(.timeLimit(.minutes(1)))
struct NodeDealTests {
    @Test func `a deal for one is confirmed for one, however often that is said`() async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/owner") { owner async throws in
                _ = try await owner.createEvent(API.Envelope.NewEvent(title: "Fair", preset: "fair"))
                try await withNode(folder + "/guest", peers: [owner.loopback]) { guest async throws in
                    _ = try await guest.join(link: owner.link())
                    let ids = try [owner, guest].map { try $0.ownID }
                    try await eventually("the guest takes part", at: owner) {
                        try owner.people(event: nil).people.contains { $0.id == ids[1] && $0.level == "attendee" }
                    }
                    let service = try owner.service(nil)
                    let place: API.JSON = [
                        "name": "Bar", "latitude": 55.6, "longitude": 12.5, "radius_m": 50,
                    ]
                    let bar = try #require(try service.create(.place, place).id)
                    _ = try service.create(.ownership, ["target": .text(bar), "person": .text(ids[0])])
                    let deal: API.JSON = [
                        "target": .text(bar), "title": "Cake", "quantity": 1, "start": "2026-06-20T18:00:00Z",
                        "end": "2027-06-20T20:00:00Z",
                    ]
                    let cake = try #require(try service.create(.deal, deal).id)
                    for _ in 1...2 { _ = try service.set(.dealConfirmation, on: cake, ["subject": .text(ids[1])]) }
                    let refusal = try await problem {
                        _ = try service.set(.dealConfirmation, on: cake, ["subject": .text(ids[0])])
                    }
                    #expect(refusal.name == .notAllowed && refusal.detail.contains("used up"))
                    try await Self.use(#require(try service.create(.deal, deal.titled("Tea")).id), guest, owner)
                }
            }
        }
    }

    /// A guest uses a deal, and the owner's node confirms it by itself.
    private static func use(_ deal: String, _ guest: Node, _ owner: Node) async throws {
        let id = try RequestValidation.reference(deal)
        try await eventually("the deal comes", at: guest) { (try? guest.service(nil).deal(id)) != nil }
        let confirms = try [guest, owner].map { try $0.service(nil).deal(id).members["confirms"] }
        #expect(confirms == [false, true])
        let used = try guest.service(nil).set(.dealUse, on: deal, [:])
        try await eventually("the venue confirms", at: guest) {
            try guest.service(nil).deal(id).members["use"]?["state"] == "confirmed"
        }
        #expect(try guest.service(nil).deal(id).members["use"]?["confirmed"] != nil)
        // Said again, the time of the use stays.
        #expect(try guest.service(nil).set(.dealUse, on: deal, [:]).posted == used.posted)
        #expect(try owner.service(nil).deal(id).members["left"] == 0)
        let list = try guest.service(nil).deals(ListQuery(.deal, ["list": "used"]).deals())
        #expect(list.records.map(\.id) == [deal])
    }
}

extension API.JSON {
    fileprivate func titled(_ title: String) -> API.JSON {
        .object((members ?? [:]).merging(["title": .text(title)]) { $1 })
    }
}
