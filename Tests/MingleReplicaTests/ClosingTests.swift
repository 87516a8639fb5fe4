// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire
import Testing

/// The end of an invitation, as its closer writes it.
struct ClosingTests {
    /// How many closings a number of guests takes, each listing a thousand at the most.
    @Test(arguments: [(0, 1), (1, 1), (1000, 1), (1001, 2)])
    func `who came before stays, however many they are, and nobody else comes`(guests: Int, parts: Int) throws {
        let world = try TestEvent(seed: 77)
        let founder = world.founder
        let introductions = try (0..<guests).map { _ in Run(try world.scribe().introduction(by: world.invitation)) }
        #expect(try founder.merge(introductions).refused.isEmpty)
        let time = Timestamp(milliseconds: 5000)
        let authored = try founder.author([.close(world.invitation.id)], at: time, randomness: world.randomness)
        #expect(authored.runs.flatMap(\.deltas).count == parts)
        #expect(try founder.people().count == guests + 1 && !authored.outcome.isRecomputed)
        _ = try founder.merge([Run(try world.scribe().introduction(by: world.invitation))])
        #expect(try founder.people().count == guests + 1 && founder.waitingPeople().count == 1)
    }
}
