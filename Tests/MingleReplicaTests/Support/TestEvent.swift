// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire
import Synchronization
import TestSupport

extension Randomness {
    /// Bytes that follow from a seed.
    static func seeded(_ seed: UInt64) -> Randomness {
        let generator = Mutex(SplitMix(seed: seed))
        return Randomness { count in
            generator.withLock { generator in
                var bytes: [UInt8] = []
                while bytes.count < count { bytes.append(UInt8(truncatingIfNeeded: generator.next())) }
                return bytes
            }
        }
    }
}

/// The keys of one person's device, before it has a replica.
struct TestKeys {
    let identity: SigningKey
    let signing: SigningKey
    let agreement: AgreementKey

    init(_ randomness: Randomness, identity: SigningKey? = nil) {
        self.identity = identity ?? SigningKey(seed: randomness.secret())
        signing = SigningKey(seed: randomness.secret())
        agreement = AgreementKey(secret: randomness.secret())
    }

    var person: PersonID { PersonID(identity.publicKey) }

    func own(in event: EventID, invitation: InvitationKeys? = nil) -> OwnDevice {
        let name = Certificate.deviceName(
            event: event,
            person: person,
            signingKey: signing.publicKey,
            agreementKey: agreement.publicKey
        )
        return OwnDevice(person: person, name: name, signing: signing, agreement: agreement, invitation: invitation)
    }

    func certificate(in event: EventID, foundingSalt: Bytes32? = nil) -> Certificate {
        Certificate(
            person: person,
            signingKey: signing.publicKey,
            agreementKey: agreement.publicKey,
            signature: identity.sign(own(in: event).name.bytes),
            foundingSalt: foundingSalt
        )
    }
}

/// An event with a founder and any number of members, each with a replica in memory.
struct TestEvent {
    let randomness: Randomness
    let event: EventID
    let invitation: InvitationKeys
    let epoch: TestEpoch
    let founder: Replica
    private(set) var members: [Replica]

    /// Founds an event: certificate, invitation, epoch and settings.
    init(seed: UInt64, path: String? = nil, identity: SigningKey? = nil) throws {
        randomness = .seeded(seed)
        let keys = TestKeys(randomness, identity: identity)
        let salt = Bytes32(at: 0, of: randomness.bytes(32).span)
        event = Certificate.eventID(founder: keys.person, salt: salt)
        invitation = InvitationKeys(seed: randomness.secret())
        founder = try Replica(path: path, event: event, own: keys.own(in: event))
        members = [founder]
        epoch = TestEpoch(randomness, event: event)
        let slots = try epoch.slots(
            event: event,
            author: keys.agreement,
            label: invitation.id.raw.prefix,
            recipient: invitation.agreement.publicKey
        )
        let terms = InvitationTerms(id: invitation.id, agreementKey: invitation.agreement.publicKey)
        _ = try founder.author(
            [
                .fabric(.certificate(keys.certificate(in: event, foundingSalt: salt))),
                .fabric(.invitation(terms)),
                .fabric(slots),
            ],
            at: Timestamp(milliseconds: 1000),
            randomness: randomness
        )
        _ = try founder.hold(epoch.key, of: epoch.id)
        _ = try founder.author(
            [.set(.event, on: .nothing, values: ["title": .text("Ana and Bob")])],
            at: Timestamp(milliseconds: 1001),
            randomness: randomness
        )
    }

    /// Adds a person's device, admitted by the invitation; it holds the founder's fabric.
    mutating func join(
        identity: SigningKey? = nil,
        path: String? = nil,
        clock: (@Sendable () -> Timestamp)? = nil
    ) throws -> Replica {
        let keys = TestKeys(randomness, identity: identity)
        let own = keys.own(in: event, invitation: invitation)
        let replica = try Replica(path: path, event: event, own: own, clock: clock)
        try replica.receiveAll(from: founder)
        try replica.enter(keys, by: invitation, at: 2000, randomness)
        members.append(replica)
        return replica
    }
}

extension TestEvent {
    /// Adds two devices of one person.
    mutating func joinTwice() throws -> (phone: Replica, laptop: Replica) {
        let identity = SigningKey(seed: randomness.secret())
        let phone = try join(identity: identity)
        let laptop = try join(identity: identity)
        try phone.receiveAll(from: laptop)
        try laptop.receiveAll(from: phone)
        return (phone, laptop)
    }

    /// A member's device that writes whatever it is told.
    func scribe(identity: SigningKey? = nil) -> Scribe {
        Scribe(TestKeys(randomness, identity: identity), event: event, randomness: randomness)
    }

    /// A relay that holds nothing yet.
    func relay() throws -> Replica {
        let keys = TestKeys(randomness).own(in: event)
        let own = OwnDevice(
            person: keys.person,
            name: keys.name,
            signing: keys.signing,
            agreement: keys.agreement,
            isRelay: true
        )
        return try Replica(path: nil, event: event, own: own)
    }

    /// A replica that holds the founder's journals and whatever else is merged into it.
    func reader(hasInvitation: Bool = true, path: String? = nil) throws -> Replica {
        let own = TestKeys(randomness).own(in: event, invitation: hasInvitation ? invitation : nil)
        let replica = try Replica(path: path, event: event, own: own)
        try replica.receiveAll(from: founder)
        return replica
    }

    /// A delta that makes, edits or sets a record, under the event's key.
    func entry(
        _ kind: Kind,
        root: Root = .itself,
        on target: Target = .nothing,
        _ changes: [Change],
        time: Int64 = 3000
    ) throws -> Scribe.Entry {
        let payload = RecordPayload(kind: kind.number, target: target, changes: changes)
        return Scribe.Entry(time: time, root: root, plain: try payload.encoded(), epoch: epoch)
    }
}

extension Replica {
    /// The lines of the dump that everybody in the event has.
    func eventDump() throws -> [String] { try dump().filter { !$0.contains("\taudience=") } }

    /// Lines of the dump that contain `words`.
    func lines(_ words: String) throws -> [String] { try dump().filter { $0.contains(words) } }

    /// Pulls all that `other` holds and this replica lacks, but for payloads that are to be omitted.
    func receiveAll(from other: Replica, omitting isOmitted: (Reference) -> Bool = { _ in false }) throws {
        for entry in try other.frontier().entries.sorted(by: { $0.journal < $1.journal }) {
            let held = try locator(of: entry.device, entry.journal)
            let runs = try other.runs(of: entry.device, entry.journal, after: held, byteLimit: .max)
            _ = try merge(runs.map { $0.withoutPayloads { isOmitted($0.reference) } })
        }
        let missing = try missingPayloads(limit: 1000).map(\.reference).filter { !isOmitted($0) }
        let answers = zip(missing, try other.payloads(missing))
        _ = try merge(
            payloads: answers.compactMap { reference, answer in
                if case .held(let bytes) = answer { (reference, bytes) } else { nil }
            }
        )
    }

    /// Writes one delta and returns its name.
    @discardableResult
    func say(_ draft: Draft, at milliseconds: Int64, _ randomness: Randomness) throws -> Reference {
        try author([draft], at: Timestamp(milliseconds: milliseconds), randomness: randomness).references[0]
    }
}

extension Replica {
    /// Writes what a newcomer begins with who comes by an invitation.
    func enter(_ keys: TestKeys, by invitation: InvitationKeys, at time: Int64, _ randomness: Randomness) throws {
        let statement = FabricPayload.admissionStatement(event: event, person: keys.person)
        _ = try author(
            [
                .fabric(.certificate(keys.certificate(in: event))),
                .fabric(.admission(invitation: invitation.id, signature: invitation.signing.sign(statement))),
            ],
            at: Timestamp(milliseconds: time),
            randomness: randomness
        )
    }
}

extension [Replica] {
    /// Lets all hold what all of them hold, through the first.
    func meet() throws {
        for _ in 0..<2 {
            for other in dropFirst() {
                try self[0].receiveAll(from: other)
                try other.receiveAll(from: self[0])
            }
        }
    }
}
