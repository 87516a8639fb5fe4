// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica
import MingleWire
import Testing

/// What people report: who can read it, and when it hides something.
struct ReportTests {
    @Test func `a report is read by its author and by those who moderate, and nobody else has a word of it`() throws {
        let folder = try TemporaryFolder()
        let world = try ReportWorld(seed: 301, outsiderPath: folder.file("replica.sqlite"))
        let post = try world.post("Rude")
        try world.report(post, by: world.people[1], "Canary words")
        try world.meet()
        for reader in [world.people[1], world.moderator, world.event.founder] {
            let reported = try reader.reported()
            #expect(reported.map(\.record) == [post] && reported.map(\.isOpen) == [true])
            #expect(reported.first?.reports.map(\.text) == ["Canary words"])
            #expect(reported.first?.reports.map(\.reason) == [.rude])
            #expect(reported.first?.reports.map(\.author.id) == [world.people[1].own.person])
        }
        for other in [world.people[0], world.people[2]] {
            #expect(try other.reported().isEmpty && other.dump() == world.moderator.eventDump())
        }
        try world.people[2].close()
        #expect(try folder.contents().allSatisfy { $0.range(of: Data("Canary".utf8)) == nil })
        #expect(try folder.contents().contains { $0.range(of: Data("Rude".utf8)) != nil }, "it looks where words are")
    }

    @Test func `who reports a record again changes the report, from whichever device`() throws {
        var world = try ReportWorld(seed: 302)
        let (phone, laptop) = try world.event.joinTwice()
        let all = world.everybody + [phone, laptop]
        let post = try world.post("Rude")
        try all.meet()
        try world.report(post, by: phone, "One", at: 6000)
        try all.meet()
        try world.report(post, by: laptop, "Two", at: 6001)
        try all.meet()
        #expect(try world.moderator.reported().first?.reports.map(\.text) == ["Two"])
        #expect(try world.moderator.hidingDuty() == nil)
    }

    @Test func `a moderator's node hides what three people reported, and says so`() throws {
        let world = try ReportWorld(seed: 303)
        let (post, other) = (try world.post("Rude"), try world.post("Fine"))
        for (place, person) in world.people[1...2].enumerated() {
            try world.report(post, by: person, at: 6000 + Int64(place))
        }
        try world.meet()
        #expect(try world.moderator.hidingDuty() == nil, "two are not enough")
        try world.report(post, by: world.people[3], at: 6900)
        try world.meet()
        #expect(try world.people[1].hidingDuty() == nil, "an attendee hides nothing")
        let duty = try #require(try world.moderator.hidingDuty())
        #expect(duty.due == DueHiding(record: post, posted: Timestamp(milliseconds: 5000)))
        #expect(duty.pause <= .milliseconds(3500))
        let word = try #require(try world.moderator.hiding(for: duty, at: Timestamp(milliseconds: 9000)))
        #expect(word.time == Timestamp(milliseconds: 5000), "its time says nothing of those who reported")
        #expect(try world.hideDue(world.moderator) && world.moderator.hidingDuty() == nil)
        try world.meet()
        #expect(throws: ReplicaError.notFound(post.description)) { try world.people[2].comment(post) }
        let hiding = try #require(try world.people[0].comment(post).hiding)
        #expect(hiding.reason == "Several people reported it." && hiding.at == 5000)
        #expect(try world.people[2].comment(other).hiding == nil)
        let reported = try #require(try world.event.founder.reported().first)
        #expect(reported.isOpen && reported.hiding?.record == post && reported.reports.count == 3)
    }

    @Test func `what a moderator has decided is not hidden for reports again`() throws {
        let world = try ReportWorld(seed: 304)
        let (first, second) = (try world.post("First"), try world.post("Second"))
        for person in world.people[1...3] { try world.report(first, by: person) }
        try world.meet()
        #expect(try world.hideDue(world.moderator))
        try world.say(.hide(first, because: nil), by: world.moderator, at: 8000)
        // Whoever leaves it as it is decides, too.
        try world.say(.hide(second, because: nil), by: world.event.founder, at: 8000)
        for person in world.people[1...3] { try world.report(second, by: person, at: 8500) }
        try world.report(first, by: world.people[4], at: 8500)
        try world.meet()
        for moderator in [world.moderator, world.event.founder] {
            #expect(try moderator.hidingDuty() == nil)
            #expect(try moderator.reported().map(\.isOpen) == [false, false])
            #expect(try !moderator.awaitsDecision(on: first))
        }
        #expect(try world.people[2].comment(first).hiding == nil && world.people[2].comment(second).hiding == nil)
    }

    @Test func `two moderators' nodes that do not hear of each other hide it both, and one word shows it again`() throws
    {
        let world = try ReportWorld(seed: 305)
        let post = try world.post("Rude")
        for person in world.people[1...3] { try world.report(post, by: person) }
        try world.meet()
        #expect(try world.hideDue(world.moderator) && world.hideDue(world.event.founder))
        try world.meet()
        #expect(try world.moderator.hiddenRecords().count == 1 && world.moderator.hidings().count == 2)
        #expect(try world.moderator.dump() == world.event.founder.dump())
        try world.say(.hide(post, because: nil), by: world.event.founder, at: 9000)
        try world.meet()
        #expect(try world.people[2].comment(post).hiding == nil && world.moderator.hidingDuty() == nil)
    }

    @Test func `a moderator's word stands that a node had not heard of when it hid the record`() throws {
        let world = try ReportWorld(seed: 306)
        let post = try world.post("Rude")
        for person in world.people[1...3] { try world.report(post, by: person, at: 6000) }
        try world.meet()
        // It is said before the last report, too.
        try world.say(.hide(post, because: nil), by: world.event.founder, at: 5500)
        #expect(try world.hideDue(world.moderator, at: 20_000))
        try world.meet()
        for node in world.everybody { #expect(try node.comment(post).hiding == nil) }
        #expect(try world.moderator.reported().map(\.isOpen) == [false])
    }

    @Test func `who moderates is not shown who reported the person's own, and decides nothing about it`() throws {
        let world = try ReportWorld(seed: 314)
        _ = try world.post("First")
        let moment = try #require(try world.moderator.moments().first?.id)
        let draft = Draft.create(.comment, on: .record(moment), values: ["text": .text("Mine")])
        let own = try world.say(draft, by: world.moderator)
        try world.meet()
        for person in world.people[1...3] { try world.report(own, by: person) }
        try world.meet()
        #expect(try world.moderator.reported().isEmpty && world.moderator.hidingDuty() == nil)
        try world.say(.hide(own, because: nil), by: world.moderator, at: 8000)
        try world.meet()
        let founder = world.event.founder
        #expect(try founder.reported().map(\.reports.count) == [3] && founder.reported().map(\.isOpen) == [true])
        #expect(try founder.hidingDuty()?.due.record == own)
    }

    @Test func `who reports everything pushes nobody's report out of sight`() throws {
        let world = try ReportWorld(seed: 315)
        let posts = try (0..<6).map { try world.post("Number \($0)") }
        try world.report(posts[5], by: world.people[2], at: 6000)
        for (place, post) in posts[0..<5].enumerated() {
            try world.report(post, by: world.people[1], at: 7000 + Int64(place))
        }
        try world.report(posts[0], by: world.people[3], at: 6500)
        try world.meet()
        let listed = try world.moderator.reported().map(\.record)
        #expect(listed == [0, 4, 5, 3, 2, 1].map { posts[$0] })
    }

    @Test func `who was removed, who only reads and who made it do not count`() throws {
        let world = try ReportWorld(seed: 307)
        let post = try world.post("Rude")
        for person in world.people[1...2] { try world.report(post, by: person) }
        try world.report(post, by: world.people[0])
        try world.report(post, by: world.people[3])
        try world.meet()
        try world.say(.remove(world.people[3].own.person, keepsLinks: true), by: world.event.founder, at: 7000)
        try world.meet()
        #expect(try world.moderator.hidingDuty() == nil)
        #expect(try world.moderator.reported().first?.reports.count == 2)
        try world.say(.setLevel(world.people[4].own.person, .guest), by: world.event.founder, at: 7500)
        try world.meet()
        #expect(throws: ReplicaError.notAtYourLevel(.guest)) { try world.report(post, by: world.people[4]) }
        try world.say(.setLevel(world.people[4].own.person, .attendee), by: world.event.founder, at: 7600)
        try world.meet()
        try world.report(post, by: world.people[4], at: 7700)
        try world.meet()
        #expect(try world.moderator.hidingDuty()?.due.record == post)
    }

    @Test func `a report of what has not come waits, and counts once it has`() throws {
        let world = try ReportWorld(seed: 308)
        let posts = world.people[0]
        let moment = try world.post("Fine")
        let post = try world.say(
            .create(.comment, on: .record(try #require(posts.moments().first?.id)), values: ["text": .text("Rude")]),
            by: posts
        )
        #expect(moment != post)
        for person in world.people[1...3] {
            try person.receiveAll(from: posts)
            try world.report(post, by: person)
        }
        // The moderator hears the reports first; whoever wrote the post comes last.
        for person in world.people[1...3] {
            try world.tell(world.moderator, whatIsSaidBy: person)
        }
        #expect(try world.moderator.reported().isEmpty && world.moderator.hidingDuty() == nil)
        try world.moderator.receiveAll(from: posts)
        #expect(try world.moderator.hidingDuty()?.due.record == post)
        #expect(try world.moderator.reported().first?.reports.count == 3)
    }

    @Test func `who comes to moderate later reads earlier reports, though who made them is gone`() throws {
        let world = try ReportWorld(seed: 309)
        let post = try world.post("Rude")
        try world.report(post, by: world.people[1], "Early")
        try world.meet()
        let newcomer = world.people[2]
        try world.say(.setLevel(newcomer.own.person, .moderator), by: world.event.founder, at: 7000)
        try world.meet([world.event.founder, world.moderator, newcomer])
        #expect(try newcomer.reported().isEmpty)
        #expect(try world.moderator.handOnKeys(world.event.randomness))
        try newcomer.receiveAll(from: world.moderator)
        #expect(try newcomer.reported().first?.reports.map(\.text) == ["Early"])
        #expect(try !world.moderator.handOnKeys(world.event.randomness), "done once")
        #expect(try world.moderator.dump() == newcomer.dump())
    }

    @Test func `who moderates no more reads no report that its author makes when that is known`() throws {
        let world = try ReportWorld(seed: 310)
        let (first, second) = (try world.post("First"), try world.post("Second"))
        try world.report(first, by: world.people[1], "Before")
        _ = try world.event.founder.handOnKeys(world.event.randomness)
        try world.meet()
        try world.say(.setLevel(world.moderator.own.person, .attendee), by: world.event.founder, at: 7000)
        try world.meet()
        try world.report(second, by: world.people[1], "After", at: 8000)
        try world.meet()
        #expect(try world.moderator.reported().isEmpty, "and is shown no more what could be read before")
        #expect(try world.event.founder.reported().count == 2)
        // Nobody makes keys for it meanwhile but who writes.
        let need = try world.event.founder.keyNeed(at: Timestamp(milliseconds: 9000))
        #expect(need == nil)
    }

    @Test func `as many reports hide a record as the founder says, and none where that is nothing`() throws {
        let world = try ReportWorld(seed: 320)
        let post = try world.post("Rude")
        for person in world.people[1...3] { try world.report(post, by: person) }
        func duty(after threshold: Int64, at time: Int64) throws -> HidingDuty? {
            let values: [String: Value] = ["title": .text("Party"), "report_threshold": .number(threshold)]
            try world.say(.set(.event, on: .nothing, values: values), by: world.event.founder, at: time)
            try world.meet()
            return try world.moderator.hidingDuty()
        }
        for (step, expected) in [(0, false), (4, false), (3, true), (0, false), (1, true)].enumerated() {
            let found = try duty(after: Int64(expected.0), at: 7000 + Int64(step)) != nil
            #expect(found == expected.1, "with \(expected.0)")
        }
    }

    @Test func `nobody reports in another's name, for everybody to read, or twice by another audience`() throws {
        let world = try ReportWorld(seed: 311)
        let post = try world.post("Rude")
        let (liar, other) = (world.people[1], world.people[2])
        let salted = Audience.moderators(owner: liar.own.person, salt: Array(repeating: 7, count: Audience.saltLength))
        try world.report(try world.post("Fine"), by: other)
        try world.meet()
        // Who moderates is in the other's audience; so that node writes there, and only merging can tell.
        var written = 0
        for (audience, writer) in [
            (.event, liar), (salted, liar), (.reports(by: other.own.person), liar),
            (.reports(by: other.own.person), world.moderator),
        ] as [(Audience, Replica)] {
            let draft = Draft.set(.report, on: .record(post), values: ["reason": .number(1)], for: audience)
            if (try? world.say(draft, by: writer)) != nil { written += 1 }
        }
        #expect(written > 0)
        try world.meet()
        #expect(try world.event.founder.reported().allSatisfy { $0.record != post } && liar.reported().isEmpty)
        #expect(try world.moderator.dump() == world.event.founder.dump())
    }

    @Test func `what only some people see is not reported to all who moderate`() throws {
        let world = try ReportWorld(seed: 312)
        let audience = Audience.guests(owner: world.people[0].own.person, salt: Array(repeating: 3, count: 16))
        let moment = try world.say(
            .create(.moment, on: .nothing, values: momentValues("Surprise"), for: audience),
            by: world.people[0]
        )
        try world.say(.invite(world.people[1].own.person, to: moment), by: world.people[0])
        try world.meet()
        #expect(try !world.people[1].isForEverybody(moment))
        // A node that reports it all the same shows it nowhere, be the moderator invited or not.
        try world.report(moment, by: world.people[1])
        try world.meet()
        #expect(try world.moderator.reported().isEmpty && world.people[1].reported().isEmpty)
    }
}

/// An event in which people post, report and moderate.
private struct ReportWorld {
    var event: TestEvent
    let people: [Replica]
    let moderator: Replica

    /// - Parameter outsiderPath: where the file of `people[2]` is.
    init(seed: UInt64, outsiderPath: String? = nil) throws {
        var event = try TestEvent(seed: seed)
        var people: [Replica] = []
        for place in 0..<5 { people.append(try event.join(path: place == 2 ? outsiderPath : nil)) }
        moderator = try event.join()
        (self.people, self.event) = (people, event)
        try meet()
        try say(.setLevel(moderator.own.person, .moderator), by: event.founder, at: 3000)
        try meet()
    }

    var everybody: [Replica] { [event.founder, moderator] + people }

    func meet(_ replicas: [Replica]? = nil) throws { try (replicas ?? everybody).meet() }

    @discardableResult
    func say(_ draft: Draft, by replica: Replica, at time: Int64 = 5000) throws -> Reference {
        try replica.say(draft, at: time, event.randomness)
    }

    /// The first of the people comments on a moment that all know.
    func post(_ text: String) throws -> Reference {
        let author = people[0]
        let found = try author.moments().first?.id
        let moment = try found ?? say(.create(.moment, on: .nothing, values: momentValues("Dinner")), by: author)
        let post = try say(.create(.comment, on: .record(moment), values: ["text": .text(text)]), by: author)
        try meet()
        return post
    }

    /// Lets somebody hear what another one wrote, and nothing that others did.
    func tell(_ listener: Replica, whatIsSaidBy speaker: Replica) throws {
        for journal in Journal.allCases {
            let held = try listener.locator(of: speaker.own.name, journal)
            _ = try listener.merge(try speaker.runs(of: speaker.own.name, journal, after: held, byteLimit: .max))
        }
    }

    @discardableResult
    func report(_ record: Reference, by person: Replica, _ text: String = "", at time: Int64 = 6000) throws -> Reference
    {
        var values: [String: Value] = ["reason": .number(ReportReason.rude.rawValue)]
        if !text.isEmpty { values["text"] = .text(text) }
        return try say(.set(.report, on: .record(record), values: values), by: person, at: time)
    }

    /// Somebody's node does what is due about reports; false if nothing is.
    func hideDue(_ replica: Replica, at time: Int64 = 7000) throws -> Bool {
        guard let duty = try replica.hidingDuty() else { return false }
        let now = Timestamp(milliseconds: time)
        return try replica.fulfil(duty, at: now, randomness: event.randomness) != nil
    }
}
