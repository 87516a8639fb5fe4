// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleNode
import NodeTestSupport
import Testing

/// Hiding among nodes of one process.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct NodeModerationTests {
    @Test func `a moderator hides a comment, its author is told why, and nobody else sees it until it is shown again`()
        async throws
    {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/founder") { founder in
                _ = try await founder.createEvent(title: "Party")
                let moment = try founder.makeMoment("Dinner").id
                let links = try ["moderator", "attendee", "attendee"]
                    .map { try founder.invite(as: $0, expires: nil, uses: nil, in: nil).link }
                try await withGuests(["bob", "carl", "dora"], in: folder, by: links, at: founder) { guests in
                    let (bob, carl, dora) = (guests[0], guests[1], guests[2])
                    let rude = try carl.comment(on: moment, text: "Rude", event: nil).id
                    for guest in guests {
                        try await eventually("all read it", at: guest) { try guest.texts(on: moment) == ["Rude"] }
                    }
                    let refusal = try await problem { try dora.hide(rude, because: "no", event: nil) }
                    #expect(refusal.name == .notAllowed && refusal.detail.contains("You are an attendee"))
                    try bob.hide(rude, because: " unkind ", event: nil)
                    try await eventually("Dora sees it no more", at: dora) { try dora.texts(on: moment).isEmpty }
                    for reader in [carl, founder, bob] {
                        try await eventually("it is marked", at: reader) {
                            let comment = try reader.comments(on: moment, before: nil, event: nil).comments.first
                            return comment?.hidden?.reason == "unkind" && comment?.hidden?.record == rude
                        }
                    }
                    // Said twice, it is said once.
                    try bob.hide(rude, because: "unkind", event: nil)
                    #expect(try founder.moment(moment, event: nil).comments == 0)
                    let log = try founder.hidden(event: nil).log
                    #expect(log.map(\.comment?.text) == ["Rude"] && log.map(\.hides) == [true])
                    #expect(try dora.hidden(event: nil).log.isEmpty && carl.hidden(event: nil).log.count == 1)
                    try founder.unhide(rude, event: nil)
                    try await eventually("Dora sees it again", at: dora) { try dora.texts(on: moment) == ["Rude"] }
                    try await eventually("Bob knows who", at: bob) {
                        try bob.hidingLog(event: nil).log.map(\.hides) == [false, true]
                    }
                    #expect(try bob.hidden(event: nil).log.isEmpty)
                    let twice = try await problem { try founder.unhide(rude, event: nil) }
                    #expect(twice.name == .conflict && twice.detail.contains("is not hidden itself"))
                    let nothing = try await problem { try bob.hide("x", because: nil, event: nil) }
                    #expect(nothing.name == .notFound)
                }
            }
        }
    }
}
