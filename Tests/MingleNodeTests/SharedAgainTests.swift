// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleMedia
import MingleModel
import MingleReplica
import NodeTestSupport
import Testing

@testable import MingleNode

/// What becomes of a picture that its person shared before.
@Suite(.timeLimit(.minutes(5)))
struct SharedAgainTests {
    @Test func `a picture is not shared again, also after a restart, and is once it was deleted`() async throws {
        try await withTemporaryFolder { folder in
            let upload = try makePicture(in: folder)
            let first = try await withNode(folder + "/host") { host in
                _ = try await host.createEvent(title: "Party")
                let photo = try await host.addPhoto(upload, event: nil)
                #expect(photo.alreadyShared == nil)
                return photo.id
            }
            try await withNode(folder + "/host") { host in
                var renamed = upload
                (renamed.name, renamed.title) = ("another.png", "Another title")
                let again = try await host.addPhoto(renamed, event: nil)
                #expect(again.id == first && again.alreadyShared == true)
                #expect(again.name == upload.name && again.title == "Another title")
                #expect(try ids(at: host) == [first])
                #expect(try host.session(nil).blobs.list().count == 3)
                #expect(try host.photo(first, event: nil).alreadyShared == nil)

                try host.delete(.photo, first, event: nil)
                let anew = try await host.addPhoto(upload, event: nil)
                #expect(anew.id != first && anew.alreadyShared == nil)
                #expect(try ids(at: host) == [anew.id])
            }
        }
    }

    @Test func `what is said of a picture that was shared before is said of that one`() async throws {
        try await withTemporaryFolder { folder in
            var upload = try makePicture(in: folder)
            try await withNode(folder + "/host") { host in
                _ = try await host.createEvent(title: "Party")
                upload.title = "Cake"
                let first = try await host.addPhoto(upload, event: nil).id
                for (said, shown) in [("", "Cake"), (" \n", "Cake"), (" The cake\n", "The cake")] {
                    upload.title = said
                    let again = try await host.addPhoto(upload, event: nil)
                    #expect(again.id == first && again.alreadyShared == true && again.title == shown)
                    #expect(try host.photo(first, event: nil).title == shown)
                }
                let journal = try host.session(nil).replica.frontier()
                _ = try await host.addPhoto(upload, event: nil)
                #expect(try host.session(nil).replica.frontier() == journal, "the same again is not said again")

                upload.title = String(repeating: "ä", count: 501)
                upload.path = folder + "/nothing"
                await #expect {
                    try await host.addPhoto(upload, event: nil)
                } throws: {
                    let problem = $0 as? API.Problem
                    return problem?.name == .badRequest && problem?.detail.hasPrefix("The title is too long") == true
                }
            }
        }
    }

    @Test func `of several uploads of a picture at once one is shared`() async throws {
        try await withTemporaryFolder { folder in
            let upload = try makePicture(in: folder)
            try await withNode(folder + "/host") { host in
                _ = try await host.createEvent(title: "Party")
                async let others = (host.addPhoto(upload, event: nil), host.addPhoto(upload, event: nil))
                let one = try await host.addPhoto(upload, event: nil)
                let all = try await [one, others.0, others.1]
                #expect(Set(all.map(\.id)).count == 1)
                #expect(all.filter { $0.alreadyShared == true }.count == 2)
                #expect(try ids(at: host) == [one.id])
            }
        }
    }

    @Test func `what somebody else shared is not looked at`() async throws {
        try await withParty { party in
            try await withTemporaryFolder { folder in
                let upload = try makePicture(in: folder)
                let theirs = try await party.bob.addPhoto(upload, event: nil).id
                try await eventually("Carl has it", at: party.carl) {
                    try party.carl.photos(of: nil, before: nil, limit: 9, event: nil).photos.contains {
                        $0.held.original
                    }
                }
                let own = try await party.carl.addPhoto(upload, event: nil)
                #expect(own.id != theirs && own.alreadyShared == nil && own.mine)
            }
        }
    }

    @Test func `another moment is another place, and a moment that was made private the same`() async throws {
        try await withTemporaryFolder { folder in
            let upload = try makePicture(in: folder)
            try await withNode(folder + "/host") { host in
                _ = try await host.createEvent(title: "Party")
                let inEvent = try await host.addPhoto(upload, event: nil)
                let moment = try host.makeMoment("Dinner").id
                var there = upload
                there.target = Reference(moment)
                _ = try host.joinMoment(moment, event: nil)
                _ = try host.checkIn(moment, at: .there, event: nil)
                let inMoment = try await host.addPhoto(there, event: nil)
                #expect(inMoment.id != inEvent.id && inMoment.alreadyShared == nil && inMoment.moment == moment)

                let change = API.Envelope.Visibility(private: true, invite: [])
                there.target = Reference(try host.setVisibility(of: moment, change, event: nil).id)
                let again = try await host.addPhoto(there, event: nil)
                #expect(
                    again.id == inMoment.id && again.alreadyShared == true && again.moment == there.target?.description
                )
            }
        }
    }

    @Test func `what only the guests of a moment see is shared with all once the moment is public`() async throws {
        try await withTemporaryFolder { folder in
            var upload = try makePicture(in: folder)
            try await withNode(folder + "/host") { host in
                _ = try await host.createEvent(title: "Party")
                let moment = try host.makeMoment("Dinner").id
                func show(to audience: Bool, _ moment: String) throws -> String {
                    let change = API.Envelope.Visibility(private: !audience, invite: [])
                    let id = try host.setVisibility(of: moment, change, event: nil).id
                    _ = try host.joinMoment(id, event: nil)
                    _ = try host.checkIn(id, at: .there, event: nil)
                    return id
                }
                let secret = try show(to: false, moment)
                upload.target = Reference(secret)
                let forGuests = try await host.addPhoto(upload, event: nil).id
                upload.target = Reference(try show(to: true, secret))
                let forAll = try await host.addPhoto(upload, event: nil)
                #expect(forAll.id != forGuests && forAll.alreadyShared == nil)
                #expect(try await host.addPhoto(upload, event: nil).id == forAll.id)
            }
        }
    }

    @Test func `what a moderator hid is not brought back by sharing it again`() async throws {
        try await withParty { party in
            try await withTemporaryFolder { folder in
                let upload = try makePicture(in: folder)
                let photo = try await party.bob.addPhoto(upload, event: nil).id
                try await eventually("the founder sees it", at: party.founder) { try ids(at: party.founder) == [photo] }
                try party.founder.hide(photo, because: "Dull", event: nil)
                try await eventually("Bob sees why", at: party.bob) {
                    try party.bob.photo(photo, event: nil).hidden != nil
                }
                let again = try await party.bob.addPhoto(upload, event: nil)
                #expect(again.id == photo && again.alreadyShared == true && again.hidden?.reason == "Dull")
            }
        }
    }

    private func ids(at node: Node) throws -> [String] {
        try node.photos(of: nil, before: nil, limit: 9, event: nil).photos.map(\.id)
    }
}
