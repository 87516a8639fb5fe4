// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleEvent
import MingleNode
import NodeTestSupport
import Testing

/// Reports about what the only moderator posted, among nodes of one process.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct NodeOwnReportTests {
    @Test func `what the founder posts is hidden after three reports where nobody else moderates, until somebody does`()
        async throws
    {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/founder") { founder in
                _ = try await founder.createEvent(title: "Party")
                let moment = try founder.makeMoment("Dinner").id
                let links = try (0..<4).map { _ in
                    try founder.invite(as: "attendee", expires: nil, uses: nil, in: nil).link
                }
                try await withGuests(["ana", "bob", "carl", "dora"], in: folder, by: links, at: founder) { guests in
                    let rude = try founder.comment(on: moment, text: "Rude", event: nil).id
                    for guest in guests {
                        try await eventually("all read it", at: guest) { try guest.texts(on: moment) == ["Rude"] }
                    }
                    for guest in guests[0...2] {
                        let readers = try guest.report(rude, because: "rude", text: "Words", event: nil)
                        #expect(readers.words == "Nobody else moderates here: it is hidden after 3 reports.")
                    }
                    for guest in guests {
                        try await eventually("it is hidden", at: guest) { try guest.texts(on: moment).isEmpty }
                    }
                    #expect(try founder.reported(event: nil).reported.isEmpty, "nobody is told by whom")
                    #expect(try founder.hidden(event: nil).log.map(\.reported) == [true])
                    let own = try await problem { try founder.unhide(rude, event: nil) }
                    #expect(own.name == .conflict && own.detail.contains("Only another moderator"))
                    let again = try await problem { try founder.hide(rude, because: "Mine", event: nil) }
                    #expect(again.name == .conflict)

                    let dora = guests[3]
                    let id = try dora.ownID
                    _ = try founder.setLevel(of: id, to: "moderator", event: nil)
                    try await eventually("a later moderator reads the reports", at: dora) {
                        try dora.reported(event: nil).reported.first?.reports.count == 3
                    }
                    #expect(try dora.reported(event: nil).reported.map(\.open) == [true])
                    try await eventually("reporters are told", at: guests[0]) {
                        try guests[0].service(nil).reportReaders(of: RequestValidation.reference(moment)).readers == 1
                    }
                    try dora.unhide(rude, event: nil)
                    try await eventually("it is shown again", at: guests[0]) {
                        try guests[0].texts(on: moment) == ["Rude"]
                    }
                }
            }
        }
    }
}
