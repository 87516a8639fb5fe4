// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleSync
import Testing

@testable import MingleNode

/// Who holds no more than this node does.
struct RosterTests {
    private static let (first, second) = (PeerID(1), PeerID(2))

    /// Two members who hold the same.
    private static func roster() -> Roster {
        let roster = Roster()
        for peer in [first, second] {
            roster.open(peer, address: "192.0.2.7:4711", isIncoming: false)
            roster.greet(peer, device: DeviceName(.zero), person: PersonID(.zero))
            roster.note(.inSync(.all), of: peer)
        }
        return roster
    }

    @Test func `a member who tells of more is not in sync until that is here`() {
        let roster = Self.roster()
        #expect(roster.holdNoMore && roster.hasInSyncMember)
        roster.note(.ahead, of: Self.first)
        #expect(!roster.holdNoMore && roster.hasInSyncMember)
        roster.note(.ahead, of: Self.second)
        #expect(!roster.hasInSyncMember)
        // What was written here is with them all the same.
        let others = roster.others(than: PersonID(Blake2b.hash(.identity, [1])))
        #expect(others.count == 2 && others.allSatisfy(\.isInSync))
        roster.note(.caughtUp, of: Self.first)
        #expect(!roster.holdNoMore && roster.hasInSyncMember)
        roster.note(.inSync(.all), of: Self.second)
        #expect(roster.holdNoMore)
    }

    @Test func `nobody is in sync who withholds something, nor of whom that was forgotten`() {
        let roster = Self.roster()
        roster.note(.gaveUp(JournalKey(device: DeviceName(.zero), journal: .content)), of: Self.first)
        roster.note(.caughtUp, of: Self.first)
        #expect(!roster.holdNoMore)
        roster.note(.inSync(.all), of: Self.first)
        #expect(roster.holdNoMore)
        roster.forgetSyncStates()
        roster.note(.caughtUp, of: Self.first)
        #expect(!roster.holdNoMore && !roster.hasInSyncMember)
    }

    @Test func `relays alone are not asked who misses something`() {
        let roster = Self.roster()
        for peer in [Self.first, Self.second] { roster.noteRelay(peer) }
        #expect(!roster.holdNoMore)
        // They hold everything, and know of nothing what it says.
        #expect(roster.hasInSyncMember && !roster.hasInSyncReader)
        roster.open(PeerID(3), address: "192.0.2.8:4711", isIncoming: true)
        roster.greet(PeerID(3), device: DeviceName(.zero), person: PersonID(.zero))
        roster.note(.inSync(.all), of: PeerID(3))
        #expect(roster.hasInSyncReader)
    }
}
