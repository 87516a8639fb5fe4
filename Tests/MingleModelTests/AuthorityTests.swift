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
        case says(PersonID, Authority.Statement)

        func tell(_ authority: inout Authority) {
            switch self {
            case .founds(let person): authority.found(person)
            case .comes(let person, let invitation): authority.admit(person, by: invitation)
            case .says(let person, let statement): authority.state(statement, by: person)
            }
        }
    }

    private func levels(_ facts: [Fact]) -> [PersonID: Level] {
        var authority = Authority()
        for fact in [.founds(ana)] + facts { fact.tell(&authority) }
        _ = authority.settle()
        return authority.levels
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
        let facts = (0..<25).map { _ in fact(&random) } + [.founds(ana), .says(ana, .grant(bob, .host))]
        let expected = levels(facts)
        var authority = Authority()
        var current: [PersonID: Level] = [:]
        for fact in (facts + facts).shuffled(using: &random) {
            fact.tell(&authority)
            guard random.chance(50) else { continue }
            for change in authority.settle() {
                #expect(change.old == current[change.person] && change.old != change.new)
                current[change.person] = change.new
            }
            #expect(current == authority.levels && !authority.isStale)
        }
        _ = authority.settle()
        #expect(authority.levels == expected)
    }

    private func fact(_ random: inout SplitMix) -> Fact {
        let (speaker, person) = (random.pick(Self.people), random.pick(Self.people))
        let (link, level) = (random.pick(Self.links), random.pick(Level.allCases.dropFirst()))
        switch random.next() % 6 {
        case 0: return .says(speaker, .invitation(link, level))
        case 1: return .says(speaker, .grant(person, level))
        case 2: return .says(speaker, .closing(link, Set(Self.people.filter { _ in random.chance(50) })))
        default: return .comes(person, link)
        }
    }
}
