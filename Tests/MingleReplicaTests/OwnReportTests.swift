// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import MingleReplica
import Testing

/// Reports about what somebody posted who moderates.
struct OwnReportTests {
    @Test func `what the only moderator posted is hidden by that moderator's own node, who is not told by whom`() throws
    {
        let world = try OwnReportWorld(seed: 331)
        let post = try world.post("Rude")
        for person in world.people[0...1] { try world.report(post, by: person) }
        try world.meet()
        #expect(try world.founder.hidingDuty() == nil, "two are not enough")
        try world.report(post, by: world.people[2])
        try world.meet()
        let readers = try world.people[0].reportReaders(of: post)
        #expect(readers == ReportReaders(count: 0, level: nil, threshold: 3))
        #expect(try world.hideDue(world.founder) && world.founder.hidingDuty() == nil, "once")
        try world.meet()
        for person in world.people {
            #expect(throws: ReplicaError.notFound(post.description)) { try person.comment(post) }
        }
        #expect(try world.founder.comment(post).hiding?.isByReports == true)
        #expect(try world.founder.reported().isEmpty && !world.founder.awaitsDecision(on: post))
    }

    @Test func `what somebody said about hiding an own record does not keep reports from hiding it`() throws {
        let world = try OwnReportWorld(seed: 332)
        let post = try world.post("Rude")
        try world.say(.hide(post, because: "Mine"), by: world.founder, at: 5500)
        try world.say(.hide(post, because: nil), by: world.founder, at: 5501)
        try world.meet()
        for person in world.people { try world.report(post, by: person) }
        try world.meet()
        #expect(try world.hideDue(world.founder))
        try world.meet()
        #expect(throws: ReplicaError.notFound(post.description)) { try world.people[0].comment(post) }
    }

    @Test func `who comes to moderate later reads who reported it, and decides`() throws {
        let world = try OwnReportWorld(seed: 333)
        let post = try world.post("Rude")
        for person in world.people { try world.report(post, by: person, "Early") }
        try world.meet()
        #expect(try world.hideDue(world.founder))
        try world.say(.setLevel(world.people[3].own.person, .moderator), by: world.founder, at: 7500)
        try world.meet()
        #expect(try world.founder.handOnKeys(world.event.randomness))
        let second = world.people[3]
        try second.receiveAll(from: world.founder)
        #expect(try second.reported().map(\.record) == [post] && second.awaitsDecision(on: post))
        #expect(try second.reported().first?.reports.map(\.text) == ["Early", "Early", "Early", "Early"])
        #expect(try second.hidingDuty() == nil, "it is hidden")
        try world.say(.hide(post, because: nil), by: second, at: 8000)
        try world.meet()
        #expect(try world.people[0].comment(post).hiding == nil && world.founder.hidingDuty() == nil)
        #expect(try second.reported().map(\.isOpen) == [false])
        #expect(try world.people[0].reportReaders(of: post) == ReportReaders(count: 1, level: .moderator, threshold: 3))
    }

    @Test func `who moderates overrules nobody about an own record, whatever the person's node says`() throws {
        let world = try OwnReportWorld(seed: 334, moderators: 1)
        let (author, founder) = (world.people[0], world.founder)
        let (first, second) = (try world.post("First", by: author), try world.post("Second", by: author))
        for person in world.people[1...3] { try world.report(first, by: person) }
        try world.meet()
        #expect(try author.hidingDuty() == nil, "the founder reads it")
        #expect(try world.people[1].reportReaders(of: first) == ReportReaders(count: 1, level: .founder, threshold: 3))
        #expect(try world.hideDue(founder))
        try world.say(.hide(second, because: "Rude"), by: founder, at: 7000)
        try world.meet()
        for post in [first, second] { try world.say(.hide(post, because: nil), by: author, at: 9000) }
        try world.meet()
        for post in [first, second] {
            #expect(throws: ReplicaError.notFound(post.description)) { try world.people[1].comment(post) }
        }
        #expect(try founder.reported().map(\.record) == [first] && founder.awaitsDecision(on: first))
        try world.say(.hide(first, because: "Rude"), by: founder, at: 8000)
        try world.meet()
        #expect(throws: ReplicaError.notFound(first.description)) { try world.people[1].comment(first) }
        #expect(try founder.dump() == author.dump())
    }

    @Test func `who was removed or left reads nothing, and a removed person's report does not hide`() throws {
        let world = try OwnReportWorld(seed: 335, moderators: 2)
        let post = try world.post("Rude")
        #expect(try world.people[2].reportReaders(of: post) == ReportReaders(count: 2, level: .moderator, threshold: 3))
        for person in world.people[2...4] { try world.report(post, by: person) }
        try world.meet()
        for person in world.people[0...1] + [world.people[2]] {
            try world.say(.remove(person.own.person, keepsLinks: true), by: world.founder, at: 7000)
        }
        try world.meet()
        #expect(try world.founder.hidingDuty() == nil, "two reports count")
        #expect(try world.people[3].reportReaders(of: post) == ReportReaders(count: 0, level: nil, threshold: 3))
        try world.report(post, by: world.people[5], at: 7500)
        try world.meet()
        #expect(try world.founder.hidingDuty()?.due.record == post)
    }

    @Test func `where the founder says so no reports hide anything, and the reporter is told`() throws {
        let world = try OwnReportWorld(seed: 336)
        let post = try world.post("Rude")
        let values: [String: Value] = ["title": .text("Party"), "report_threshold": .number(0)]
        try world.say(.set(.event, on: .nothing, values: values), by: world.founder)
        try world.meet()
        #expect(try world.people[0].reportReaders(of: post) == ReportReaders(count: 0, level: nil, threshold: nil))
    }
}

/// An event whose founder moderates alone, unless others do, too.
private struct OwnReportWorld {
    let event: TestEvent
    let people: [Replica]
    let moment: Reference

    /// - Parameter moderators: how many of the people moderate.
    init(seed: UInt64, moderators: Int = 0) throws {
        var event = try TestEvent(seed: seed)
        var people: [Replica] = []
        for _ in 0..<4 + moderators { people.append(try event.join()) }
        (self.event, self.people) = (event, people)
        let all = [event.founder] + people
        try all.meet()
        for person in people.prefix(moderators) {
            let draft = Draft.setLevel(person.own.person, .moderator)
            try event.founder.say(draft, at: 3000, event.randomness)
        }
        let made = Draft.create(.moment, on: .nothing, values: momentValues("Dinner"))
        moment = try event.founder.say(made, at: 3500, event.randomness)
        try all.meet()
    }

    var founder: Replica { event.founder }

    func meet() throws { try ([founder] + people).meet() }

    @discardableResult
    func say(_ draft: Draft, by replica: Replica, at time: Int64 = 5000) throws -> Reference {
        try replica.say(draft, at: time, event.randomness)
    }

    /// Somebody comments on a moment that all know.
    func post(_ text: String, by author: Replica? = nil) throws -> Reference {
        let draft = Draft.create(.comment, on: .record(moment), values: ["text": .text(text)])
        let post = try say(draft, by: author ?? founder)
        try meet()
        return post
    }

    func report(_ record: Reference, by person: Replica, _ text: String = "", at time: Int64 = 6000) throws {
        var values: [String: Value] = ["reason": .number(ReportReason.rude.rawValue)]
        if !text.isEmpty { values["text"] = .text(text) }
        try say(.set(.report, on: .record(record), values: values), by: person, at: time)
    }

    /// Somebody's node does what is due about reports; false if nothing is.
    func hideDue(_ replica: Replica) throws -> Bool {
        guard let duty = try replica.hidingDuty() else { return false }
        return try replica.fulfil(duty, at: Timestamp(milliseconds: 7000), randomness: event.randomness) != nil
    }
}
