// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import MingleReplica
import Testing

/// What a relay lets go of, and in which order.
struct RetentionPolicyTests {
    private func blob(_ number: UInt8, by person: Int64 = 1, bytes: Int = 100, place: Int = 0) -> Holding {
        let name = BlobName(Bytes32(at: 0, of: [UInt8](repeating: number, count: 32).span))
        return Holding(.blob(name), person: person, bytes: bytes, row: Int64(number), place: place)
    }

    private func words(_ row: Int64, by person: Int64 = 1, bytes: Int = 10, hour: Int64? = 0) -> Holding {
        Holding(.payload(row: row), person: person, bytes: bytes, row: row, hour: hour)
    }

    @Test func `without limits everything stays for ever`() {
        let policy = RetentionPolicy()
        #expect(!policy.hasLimits)
        #expect(policy.evictions(of: [blob(1), words(2)], quiet: .seconds(86_400 * 3650)).isEmpty)
    }

    @Test func `days after the last news all goes, and not before`() {
        let policy = RetentionPolicy(days: 30)
        let holdings = [words(1), blob(2), blob(3, place: 2)]
        #expect(policy.evictions(of: holdings, quiet: .seconds(86_400 * 30)).isEmpty)
        #expect(
            policy.evictions(of: holdings, quiet: .seconds(86_400 * 30 + 1)) == [holdings[2], holdings[1], holdings[0]]
        )
    }

    @Test func `of an event that is too large originals go before previews, thumbnails and words, the oldest first`() {
        let holdings = [
            words(1), blob(2), blob(3, place: 1), blob(4, place: 2), blob(5, place: 2), blob(6, place: 1), blob(7),
        ]
        let order = [4, 5, 3, 6, 2, 7, 1]
        for count in 0...7 {
            let total = holdings.reduce(0) { $0 + $1.bytes }
            let left = order.prefix(count).reduce(total) { sum, row in
                sum - (holdings.first { $0.row == row }?.bytes ?? 0)
            }
            let gone = RetentionPolicy(eventBytes: left).evictions(of: holdings, quiet: .zero)
            #expect(gone.map(\.row) == order.prefix(count).map(Int64.init))
        }
    }

    @Test func `whoever shares too much loses what came last, and nobody else anything`() {
        let holdings = [blob(1), blob(2), words(3), blob(4), words(5, by: 2), blob(6, by: 2)]
        let gone = RetentionPolicy(authorBytes: 210).evictions(of: holdings, quiet: .zero)
        #expect(gone.map(\.row) == [4])
    }

    @Test func `of what somebody dates within one hour goes what came last, and no pictures or keys do`() {
        let holdings = [
            words(1), words(2), blob(3), words(4), words(5, hour: 1), words(6, by: 2), words(7, hour: nil), words(8),
        ]
        let policy = RetentionPolicy(authorHourly: 2)
        #expect(policy.evictions(of: holdings.reversed(), quiet: .zero).map(\.row) == [4, 8])
        // What goes for its bytes takes nothing of the hour.
        let both = RetentionPolicy(authorBytes: 25, authorHourly: 2)
        let gone = both.evictions(of: [words(1, bytes: 20), words(2, bytes: 90), words(3, bytes: 5)], quiet: .zero)
        #expect(gone.map(\.row) == [2])
    }

    @Test func `what a retired device brought counts by itself, by its bytes and by its hours`() {
        let stolen = (Int64(1)...3).map {
            Holding(.payload(row: $0), person: 1, apart: 7, bytes: 10, row: $0, hour: 0)
        }
        let holdings = stolen + [words(4), words(5), words(6)]
        for policy in [RetentionPolicy(authorHourly: 2), RetentionPolicy(authorBytes: 20)] {
            #expect(policy.evictions(of: holdings, quiet: .zero).map(\.row) == [3, 6])
        }
    }

    @Test func `what somebody says that it takes makes no room, and counts for his own quota alone`() {
        var claim = blob(1, by: 2, bytes: 1 << 32, place: 2)
        claim.held = 0
        let holdings = [claim, blob(2), blob(3, by: 2)]
        #expect(RetentionPolicy(eventBytes: 200).evictions(of: holdings, quiet: .zero).isEmpty)
        #expect(RetentionPolicy().evictions(of: holdings, quiet: .zero, excess: 100).map(\.row) == [2])
        #expect(RetentionPolicy(authorBytes: 100).evictions(of: holdings, quiet: .zero).map(\.row) == [1])
        #expect(RetentionPolicy(days: 1).evictions(of: holdings, quiet: .seconds(86_401)).count == 3)
    }

    @Test func `what goes for one reason counts for the others`() {
        let holdings = [blob(1), blob(2, by: 2), blob(3, by: 2)]
        let policy = RetentionPolicy(eventBytes: 200, authorBytes: 100)
        #expect(policy.evictions(of: holdings, quiet: .zero).map(\.row) == [3])
        #expect(policy.evictions(of: holdings, quiet: .zero, excess: 100).map(\.row) == [3])
        #expect(policy.evictions(of: holdings, quiet: .zero, excess: 101).map(\.row) == [3, 1])
    }

    @Test func `for the sake of all events only blobs go`() {
        let gone = RetentionPolicy(blobBytes: 0).evictions(of: [words(1), blob(2)], quiet: .zero, excess: 1000)
        #expect(gone.map(\.row) == [2])
    }

    @Test func `of several events that goes first in which nothing has happened for longest`() {
        let events = [(bytes: 500, quiet: Duration.seconds(10)), (300, .seconds(1000)), (400, .zero)]
        #expect(RetentionPolicy(blobBytes: 1200).excess(of: events) == [0, 0, 0])
        #expect(RetentionPolicy(blobBytes: 1000).excess(of: events) == [0, 200, 0])
        #expect(RetentionPolicy(blobBytes: 500).excess(of: events) == [400, 300, 0])
        #expect(RetentionPolicy(blobBytes: 0).excess(of: events) == [500, 300, 400])
        #expect(RetentionPolicy().excess(of: events) == [0, 0, 0])
    }

    @Test func `policies that differ are told apart by their words`() {
        let policies = [
            RetentionPolicy(), RetentionPolicy(blobBytes: 5), RetentionPolicy(eventBytes: 5),
            RetentionPolicy(authorBytes: 5), RetentionPolicy(authorHourly: 5), RetentionPolicy(days: 5),
            RetentionPolicy(days: 6),
        ]
        #expect(Set(policies.map(\.description)).count == policies.count)
    }
}
