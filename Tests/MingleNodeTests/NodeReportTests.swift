// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleNode
import NodeTestSupport
import Testing

/// Reports among nodes of one process.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct NodeReportTests {
    @Test func `what three people report is hidden by itself until a moderator decides, who alone reads why`()
        async throws
    {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/founder") { founder in
                _ = try await founder.createEvent(title: "Party")
                let moment = try founder.makeMoment("Dinner").id
                let links = try ["attendee", "attendee", "attendee", "attendee", "guest"]
                    .map { try founder.invite(as: $0, expires: nil, uses: nil, in: nil).link }
                let names = ["ana", "bob", "carl", "dora", "eve"]
                try await withGuests(names, in: folder, by: links, at: founder) { guests in
                    let (ana, eve) = (guests[0], guests[4])
                    let rude = try ana.comment(on: moment, text: "Rude", event: nil).id
                    for guest in guests {
                        try await eventually("all read it", at: guest) { try guest.texts(on: moment) == ["Rude"] }
                    }
                    let own = try await problem { try ana.report(rude, because: "rude", text: nil, event: nil) }
                    #expect(own.name == .conflict)
                    let reader = try await problem { try eve.report(rude, because: "rude", text: nil, event: nil) }
                    #expect(reader.name == .notAllowed && reader.detail.contains("a guest"))
                    for (place, guest) in guests[1...3].enumerated() {
                        try guest.report(rude, because: "rude", text: " words \(place) ", event: nil)
                    }
                    try await eventually("it is hidden", at: guests[1]) { try guests[1].texts(on: moment).isEmpty }
                    try await eventually("the founder reads all of it", at: founder) {
                        let reported = try founder.reported(event: nil).reported
                        return reported.map(\.record) == [rude] && reported.first?.open == true
                            && reported.first?.reports.map(\.text).sorted() == ["words 0", "words 1", "words 2"]
                            && reported.first?.hidden?.reason == "It was reported."
                            && reported.first?.hidden?.reported == true
                    }
                    let hiding = try #require(try founder.hidingLog(event: nil).log.first)
                    #expect(hiding.hides && hiding.reported && hiding.by.me && hiding.reason == "It was reported.")
                    let mine = try guests[1].reported(event: nil).reported
                    #expect(mine.map(\.reports.count) == [1])
                    #expect(mine.allSatisfy { $0.comment == nil && $0.hidden == nil })
                    #expect(try founder.status(event: nil).current?.reports == 1)
                    #expect(try guests[1].status(event: nil).current?.reports == 0)
                    #expect(try ana.reported(event: nil).reported.isEmpty)
                    try founder.unhide(rude, event: nil)
                    try await eventually("it is shown again", at: guests[1]) {
                        try guests[1].texts(on: moment) == ["Rude"]
                    }
                    #expect(try founder.reported(event: nil).reported.map(\.open) == [false])
                    #expect(try founder.hidingLog(event: nil).log.first?.reported == false)
                    try founder.hide(rude, because: "Rude", event: nil)
                    let word = try #require(try founder.hidden(event: nil).log.first)
                    #expect(!word.reported && word.reason == "Rude")
                    try founder.unhide(rude, event: nil)
                    try await eventually("it is shown once more", at: guests[1]) {
                        try guests[1].texts(on: moment) == ["Rude"]
                    }
                    #expect(try founder.status(event: nil).current?.reports == 0)
                    #expect(try guests[1].reported(event: nil).reported.first?.reports.map(\.by.me) == [true])
                }
            }
        }
    }
}
