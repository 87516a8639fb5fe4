// SPDX-License-Identifier: Apache-2.0

import GRDB
import MingleCrypto
import MingleModel
import MinglePeering
import MingleWire
import Testing

@testable import MingleReplica

/// Keys that somebody seals to others wrongly, so that everybody takes these to have them.
struct WrongSlotTests {
    private static let now = Timestamp(milliseconds: 9000)

    /// An event in which somebody came to whom Eve alone sealed the event's key, or said so.
    private struct Scene {
        let world: TestEvent
        let eve: Scribe
        let late: Replica
        private(set) var last: Delta?

        init(seed: UInt64, level: Level = .attendee, isByInvitation: Bool = false) throws {
            world = try TestEvent(seed: seed)
            eve = world.scribe()
            let introduction = try eve.introduction(by: world.invitation)
            _ = try world.founder.merge([Run(travelling: introduction)])
            last = introduction.last
            // Nobody sealed the key to this invitation yet, as where two hosts open and renew apart.
            let invitation = InvitationKeys(seed: world.randomness.secret())
            let terms = InvitationTerms(id: invitation.id, agreementKey: invitation.agreement.publicKey, level: level)
            let draft = Draft.fabric(.invitation(terms))
            _ = try world.founder.author([draft], at: WrongSlotTests.now, randomness: world.randomness)
            let keys = TestKeys(world.randomness)
            late = try Replica(path: nil, event: world.event, own: keys.own(in: world.event, invitation: invitation))
            try late.receiveAll(from: world.founder)
            try late.enter(keys, by: invitation, at: 8000, world.randomness)
            try world.founder.receiveAll(from: late)
            try lie(
                to: isByInvitation ? [invitation.id.raw.prefix] : [late.own.name.raw.prefix, invitation.id.raw.prefix]
            )
        }

        /// Eve writes slots that nothing opens.
        mutating func lie(to labels: [UInt64]) throws {
            let slots = try labels.map { label in
                try EpochSlots.slot(
                    key: eve.randomness.secret(),
                    epoch: world.epoch.id,
                    label: label,
                    author: eve.keys.agreement,
                    recipient: AgreementKey(secret: eve.randomness.secret()).publicKey
                )
            }
            let audience = EpochSlots.eventAudience(eve.event)
            let said = FabricPayload.epoch(EpochSlots(id: world.epoch.id, audience: audience, slots: slots))
            let delta = try eve.fabric(said, after: last, time: 8500)
            last = delta
            for reader in [world.founder, late] { _ = try reader.merge([Run(travelling: [delta])]) }
        }

        /// Somebody does what is due about the keys; how much that was.
        func tendKeys(_ replica: Replica) throws -> Int {
            for count in 0..<24 {
                guard let duty = try replica.keyDuty(at: WrongSlotTests.now) else { return count }
                _ = try replica.fulfil(duty, at: WrongSlotTests.now, randomness: world.randomness)
            }
            return .max
        }

        var isReading: Bool { get throws { try late.epochKeys().map(\.0).contains(world.epoch.id) } }
    }

    // Counterexample 27.
    @Test(arguments: [(Level.attendee, false), (.attendee, true), (.guest, false)])
    func `whoever is sealed a wrong key says so, and gets it from another`(level: Level, isByInvitation: Bool) throws {
        let scene = try Scene(seed: 281, level: level, isByInvitation: isByInvitation)
        // What Eve says is believed until then.
        _ = try scene.tendKeys(scene.world.founder)
        try scene.late.receiveAll(from: scene.world.founder)
        #expect(try !scene.isReading)
        #expect(try scene.late.keyNeed(at: Self.now) == .reporting(scene.eve.own.name))
        #expect(try scene.tendKeys(scene.late) >= 1)
        try scene.world.founder.receiveAll(from: scene.late)
        #expect(try scene.tendKeys(scene.world.founder) == 1)
        try scene.late.receiveAll(from: scene.world.founder)
        #expect(try scene.isReading)
        #expect(try scene.tendKeys(scene.late) == 0 && scene.tendKeys(scene.world.founder) == 0)
        #expect(try scene.world.founder.wrongSlots().map(\.author) == [scene.eve.keys.person])
    }

    @Test func `who sealed one wrong key keeps nobody from the right one by another`() throws {
        var scene = try Scene(seed: 282)
        #expect(try scene.tendKeys(scene.late) == 1)
        try scene.world.founder.receiveAll(from: scene.late)
        try scene.lie(to: [scene.late.own.name.raw.prefix])
        #expect(try scene.tendKeys(scene.world.founder) >= 1)
        try scene.late.receiveAll(from: scene.world.founder)
        #expect(try scene.isReading)
    }

    @Test func `whoever says that everybody's slots are wrong is believed so many times`() throws {
        let scene = try Scene(seed: 283)
        let accused = (0..<40).map { _ in TestKeys(scene.world.randomness).own(in: scene.world.event).name }
        let own = scene.world.founder.own.name
        let drafts = ([own] + accused).map { Draft.fabric(.wrongSlots(by: $0)) }
        _ = try scene.late.author(drafts, at: Self.now, randomness: scene.world.randomness)
        try scene.world.founder.receiveAll(from: scene.late)
        let said = try scene.world.founder.write(isDurable: false) { transaction in
            try transaction.row("SELECT count(*) AS count FROM wrong_slots", [])?["count"] as Int?
        }
        #expect(said == 16)
        // The founder's device has done what it could, so it does nothing for ever.
        #expect(try scene.tendKeys(scene.world.founder) < 24)
    }

    @Test func `nobody is told what devices say of others that were never let in`() throws {
        let scene = try Scene(seed: 285)
        let stranger = scene.world.scribe()
        let introduction = try stranger.introduction(by: nil)
        let said = try stranger.fabric(
            .wrongSlots(by: scene.world.founder.own.name),
            after: introduction.last,
            time: 8600
        )
        _ = try scene.late.merge([Run(travelling: introduction + [said])])
        #expect(try scene.late.wrongSlots().isEmpty)
    }

    @Test func `what is worked out anew is the same, slots that do not open included`() throws {
        let scene = try Scene(seed: 284)
        _ = try scene.tendKeys(scene.late)
        try scene.world.founder.receiveAll(from: scene.late)
        let need = try scene.world.founder.keyNeed(at: Self.now)
        _ = try scene.world.founder.recompute()
        #expect(try scene.world.founder.keyNeed(at: Self.now) == need && need != nil)
    }
}
