// SPDX-License-Identifier: Apache-2.0

import MingleModel
import TestSupport
import Testing

/// Who is at which level, by what was said about it.
struct AuthorityTests {
    private static let people = (1...6).map { PersonID(Bytes32(at: 0, of: [UInt8](repeating: $0, count: 32).span)) }
    private static let links = (1...3).map { InvitationID(Bytes32(at: 0, of: [UInt8](repeating: $0, count: 32).span)) }
    private let ana = people[0]
    private let bob = people[1]
    private let carl = people[2]
    private let dora = people[3]
    private let wall = links[0]
    private let other = links[1]

    /// One thing that is told to an authority.
    private enum Fact: Hashable {
        case founds(PersonID)
        case comes(PersonID, InvitationID)
        case says(PersonID, Authority.Statement, at: UInt32 = 1)

        func tell(_ authority: inout Authority) {
            switch self {
            case .founds(let person): authority.found(person)
            case .comes(let person, let invitation): authority.admit(person, by: invitation)
            case .says(let person, let statement, let sequence):
                authority.state(statement, by: Authority.Speaker(person, at: AuthorityTests.place(person, sequence)))
            }
        }
    }

    private static func place(_ person: PersonID, _ sequence: UInt32) -> Place {
        Place(Place.Journal(DeviceName(person.raw), .fabric), BranchPosition(branch: 1, sequence: sequence))
    }

    /// A cut of a person behind a fabric delta.
    private static func cut(
        _ person: PersonID,
        to level: Level?,
        behind sequence: UInt32,
        id: UInt64 = 1,
        insteadOf earlier: [UInt64] = []
    ) -> Authority.Statement {
        func reference(_ id: UInt64) -> Reference { Reference(device: 1, journal: .fabric, sequence: 1, hash: id) }
        let end = Cut.End(sequence: sequence, position: place(person, sequence).position)
        return .cut(
            Cut(
                id: reference(id),
                person: person,
                level: level,
                ends: [place(person, 1).journal: [end]],
                overwrites: Set(earlier.map(reference))
            )
        )
    }

    private func authority(_ facts: [Fact]) -> Authority {
        var authority = Authority()
        for fact in [.founds(ana)] + facts { fact.tell(&authority) }
        _ = authority.settle()
        return authority
    }

    private func levels(_ facts: [Fact]) -> [PersonID: Level] {
        authority(facts).levels
    }

    @Test func `what a removed host said before the cut counts, and nothing behind it`() {
        let facts: [Fact] = [
            .says(ana, .grant(bob, .host)), .says(bob, .grant(carl, .attendee), at: 4),
            .says(bob, .grant(dora, .attendee), at: 5),
        ]
        let removed = authority(facts + [.says(ana, Self.cut(bob, to: nil, behind: 4))])
        #expect(removed.levels == [ana: .founder, carl: .attendee])
        #expect(removed.standings[bob]?.level(at: Self.place(bob, 4)) == .host)
        #expect(removed.standings[bob]?.level(at: Self.place(bob, 5)) == nil)
        #expect(removed.cuts(below: nil).map(\.person) == [bob])
        // What somebody else's device wrote is not touched, and of a device that is not listed nothing counts.
        #expect(removed.standings[bob]?.level(at: Self.place(carl, 1)) == nil)
    }

    @Test func `a successor decides about hosts, and neither about the founder nor another successor`() {
        let facts: [Fact] = [.says(ana, .grant(bob, .successor)), .says(ana, .grant(carl, .successor))]
        let said: [Fact] = [
            .says(bob, .grant(dora, .host)), .says(bob, .grant(Self.people[4], .successor)),
            .says(bob, Self.cut(ana, to: nil, behind: 1)), .says(bob, Self.cut(carl, to: nil, behind: 1, id: 2)),
        ]
        #expect(levels(facts + said) == [ana: .founder, bob: .successor, carl: .successor, dora: .host])
        let cut = Self.cut(dora, to: nil, behind: 1, id: 3)
        #expect(levels(facts + said + [.says(carl, cut)])[dora] == nil)
        #expect(levels(facts + said + [.says(ana, Self.cut(bob, to: nil, behind: 0, id: 4))])[dora] == nil)
    }

    @Test func `a moderator decides about nobody's level`() {
        let facts: [Fact] = [.says(ana, .grant(bob, .host)), .says(bob, .grant(carl, .moderator))]
        let said: [Fact] = [.says(carl, .grant(dora, .attendee)), .says(carl, .grant(Self.people[4], .guest))]
        #expect(levels(facts + said) == [ana: .founder, bob: .host, carl: .moderator])
    }

    @Test func `who is cut to a level keeps it`() {
        let facts: [Fact] = [.says(ana, .grant(bob, .host)), .says(ana, Self.cut(bob, to: .guest, behind: 2))]
        #expect(levels(facts)[bob] == .guest)
        #expect(authority(facts).standings[bob]?.level(at: Self.place(bob, 2)) == .host)
        #expect(authority(facts).cuts(below: nil).isEmpty)
    }

    /// Case 15.
    @Test func `nobody of those who remove each other in a ring is removed`() {
        let hosts: [Fact] = [.says(ana, .grant(bob, .host)), .says(ana, .grant(carl, .host))]
        let ring: [Fact] = [
            .says(bob, Self.cut(carl, to: nil, behind: 1)), .says(carl, Self.cut(bob, to: nil, behind: 1)),
            .says(bob, Self.cut(ana, to: nil, behind: 1)),
        ]
        #expect(levels(hosts + ring) == [ana: .founder, bob: .host, carl: .host])
    }

    @Test func `a cut is replaced by its maker or somebody above, not by another host or its victim`() {
        let facts: [Fact] = [
            .says(ana, .grant(bob, .host)), .says(ana, .grant(carl, .host)), .says(bob, .grant(dora, .attendee)),
            .says(bob, Self.cut(dora, to: nil, behind: 3)),
        ]
        #expect(levels(facts)[dora] == nil)
        let lifted = Self.cut(dora, to: .founder, behind: 0, id: 2, insteadOf: [1])
        #expect(levels(facts + [.says(bob, lifted)])[dora] == .attendee)
        #expect(levels(facts + [.says(ana, lifted)])[dora] == .attendee)
        #expect(levels(facts + [.says(carl, lifted)])[dora] == nil)
        #expect(levels(facts + [.says(dora, lifted)])[dora] == nil)
    }

    @Test func `of several cuts what all of them leave counts`() {
        let facts: [Fact] = [
            .says(ana, .grant(bob, .host)), .says(ana, .grant(carl, .attendee)),
            .says(ana, Self.cut(carl, to: .guest, behind: 5)), .says(bob, Self.cut(carl, to: nil, behind: 9, id: 2)),
        ]
        let standing = authority(facts).standings[carl]
        #expect([5, 6, 9, 10].map { standing?.level(at: Self.place(carl, $0)) } == [.attendee, .guest, .guest, nil])
    }

    @Test func `what a removed host cut counts only if the host said so before`() {
        let facts: [Fact] = [
            .says(ana, .grant(bob, .host)), .says(ana, .grant(carl, .attendee)),
            .says(bob, Self.cut(carl, to: nil, behind: 1, id: 2), at: 7),
        ]
        #expect(levels(facts)[carl] == nil)
        #expect(levels(facts + [.says(ana, Self.cut(bob, to: nil, behind: 7))])[carl] == nil)
        #expect(levels(facts + [.says(ana, Self.cut(bob, to: nil, behind: 6))])[carl] == .attendee)
    }

    @Test func `an invitation is closed that somebody closed who may`() {
        let facts: [Fact] = [
            .says(ana, .grant(bob, .host)), .says(ana, .invitation(wall, .host)),
            .says(bob, .invitation(other, .attendee)),
            .says(bob, .closing(wall, [])), .says(bob, .closing(other, [])),
        ]
        #expect(authority(facts).closedInvitations == [other])
    }

    @Test func `an invitation lets in by itself whom no closing left out`() {
        let facts: [Fact] = [
            .says(ana, .invitation(wall, .host)), .comes(bob, wall), .says(ana, .grant(carl, .attendee)),
            .comes(carl, wall),
            .says(ana, .closing(wall, [bob])),
        ]
        #expect([bob, carl].map { authority(facts).letsIn($0, by: wall) } == [true, false])
        // Nobody who may says where the other one leads.
        #expect(!authority(facts + [.says(carl, .invitation(other, .attendee))]).letsIn(bob, by: other))
    }

    @Test func `a host lets others in, and whom a host let in is out where the host is none`() {
        let facts: [Fact] = [.says(bob, .invitation(wall, .attendee)), .comes(carl, wall)]
        #expect(levels(facts) == [ana: .founder])
        #expect(levels(facts + [.says(ana, .grant(bob, .host))]) == [ana: .founder, bob: .host, carl: .attendee])
    }

    @Test func `nobody says anything about one's own level or above`() {
        let hosts: [Fact] = [.says(ana, .grant(bob, .host)), .says(ana, .grant(dora, .attendee))]
        let forged: [Fact] = [
            .says(bob, .grant(carl, .host)), .says(bob, .invitation(wall, .host)), .comes(carl, wall),
            .says(bob, .grant(bob, .founder)), .says(dora, .grant(carl, .attendee)), .says(dora, .grant(carl, .guest)),
            .says(carl, .grant(carl, .host)),
        ]
        #expect(levels(hosts + forged) == [ana: .founder, bob: .host, dora: .attendee])
    }

    @Test func `two who raise each other stay where they are`() {
        #expect(levels([.says(bob, .grant(carl, .host)), .says(carl, .grant(bob, .host))]) == [ana: .founder])
    }

    @Test func `a closed invitation counts for whom one of those who closed it lists`() {
        var facts: [Fact] = [
            .says(ana, .grant(bob, .host)), .says(ana, .invitation(wall, .attendee)), .comes(carl, wall),
            .comes(dora, wall),
        ]
        #expect(levels(facts).count == 4)
        facts.append(.says(ana, .closing(wall, [carl])))
        #expect(levels(facts) == [ana: .founder, bob: .host, carl: .attendee])
        // The wall's link was closed in two partitions (case 18).
        #expect(levels(facts + [.says(bob, .closing(wall, [dora]))]).count == 4)
        // Who may not, closes nothing.
        #expect(levels(Array(facts.dropLast()) + [.says(carl, .closing(wall, []))]).count == 4)
    }

    @Test func `of several invitations the highest counts, and a grant lets in whom none does`() {
        let facts: [Fact] = [
            .says(ana, .invitation(wall, .guest)), .says(ana, .invitation(other, .attendee)), .comes(carl, wall),
            .comes(carl, other), .comes(dora, wall), .says(ana, .closing(wall, [])),
        ]
        #expect(levels(facts) == [ana: .founder, carl: .attendee])
        #expect(levels(facts + [.says(ana, .grant(dora, .guest))])[dora] == .guest)
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `what follows is the same in any order, told once or twice, settled at the end or in between`(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let facts = (0..<25).map { fact(number: $0, &random) } + [.founds(ana), .says(ana, .grant(bob, .host))]
        let expected = self.authority(facts).standings
        var authority = Authority()
        var current: [PersonID: Standing] = [:]
        for fact in (facts + facts).shuffled(using: &random) {
            fact.tell(&authority)
            guard random.chance(50) else { continue }
            for change in authority.settle() {
                #expect(change.old == current[change.person] && change.old != change.new)
                current[change.person] = change.new
            }
            #expect(current == authority.standings && !authority.isStale)
        }
        _ = authority.settle()
        #expect(authority.standings == expected)
    }

    private func fact(number: UInt64, _ random: inout SplitMix) -> Fact {
        let (speaker, person) = (random.pick(Self.people), random.pick(Self.people))
        let (link, level) = (random.pick(Self.links), random.pick(Level.allCases.dropFirst()))
        let place = UInt32(random.pick(1..<5))
        switch random.next() % 7 {
        case 0: return .says(speaker, .invitation(link, level), at: place)
        case 1: return .says(speaker, .grant(person, level), at: place)
        case 2:
            return .says(speaker, .closing(link, Set(Self.people.filter { _ in random.chance(50) })), at: place)
        case 3:
            let earlier = (0..<number).filter { _ in random.chance(40) }
            let cut = Self.cut(
                person,
                to: random.pick([nil, .guest, .founder]),
                behind: UInt32(random.pick(0..<5)),
                id: number,
                insteadOf: earlier
            )
            return .says(speaker, cut, at: place)
        default: return .comes(person, link)
        }
    }
}
