// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire

/// The keys of everybody in a story.
struct Cast {
    let event: EventID
    let foundingSalt: Bytes32
    let scribes: [Scribe]
    let epochs: [TestEpoch]
    let invitations: [InvitationKeys]
    let observer: TestKeys

    init(seed: UInt64) {
        let randomness = Randomness.seeded(seed &+ 1_000_003)
        let founder = TestKeys(randomness)
        let salt = Bytes32(at: 0, of: randomness.bytes(32).span)
        let event = Certificate.eventID(founder: founder.person, salt: salt)
        invitations = (0..<2).map { _ in InvitationKeys(seed: randomness.secret()) }
        let everybodys = (0..<3).map { _ in TestEpoch(randomness, event: event) }
        observer = TestKeys(randomness)
        let bob = TestKeys(randomness)
        let keys = [
            founder, bob, TestKeys(randomness, identity: bob.identity), TestKeys(randomness), TestKeys(randomness),
        ]
        scribes = keys.map { Scribe($0, event: event, randomness: randomness) }
        (self.event, foundingSalt) = (event, salt)
        // Bob's phone makes the first key for his guests, his laptop one that carries it.
        let audience = Audience.guests(owner: bob.person, salt: randomness.bytes(Audience.saltLength))
        let maker = scribes[1].own.name
        let first = TestEpoch(randomness, event: event, for: audience, by: maker, carrying: [])
        let second = TestEpoch(randomness, event: event, for: audience, by: maker, carrying: [first])
        // What Bob reports is for those who moderate.
        let reports = TestEpoch(randomness, event: event, for: .reports(by: bob.person), by: maker)
        // What Bob marks is for his own devices.
        let bookmarks = TestEpoch(randomness, event: event, for: .own(bob.person), by: maker)
        // What Bob and Carl say to each other is for the two.
        let pair = TestEpoch(randomness, event: event, for: .between(bob.person, and: keys[3].person), by: maker)
        epochs = everybodys + [first, second, reports, bookmarks, pair]
    }

    /// Whoever the story is told to.
    func observer(hasInvitation: Bool) -> OwnDevice {
        observer.own(in: event, invitation: hasInvitation ? invitations[0] : nil)
    }

    /// What a fabric act says; nil for others.
    func fabric(_ act: Act) throws -> FabricPayload? {
        switch act.deed {
        case .certificate(let device):
            .certificate(scribes[device].keys.certificate(in: event, foundingSalt: device == 0 ? foundingSalt : nil))
        case .invitation(let number, let level):
            .invitation(
                InvitationTerms(
                    id: invitations[number].id,
                    agreementKey: invitations[number].agreement.publicKey,
                    level: level
                )
            )
        case .grant(let device, let level): .grant(person: scribes[device].keys.person, level: level)
        case .closing(let number, let admitted):
            .closing(invitation: invitations[number].id, admitted: admitted.map { scribes[$0].keys.person })
        case .epoch(let number):
            try epochs[number].slots(
                event: event,
                author: scribes[act.device].keys.agreement,
                label: invitations[0].id.raw.prefix,
                recipient: invitations[0].agreement.publicKey
            )
        case .admission(let device, let invitation): scribes[device].admission(by: invitations[invitation])
        case .cut, .retirement, .record, .deletion, .noise, .privateEpoch: nil
        }
    }
}
