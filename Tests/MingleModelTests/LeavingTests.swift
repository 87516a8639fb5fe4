// SPDX-License-Identifier: Apache-2.0

import MingleModel
import TestSupport
import Testing

/// What people say of their own part in an event, and of their own devices.
struct LeavingTests {
    private static let people = (1...5).map { PersonID(Bytes32(at: 0, of: [UInt8](repeating: $0, count: 32).span)) }
    private let ana = people[0]
    private let bob = people[1]
    private let carl = people[2]
    private let dora = people[3]

    /// A device of somebody's: its number is the person's, or that of another device.
    private static func journal(_ device: UInt8) -> Place.Journal {
        Place.Journal(DeviceName(Bytes32(at: 0, of: [UInt8](repeating: device, count: 32).span)), .fabric)
    }

    private static func place(_ device: UInt8, _ sequence: UInt32) -> Place {
        Place(journal(device), BranchPosition(branch: Int64(device), sequence: sequence))
    }

    private static func reference(_ id: UInt64) -> Reference {
        Reference(device: 1, journal: .fabric, sequence: 1, hash: id)
    }

    /// A cut of a person, or of one device, behind places.
    private func cut(
        _ id: UInt64,
        of person: PersonID,
        device: UInt8? = nil,
        to level: Level? = nil,
        behind ends: [UInt8: UInt32],
        insteadOf earlier: [UInt64] = []
    ) -> Authority.Statement {
        let ends = ends.map { device, sequence in
            (Self.journal(device), [Cut.End(sequence: sequence, position: Self.place(device, sequence).position)])
        }
        return .cut(
            Cut(
                id: Self.reference(id),
                person: person,
                device: device.map { Self.journal($0).device },
                level: level,
                ends: Dictionary(uniqueKeysWithValues: ends),
                overwrites: Set(earlier.map(Self.reference))
            )
        )
    }

    private typealias Said = (by: PersonID, device: UInt8, sequence: UInt32, what: Authority.Statement)

    /// What follows from statements, the same in whatever order they come, all at once or one by one.
    private func authority(_ said: [Said]) throws -> Authority {
        var results: [[PersonID: Standing]] = []
        var random = SplitMix(seed: 7)
        var last = Authority()
        for round in 0..<6 {
            var authority = Authority()
            authority.found(ana)
            for (by, device, sequence, what) in round == 0 ? said : said.shuffled(using: &random) {
                authority.state(what, by: Authority.Speaker(by, at: Self.place(device, sequence)))
                if round > 3 { _ = authority.settle() }
            }
            _ = authority.settle()
            results.append(authority.standings)
            last = authority
        }
        try #require(Set(results).count == 1, "the order matters")
        return last
    }

    private var hosts: [Said] {
        [(ana, 1, 2, .grant(bob, .host)), (bob, 2, 3, .grant(carl, .attendee)), (bob, 2, 4, .grant(dora, .attendee))]
    }

    @Test func `who leaves is out, what the person said before stays, and nothing behind it counts`() throws {
        let left = try authority(hosts + [(bob, 2, 5, cut(1, of: bob, behind: [2: 4]))])
        #expect(left.levels == [ana: .founder, carl: .attendee, dora: .attendee])
        let standing = try #require(left.standings[bob])
        #expect(standing.hasLeft && !standing.isRemoved && standing.base == .host && standing.level == nil)
        #expect(standing.level(at: Self.place(2, 4)) == .host && standing.level(at: Self.place(2, 6)) == nil)
        #expect(standing.ownCuts.map(\.id) == [Self.reference(1)])
        let later: [Said] = [(bob, 2, 6, .grant(Self.people[4], .attendee))]
        #expect(try authority(hosts + [(bob, 2, 5, cut(1, of: bob, behind: [2: 4]))] + later).levels.count == 3)
    }

    @Test func `nobody leaves in another's name, and one lowers oneself to nothing only`() throws {
        let said: [Said] = [
            (carl, 3, 2, cut(1, of: dora, behind: [:])), (bob, 2, 5, cut(2, of: ana, behind: [:])),
            (bob, 2, 6, cut(3, of: bob, to: .guest, behind: [2: 4])),
            (dora, 4, 2, cut(4, of: carl, device: 3, behind: [:])),
        ]
        #expect(try authority(hosts + said).standings == authority(hosts).standings)
    }

    @Test func `who was put lower takes back nothing by leaving that was said from above`() throws {
        let demotion: Said = (ana, 1, 3, cut(1, of: bob, to: .attendee, behind: [2: 4]))
        let removal: Said = (ana, 1, 3, cut(1, of: bob, behind: [2: 4]))
        let leaving: Said = (bob, 2, 6, cut(2, of: bob, behind: [:]))
        for judged in [demotion, removal] {
            let levels = try authority(hosts + [judged, leaving]).levels
            #expect(levels == [ana: .founder, carl: .attendee, dora: .attendee])
        }
        // A host may, as a host may also remove those.
        #expect(try authority(hosts + [leaving]).levels == [ana: .founder])
    }

    @Test func `leaving lifts no removal, and nobody lifts a leaving but those who decide about the person`() throws {
        let removal: Said = (ana, 1, 3, cut(1, of: carl, behind: [3: 1]))
        let leaving: Said = (carl, 3, 2, cut(2, of: carl, behind: [3: 1], insteadOf: [1]))
        let both = try #require(try authority(hosts + [removal, leaving]).standings[carl])
        #expect(both.isRemoved && both.level == nil)
        let own: Said = (carl, 3, 3, cut(3, of: carl, to: .founder, behind: [:], insteadOf: [1, 2]))
        #expect(try authority(hosts + [removal, leaving, own]).levels[carl] == nil)
        #expect(try authority(hosts + [leaving, own]).levels[carl] == nil)
        let peers: Said = (dora, 4, 3, cut(4, of: carl, to: .founder, behind: [:], insteadOf: [2]))
        #expect(try authority(hosts + [leaving, peers]).levels[carl] == nil)
        // A host lifts it; that a removal has voided it meanwhile makes no difference once that is lifted, too.
        let host: Said = (bob, 2, 5, cut(5, of: carl, to: .founder, behind: [:], insteadOf: [2]))
        #expect(try authority(hosts + [leaving, host]).levels[carl] == .attendee)
        let lifted: Said = (ana, 1, 4, cut(6, of: carl, to: .founder, behind: [:], insteadOf: [1]))
        #expect(try authority(hosts + [removal, leaving, lifted]).standings[carl]?.hasLeft == true)
        #expect(try authority(hosts + [removal, leaving, lifted, host]).levels[carl] == .attendee)
    }

    @Test func `a founder who leaves has founded the event all the same, and a successor decides`() throws {
        let said: [Said] = [
            (ana, 1, 2, .grant(bob, .successor)), (ana, 1, 3, .grant(carl, .host)),
            (ana, 1, 5, cut(1, of: ana, behind: [1: 4])),
            (bob, 2, 2, cut(2, of: carl, to: .attendee, behind: [:])), (bob, 2, 3, .grant(dora, .host)),
            (bob, 2, 4, cut(3, of: ana, to: .founder, behind: [:], insteadOf: [1])),
        ]
        let authority = try authority(said)
        #expect(authority.levels == [bob: .successor, carl: .attendee, dora: .host])
        #expect(authority.standings[ana]?.base == .founder && authority.standings[ana]?.hasLeft == true)
    }

    /// Case 16.
    @Test func `a thief's device and the owner's retire each other, and both are retired`() throws {
        // Bob's second device has the number 9.
        let said: [Said] = [
            (bob, 9, 5, cut(1, of: bob, device: 2, behind: [2: 4])),
            (bob, 2, 5, cut(2, of: bob, device: 9, behind: [9: 4])),
        ]
        let authority = try authority(hosts + said)
        let standing = try #require(authority.standings[bob])
        #expect(standing.isRetired(Self.journal(2).device) && standing.isRetired(Self.journal(9).device))
        #expect(standing.level == .host && authority.levels[carl] == .attendee)
        #expect(standing.level(at: Self.place(2, 4)) == .host && standing.level(at: Self.place(2, 5)) == nil)
        #expect(standing.level(at: Self.place(9, 4)) == .host && standing.level(at: Self.place(9, 5)) == nil)
        #expect(Set(standing.ownCuts.map(\.id)) == [Self.reference(1), Self.reference(2)])
        // What either says from then on counts for nothing, that Bob has left neither.
        let later: [Said] = [
            (bob, 2, 6, .grant(Self.people[4], .host)), (bob, 9, 6, cut(3, of: bob, behind: [2: 4, 9: 4])),
        ]
        #expect(try self.authority(hosts + said + later).standings[bob] == standing)
    }

    @Test func `who was removed retires no device any more, and what was retired before that stays so`() throws {
        let removal: Said = (ana, 1, 3, cut(1, of: bob, behind: [2: 4, 9: 4]))
        let late: Said = (bob, 2, 5, cut(2, of: bob, device: 9, behind: [9: 4]))
        let standing = try #require(try authority(hosts + [removal, late]).standings[bob])
        #expect(standing.isRemoved && standing.retirements.isEmpty && standing.countingCuts.count == 1)
        let early: Said = (bob, 2, 4, cut(2, of: bob, device: 9, behind: [9: 3]))
        let said = [hosts[0], hosts[1], removal, early]
        #expect(try authority(said).standings[bob]?.isRetired(Self.journal(9).device) == true)
    }

    @Test func `a device goes on that another one of the same person's was retired by`() throws {
        let said: [Said] = [
            (bob, 9, 5, cut(1, of: bob, device: 2, behind: [2: 3])), (bob, 9, 6, .grant(Self.people[4], .attendee)),
        ]
        let authority = try authority(hosts + said)
        // What stood behind the end counts no more, and what the other device says does.
        #expect(authority.levels == [ana: .founder, bob: .host, carl: .attendee, Self.people[4]: .attendee])
    }
}
