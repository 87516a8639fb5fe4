// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleEvent
import MingleModel
import MingleNode
import NodeTestSupport
import Testing

/// What one node does by itself; it need not even run for that.
@Suite(.timeLimit(.minutes(5)))
struct NodeTests {
    private func withEvent(_ clock: NodeClock = .system, _ body: (Node) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let node = try openNode(folder, clock: clock)
            _ = try await node.createEvent(title: "  Party ")
            try await body(node)
        }
    }

    // MARK: - Events

    @Test func `whoever starts an event is its founder and can invite`() async throws {
        try await withEvent { node in
            let event = try #require(try node.allEvents().first)
            #expect(event.title == "Party" && event.founder && event.current && event.people == 1)
            let invitation = try node.invitation(event: nil)
            #expect(invitation.link.hasPrefix("mingle://join/") && invitation.used == 0 && invitation.uses == nil)
            #expect(try node.people(event: nil).people.map(\.level) == ["founder"])
        }
    }

    @Test func `without an event there is nothing to see, and it is said what to do`() async throws {
        try await withTemporaryFolder { folder in
            let node = try openNode(folder)
            let problem = try await problem { _ = try node.moments(event: nil) }
            #expect(problem.name == .noEvent && problem.detail.contains("mingle event create"))
            #expect(try node.allEvents().isEmpty && node.status(event: nil).current == nil)
        }
    }

    @Test func `a name that was chosen before is the one in the next event`() async throws {
        try await withTemporaryFolder { folder in
            let node = try openNode(folder)
            #expect(try await node.rename(to: " Ana ", event: nil).name == "Ana")
            _ = try await node.createEvent(title: "Party")
            #expect(try node.people(event: nil).people.map(\.name) == ["Ana"])
        }
    }

    @Test func `events are apart, and the chosen one stays chosen`() async throws {
        try await withTemporaryFolder { folder in
            var ids: [String] = []
            try await withNode(folder) { node in
                for title in ["One", "Two"] { ids.append(try await node.createEvent(title: title).id) }
                _ = try node.makeMoment("In two")
                #expect(try node.moments(event: ids[0]).moments.isEmpty)
                #expect(try node.moments(event: ids[1]).moments.count == 1)
                #expect(try node.choose(ids[0]).current)
                #expect(try node.moments(event: nil).moments.isEmpty)
            }
            let node = try openNode(folder)
            #expect(try node.status(event: nil).current?.title == "One")
            _ = try await node.leaveEvent(ids[0])
            #expect(try node.allEvents().map(\.title) == ["Two"])
            #expect(!FileManager.default.fileExists(atPath: "\(folder)/events/\(ids[0])"))
            #expect(try await problem { _ = try node.dump(event: ids[0]) }.name == .notFound)
        }
    }

    @Test func `an event has a title, and a number of reports that is none or up to a thousand`() async throws {
        try await withEvent { node in
            let id = try #require(try node.allEvents().first).id
            let changed = try await node.changeEvent(id, .init(title: " Wedding ", reportThreshold: 1))
            #expect(changed.title == "Wedding" && changed.reportThreshold == 1)
            for (title, threshold) in [(nil, nil), (" ", nil), (nil, -1), (nil, 1001)] as [(String?, Int?)] {
                let wrong = API.Envelope.EventChange(title: title, reportThreshold: threshold)
                #expect(try await problem { _ = try await node.changeEvent(id, wrong) }.name == .badRequest)
            }
            #expect(try await node.changeEvent(id, .init(title: nil, reportThreshold: 0)).title == "Wedding")
        }
    }

    // MARK: - What is not there

    @Test func `what is deleted as one kind of thing is not another one`() async throws {
        try await withTemporaryFolder { folder in
            let upload = try makePicture(in: folder)
            try await withNode(folder + "/node") { node in
                _ = try await node.createEvent(title: "Party")
                let moment = try node.makeMoment("Dinner").id
                let photo = try await node.addPhoto(upload, event: nil).id
                let comment = try node.comment(on: moment, text: "Hello", event: nil).id
                let kinds: [(Kind, [String])] = [
                    (.photo, [moment, comment]), (.moment, [photo, comment]), (.comment, [moment, photo]),
                ]
                for (kind, others) in kinds {
                    for id in others {
                        let refusal = try await problem { try node.delete(kind, id, event: nil) }
                        #expect(refusal.name == .notFound && refusal.detail.hasPrefix("There is no \(kind.name) "))
                    }
                }
                #expect(try node.texts(on: moment) == ["Hello"])
                #expect(throws: Never.self) { try node.photo(photo, event: nil) }
                try node.delete(.comment, comment, event: nil)
                #expect(try node.texts(on: moment).isEmpty)
            }
        }
    }

    @Test func `who sees a moment is not changed with what it says`() async throws {
        try await withEvent { node in
            let id = try node.makeMoment("Dinner").id
            var change = API.NewMoment()
            (change.title, change.private) = ("Supper", true)
            let refusal = try await problem { _ = try node.editMoment(id, change, event: nil) }
            #expect(refusal.name == .badRequest && refusal.detail.contains("make-private"))
            (change.private, change.invite) = (nil, ["somebody"])
            #expect(try await problem { _ = try node.editMoment(id, change, event: nil) }.name == .badRequest)
            #expect(try node.moment(id, event: nil).title == "Dinner")
        }
    }

    @Test func `a cursor that no node gave is refused`() async throws {
        try await withEvent { node in
            for cursor in ["", "x", "12"] {
                let refusal = try await problem { _ = try node.news(.newest, before: cursor, event: nil) }
                #expect(refusal.name == .badRequest)
            }
        }
    }

    // MARK: - Moments

    @Test func `a moment is joined first and checked in at while it goes on and within its place`() async throws {
        let clock = TestClock()
        try await withEvent(clock.clock) { node in
            // Who makes a moment that is over has not joined it, and may say later that it goes on.
            let going = try node.makeMoment("Lunch", at: clock.now, startsIn: -5).id
            var longer = API.NewMoment()
            longer.end = clock.now.addingTimeInterval(3600)
            #expect(try node.editMoment(going, longer, event: nil).button == "join")
            let early = try await problem { _ = try node.checkIn(going, at: .there, event: nil) }
            #expect(early.name == .notAllowed && early.detail.contains("Join"))
            let id = try node.makeMoment("Dinner", at: clock.now, startsIn: 1).id
            #expect(try node.moment(id, event: nil).status == "not_started")
            #expect(try await problem { _ = try node.checkIn(id, at: .there, event: nil) }.name == .notAllowed)
            // Joining again changes nothing.
            #expect(try node.moment(id, event: nil).joined == 1)
            let joined = try node.joinMoment(id, event: nil)
            #expect(joined.button == "joined" && joined.joined == 1 && joined.mayPost && joined.mayEdit)
            #expect(try await problem { _ = try node.checkIn(id, at: .there, event: nil) }.name == .notAllowed)

            clock.advance(seconds: 2 * 3600)
            let ongoing = try node.moment(id, event: nil)
            #expect(ongoing.status == "ongoing" && ongoing.button == "check_in" && !ongoing.mayPost)
            let far = try await problem { _ = try node.checkIn(id, at: .elsewhere, event: nil) }
            #expect(far.name == .notAllowed && far.detail.contains("Plaza"))
            let there = try node.checkIn(id, at: .there, event: nil)
            #expect(there.button == "checked_in" && there.mayPost && there.checkedIn == 1)
            // Neither saying it twice nor joining again changes anything.
            let lines = try node.dump(event: nil)
            #expect(try node.checkIn(id, at: .there, event: nil).checkedIn == 1)
            #expect(try node.joinMoment(id, event: nil).button == "checked_in")
            #expect(try node.dump(event: nil) == lines)

            clock.advance(seconds: 2 * 3600)
            let ended = try node.moment(id, event: nil)
            #expect(ended.status == "ended" && ended.button == "ended" && ended.mayPost)
            #expect(try await problem { _ = try node.joinMoment(id, event: nil) }.name == .notAllowed)
            #expect(try await problem { _ = try node.checkIn(id, at: .there, event: nil) }.name == .notAllowed)
        }
    }

    @Test func `a moment needs a title or a place, and a start before its end`() async throws {
        try await withEvent { node in
            var whole = API.NewMoment()
            whole.title = "Dinner"
            (whole.start, whole.end) = (Date(milliseconds: 1000), Date(milliseconds: 2000))
            whole.place = API.NewPlace(name: "Plaza", latitude: 1, longitude: 2, radiusM: 3)
            let changes: [(inout API.NewMoment) -> Void] = [
                { ($0.title, $0.place) = (nil, nil) }, { $0.title = " \n" },
                { $0.title = "\u{200b}\u{2060}" },
                { $0.title = String(repeating: "t", count: 10_000) },
                { $0.start = nil }, { $0.end = $0.start }, { $0.place = API.NewPlace(name: "T", radiusM: 3) },
                { ($0.title, $0.place) = (nil, API.NewPlace(latitude: 1, longitude: 2)) },
                { $0.place?.name = "\u{200b}" }, { $0.place?.radiusM = 0 },
                { $0.place?.latitude = 91 },
                { $0.place?.latitude = nil },
                { $0.title = "a\0b" }, { $0.description = "a\0b" },
            ]
            let before = try node.dump(event: nil)
            for (index, change) in changes.enumerated() {
                var moment = whole
                change(&moment)
                let problem = try await problem { _ = try node.makeMoment(moment, event: nil) }
                #expect(problem.name == .badRequest, "change \(index)")
            }
            // Not even a place is left behind.
            #expect(try node.dump(event: nil) == before)
            #expect(try node.makeMoment(whole, event: nil).title == "Dinner")
            whole.title = nil
            #expect(try node.makeMoment(whole, event: nil).title == "Plaza")
        }
    }

    @Test func `a moment has a place by its name alone, or none`() async throws {
        try await withEvent { node in
            var new = API.NewMoment()
            (new.title, new.start, new.end) = ("Toast", Date() - 60, Date() + 60)
            #expect(try node.makeMoment(new, event: nil).place.name.isEmpty)
            new.place = API.NewPlace(name: "Hall", latitude: nil, longitude: nil, radiusM: nil)
            let made = try node.makeMoment(new, event: nil)
            #expect(made.place.name == "Hall" && made.place.latitude == nil && made.place.radiusM == nil)
            let nowhere = API.Envelope.Position(latitude: nil, longitude: nil, accuracyM: nil)
            _ = try node.joinMoment(made.id, event: nil)
            #expect(try node.checkIn(made.id, at: nowhere, event: nil).mayPost)
            var change = API.NewMoment()
            change.place = API.NewPlace(name: "Hall", latitude: 1, longitude: 2, radiusM: 3)
            #expect(try node.editMoment(made.id, change, event: nil).place.radiusM == 3)
            #expect(try await problem { _ = try node.checkIn(made.id, at: nowhere, event: nil) }.name == .badRequest)
            change.place = new.place
            #expect(try node.editMoment(made.id, change, event: nil).place.radiusM == nil)
        }
    }

    @Test func `an edit changes what it names and nothing else`() async throws {
        try await withEvent { node in
            let old = try node.makeMoment("Dinner")
            var change = API.NewMoment()
            change.description = "Bring wine"
            let described = try node.editMoment(old.id, change, event: nil)
            #expect(described.description == "Bring wine" && described.title == "Dinner")
            #expect(described.start == old.start && described.end == old.end && described.place.name == "Plaza")
            change.description = ""
            #expect(try node.editMoment(old.id, change, event: nil).description.isEmpty)
            // Against the end that stands, not only against one that comes along.
            var late = API.NewMoment()
            late.start = old.end
            #expect(try await problem { _ = try node.editMoment(old.id, late, event: nil) }.name == .badRequest)
            #expect(try node.moment(old.id, event: nil).start == old.start)
        }
    }

    @Test func `a fave counts once, however often it is given`() async throws {
        try await withEvent { node in
            let id = try node.makeMoment("Dinner").id
            for _ in 0..<3 { #expect(try node.fave(id, true, event: nil).faves == 1) }
            for _ in 0..<2 { #expect(try node.fave(id, false, event: nil).faves == 0) }
            #expect(try node.fave(id, true, event: nil).faved)
        }
    }

    @Test func `control characters in a comment stay within their line of the dump`() async throws {
        try await withEvent { node in
            let id = try node.makeMoment("Dinner").id
            let text = "one\ntwo\tthree\r\u{1B}[31m\u{85}\u{2028}four"
            #expect(try node.comment(on: id, text: text, event: nil).text == text)
            let lines = try node.dump(event: nil).filter { $0.hasPrefix("comment\t") }
            #expect(
                lines.count == 1 && !lines.joined().unicodeScalars.contains { "\n\r\u{1B}".unicodeScalars.contains($0) }
            )
        }
    }

    // MARK: - Invitations

    @Test(arguments: [(0, nil), (-1, nil), (315_360_001, nil), (nil, 0), (nil, -1), (nil, 100_001)] as [(Int?, Int?)])
    func `an invitation has a sensible end and a sensible number of uses`(expires: Int?, uses: Int?) async throws {
        try await withEvent { node in
            let problem = try await problem { _ = try node.invite(expires: expires, uses: uses, in: nil) }
            #expect(problem.name == .badRequest && problem.detail.contains("1 to 100 000 uses"))
        }
    }

    @Test func `an invitation for one alone is not the one that is shown to everybody`() async throws {
        try await withEvent { node in
            let everybodys = try node.invitation(event: nil).link
            _ = try node.invite(expires: nil, uses: 1, in: nil)
            #expect(try node.invitation(event: nil).link == everybodys)
        }
    }

    @Test(
        arguments: [
            ("", "begins with"), ("hello", "begins with"), ("https://example.org/join/abc", "begins with"),
            ("mingle://join/", "damaged"), ("mingle://join/abcdef", "damaged"), ("mingle://join/é", "damaged"),
        ]
    )
    func `a text that is no good invitation is refused at once`(link: String, reason: String) async throws {
        try await withTemporaryFolder { folder in
            let node = try openNode(folder)
            let problem = try await problem { _ = try await node.join(link: link) }
            #expect(problem.name == .badRequest && problem.detail.contains(reason))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/events").isEmpty)
        }
    }
}
