// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleModel
import MingleNode
import NodeTestSupport
import Testing

/// What moments that became private or public keep, and what they let go of.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct NodeVisibilityTests {
    private func change(_ moment: String, of party: PrivateParty, private isPrivate: Bool, for guests: [Node] = [])
        throws
        -> API.Moment
    {
        let guests = try guests.map { try $0.ownID }
        let change = API.Envelope.Visibility(private: isPrivate, invite: isPrivate ? guests : nil)
        return try party.bob.setVisibility(of: moment, change, event: nil)
    }

    private func invited(to moment: String, of party: PrivateParty) throws -> [String] {
        try party.bob.participants(of: moment, event: nil).invited.map(\.id)
    }

    @Test func `who was invited to an earlier moment is no guest of a later one until invited again`() async throws {
        try await withParty { party in
            let carl = try party.carl.ownID
            let first = try party.bob.meetPrivately("Rehearsal", with: [party.carl])
            let open = try change(first.id, of: party, private: false)
            #expect(try invited(to: open.id, of: party).isEmpty && !open.invited)
            // Whom one hopes for at an open moment is no guest of the closed one, either.
            #expect(try party.bob.invite([carl], to: open.id, event: nil).invited.map(\.id) == [carl])
            let closed = try change(open.id, of: party, private: true)
            #expect(try invited(to: closed.id, of: party).isEmpty)
            #expect(try party.bob.invite([carl], to: closed.id, event: nil).invited.map(\.id) == [carl])
            try await eventually("Carl sees it", at: party.carl) {
                try party.carl.moments(event: nil).moments.contains { $0.id == closed.id && $0.invited }
            }
            #expect(try party.bob.uninvite(carl, from: closed.id, event: nil).invited.isEmpty)
        }
    }

    @Test func `a fave that was given in public is taken back where the moment is private`() async throws {
        try await withParty { party in
            let old = try party.bob.makeMoment("Rehearsal").id
            try await eventually("Carl sees it", at: party.carl) {
                try party.carl.moments(event: nil).moments.count == 2
            }
            #expect(try party.carl.fave(old, true, event: nil).faved)
            try await eventually("Bob sees it", at: party.bob) { try party.bob.moment(old, event: nil).faves == 1 }
            let closed = try change(old, of: party, private: true, for: [party.carl])
            try await eventually("Carl sees the private one", at: party.carl) {
                try party.carl.moments(event: nil).moments.contains { $0.id == closed.id && $0.faved }
            }
            let left = try party.carl.fave(closed.id, false, event: nil)
            #expect(!left.faved && left.faves == 0)
            try await eventually("Bob sees none", at: party.bob) {
                try party.bob.moment(closed.id, event: nil).faves == 0
            }
        }
    }

    @Test func `a hidden moment is made neither private nor public`() async throws {
        try await withParty { party in
            let old = try party.bob.makeMoment("Rehearsal").id
            try await eventually("the founder sees it", at: party.founder) {
                try party.founder.moments(event: nil).moments.count == 2
            }
            try party.founder.hide(old, because: "Dull", event: nil)
            try await eventually("Bob sees why", at: party.bob) {
                try party.bob.moment(old, event: nil).hidden?.reason == "Dull"
            }
            let refusal = try await problem { _ = try change(old, of: party, private: true) }
            #expect(refusal.name == .conflict && refusal.detail.contains("hidden"))
        }
    }

    @Test func `a photo that guests alone see is not named in public`() async throws {
        try await withParty { party in
            let closed = try party.bob.meetPrivately("Rehearsal", with: [party.carl]).id
            _ = try party.bob.joinMoment(closed, event: nil)
            _ = try party.bob.checkIn(closed, at: .there, event: nil)
            let photo = try await withTemporaryFolder { folder in
                var upload = try makePicture(in: folder)
                upload.target = Reference(closed)
                return try await party.bob.addPhoto(upload, event: nil)
            }
            var choice = API.NewMoment()
            choice.cover = photo.id
            #expect(try party.bob.editMoment(closed, choice, event: nil).cover == photo.id)
            let open = try change(closed, of: party, private: false)
            try await eventually("Dora sees it", at: party.dora) {
                try party.dora.moments(event: nil).moments.contains { $0.id == open.id }
            }
            let lines = try party.dora.dump(event: nil).filter { $0.contains(open.id) }
            #expect(!lines.isEmpty && lines.allSatisfy { !$0.contains("cover=") })
            let refusal = try await problem { _ = try party.bob.editMoment(open.id, choice, event: nil) }
            #expect(refusal.name == .conflict && refusal.detail.contains("private"))
        }
    }

    @Test func `a guest who goes on as a new device gets the keys of every moment`() async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/founder") { founder in
                _ = try await founder.createEvent(title: "Party")
                _ = try founder.makeMoment("Dinner")
                let links = try (0..<2).map { _ in
                    try founder.invite(as: "attendee", expires: nil, uses: nil, in: nil).link
                }
                try await withGuests(["bob"], in: folder, by: [links[0]], at: founder) { guests in
                    let bob = guests[0]
                    try await withNode(folder + "/carl", peers: [founder.loopback]) { carl in
                        _ = try await carl.join(link: links[1])
                        try await eventually("Bob knows Carl", at: bob) {
                            try bob.people(event: nil).people.count == 3
                        }
                        for title in ["One", "Two", "Three"] { _ = try bob.meetPrivately(title, with: [carl]) }
                        try await eventually("Carl sees all", at: carl) {
                            try carl.moments(event: nil).moments.count == 4
                        }
                    }
                    // His database is lost, and the person's key is not.
                    let files = FileManager.default
                    let databases = files.enumerator(atPath: folder + "/carl")?.compactMap { $0 as? String } ?? []
                    for name in databases where name.contains("/replica.sqlite") {
                        try files.removeItem(atPath: folder + "/carl/" + name)
                    }
                    try await withNode(folder + "/carl", peers: [founder.loopback]) { carl in
                        try await eventually("Carl sees all again", at: carl) {
                            try carl.moments(event: nil).moments.count == 4
                        }
                        let titles = try Set(carl.moments(event: nil).moments.map(\.title))
                        #expect(titles == ["Dinner", "One", "Two", "Three"])
                    }
                }
            }
        }
    }
}
