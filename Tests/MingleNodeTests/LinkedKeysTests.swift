// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import MingleWire
import NodeTestSupport
import Testing

/// Who certifies a further device and hands it keys, among replicas without nodes.
struct LinkedKeysTests {
    private let now = Timestamp(milliseconds: 5000)
    private let event: EventID
    private let psk: Secret
    private let founder, bob, carl: Replica
    private let bobsSecrets: Secrets

    init() throws {
        let (event, secrets) = Secrets.founding(.system)
        self.event = event
        psk = secrets.psk
        founder = try Replica(path: nil, event: event, own: secrets.ownDevice(in: event))
        try founder.found("Party", secrets: secrets, at: Timestamp(milliseconds: 1000), randomness: .system)
        let seed = Randomness.system.secret()
        _ = try founder.invite(InvitationKeys(seed: seed), expires: nil, uses: nil, at: now, randomness: .system)
        let link = InvitationLink(event: event, psk: secrets.psk, seed: seed, hints: [])
        bobsSecrets = Secrets.joining(link, .system)
        bob = try Self.enter(bobsSecrets, event)
        carl = try Self.enter(Secrets.joining(link, .system), event)
        for (reader, author) in [
            (bob, founder), (carl, founder), (founder, bob), (founder, carl), (bob, carl), (carl, bob),
        ] {
            try Self.pass(from: author, to: reader)
        }
    }

    private static func enter(_ secrets: Secrets, _ event: EventID) throws -> Replica {
        let replica = try Replica(path: nil, event: event, own: secrets.ownDevice(in: event))
        _ = try replica.enter(secrets: secrets, at: Timestamp(milliseconds: 2000), randomness: .system)
        return replica
    }

    /// Hands over what one device wrote.
    private static func pass(from author: Replica, to reader: Replica) throws {
        for journal in [Journal.fabric, .content] {
            _ = try reader.merge(author.serve(author.own.name, journal, after: [], byteLimit: 1 << 20).runs)
        }
    }

    /// A further device of Bob's that says so.
    private func link() throws -> Replica {
        let secrets = Secrets(linking: bobsSecrets.person, psk: psk, hints: [], randomness: .system)
        let phone = try Replica(path: nil, event: event, own: secrets.ownDevice(in: event))
        let identity = try #require(bobsSecrets.identity)
        let certificate = secrets.certificate(signed: identity.sign(phone.own.name.bytes))
        _ = try phone.enter(with: certificate, at: now, randomness: .system)
        return phone
    }

    @Test func `a person's device hands its keys to a further one at once, and others wait for that`() throws {
        #expect(try bob.keyDuty(at: now) == nil && carl.keyDuty(at: now) == nil)
        let phone = try link()
        for reader in [founder, bob, carl] { try Self.pass(from: phone, to: reader) }
        let duty = try #require(try bob.keyDuty(at: now))
        #expect(duty.pause == .zero)
        #expect(try #require(try carl.keyDuty(at: now)).pause >= .seconds(2))
        for author in [founder, bob] { try Self.pass(from: author, to: phone) }
        #expect(try phone.isAdmitted(bob.own.person) && !phone.hasKey())
        _ = try bob.fulfil(duty, at: now, randomness: .system)
        try Self.pass(from: bob, to: phone)
        #expect(try phone.hasKey() && phone.title() == "Party")
        try Self.pass(from: bob, to: carl)
        #expect(try carl.keyDuty(at: now) == nil)
    }

    @Test func `only a device with the identity answers, for its own person, while a link is open`() async throws {
        try await withTemporaryFolder { folder in
            let session = Session(handshakeHash: .zero, isInitiator: false)
            let seed = Randomness.system.secret()
            var offer: DeviceOffer? = DeviceOffer(seed: seed, at: .zero)
            let new = Secrets(linking: bobsSecrets.person, psk: psk, hints: [], randomness: .system)
            var arrival = DeviceArrival(seed: seed)
            let end = Session(handshakeHash: .zero, isInitiator: true)
            let made = arrival.request(of: new, in: event, to: PeerID(1), end)
            let request = try #require(made)
            let responder = try Responder(replica: bob, blobs: BlobStore(path: folder))
            var bobs = bobsSecrets
            let foreign = DeviceRequest(
                person: carl.own.person,
                signingKey: request.signingKey,
                agreementKey: request.agreementKey,
                proof: request.proof
            )
            #expect(
                try responder.certify(foreign, session, by: &bobs, &offer, at: .zero, keep: { _ in }) == .nothing
            )
            var linked = Secrets(linking: bobsSecrets.person, psk: psk, hints: [], randomness: .system)
            #expect(try responder.certify(request, session, by: &linked, &offer, at: .zero, keep: { _ in }) == .nothing)
            // Where the name cannot be kept nobody is certified, and a second try keeps it again.
            for _ in 0..<2 {
                #expect(throws: CancellationError.self) {
                    try responder.certify(request, session, by: &bobs, &offer, at: .zero) { _ in
                        throw CancellationError()
                    }
                }
            }
            #expect(bobs.certified.isEmpty && offer?.used == nil)
            var none: DeviceOffer?
            guard
                case .refused = try responder.certify(
                    request,
                    session,
                    by: &bobs,
                    &none,
                    at: .zero,
                    keep: { _ in }
                )
            else {
                return #expect(Bool(false), "it is certified without a link")
            }
            #expect(offer?.used == nil)
            let verdict = try responder.certify(request, session, by: &bobs, &offer, at: .zero, keep: { _ in })
            guard case .certified(let certified) = verdict else { return #expect(Bool(false), "it is not certified") }
            #expect(certified.device == bob.own.name && offer?.used == new.ownDevice(in: event).name)
            let taken = arrival.take(certified, of: new, in: event)
            #expect(taken?.isValid(in: event) == true)
            // Nothing is stored before the new device says so itself.
            #expect(try bob.devices(of: bob.own.person).count == 1)
        }
    }

    /// Asks a device whose person's keys are `secrets` for a certificate, by a link that it has open.
    private func ask(
        _ replica: Replica,
        of secrets: inout Secrets,
        for new: Secrets,
        in folder: String
    ) throws -> (verdict: DeviceVerdict, offer: DeviceOffer?) {
        let seed = Randomness.system.secret()
        var (offer, arrival) = (DeviceOffer?(DeviceOffer(seed: seed, at: .zero)), DeviceArrival(seed: seed))
        let there = Session(handshakeHash: .zero, isInitiator: true)
        let asked = arrival.request(of: new, in: event, to: PeerID(1), there)
        let here = Session(handshakeHash: .zero, isInitiator: false)
        let responder = try Responder(replica: replica, blobs: BlobStore(path: folder))
        let request = try #require(asked)
        return (try responder.certify(request, here, by: &secrets, &offer, at: .zero, keep: { _ in }), offer)
    }

    private func newSecrets(of person: PersonID) -> Secrets {
        Secrets(linking: person, psk: psk, hints: [], randomness: .system)
    }

    @Test func `a device that was retired certifies nobody, though it has the identity and a link that is open`()
        async throws
    {
        var others = bobsSecrets
        try others.replaceDevice(.system)
        let tablet = try Self.enter(others, event)
        try Self.pass(from: tablet, to: bob)
        for author in [founder, bob, carl] { try Self.pass(from: author, to: tablet) }
        try await withTemporaryFolder { folder in
            var secrets = bobsSecrets
            let new = newSecrets(of: secrets.person)
            let before = try ask(bob, of: &secrets, for: new, in: folder)
            guard case .certified = before.verdict else { return #expect(Bool(false), "it is not certified") }
            _ = try tablet.author([.retire(bob.own.name)], at: now, randomness: .system)
            try Self.pass(from: tablet, to: bob)
            #expect(try bob.linkingRefusal(certified: []) == .isRetired)
            let after = try ask(bob, of: &secrets, for: new, in: folder)
            #expect(after.verdict == .refused("the device that made the link was retired"))
            #expect(after.offer?.used == nil)
        }
    }

    @Test func `a device that was retired is not certified again, and uses up no link`() async throws {
        try await withTemporaryFolder { folder in
            var secrets = bobsSecrets
            let lost = newSecrets(of: secrets.person)
            guard case .certified = try ask(bob, of: &secrets, for: lost, in: folder).verdict else {
                return #expect(Bool(false), "it is not certified")
            }
            // It came nowhere yet.
            _ = try bob.author([.retire(lost.ownDevice(in: event).name)], at: now, randomness: .system)
            let again = try ask(bob, of: &secrets, for: lost, in: folder)
            guard case .refused(let reason) = again.verdict else {
                return #expect(Bool(false), "it is certified again")
            }
            #expect(reason.hasPrefix("that device was retired") && again.offer?.used == nil)
            let other = try ask(bob, of: &secrets, for: newSecrets(of: secrets.person), in: folder)
            guard case .certified = other.verdict else { return #expect(Bool(false), "nobody is certified any more") }
        }
    }

    @Test func `a relay that is asked for a certificate says nothing, as nobody is meant by that`() async throws {
        let link = InvitationLink(
            event: event,
            psk: psk,
            seed: Randomness.system.secret(),
            hints: [],
            isForRelay: true
        )
        var secrets = Secrets.joining(link, .system)
        let relay = try Self.enter(secrets, event)
        try Self.pass(from: founder, to: relay)
        try await withTemporaryFolder { folder in
            let asked = try ask(relay, of: &secrets, for: newSecrets(of: secrets.person), in: folder)
            #expect(asked.verdict == .nothing && asked.offer?.used == nil && secrets.certified.isEmpty)
        }
    }
}
