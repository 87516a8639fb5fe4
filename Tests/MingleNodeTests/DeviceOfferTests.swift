// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import MingleWire
import Testing

@testable import MingleNode

/// A device link as its maker keeps it, and what comes back by it, without nodes.
struct DeviceOfferTests {
    private let event = TransportNode.event(1).event
    private let seed = Secret([UInt8](repeating: 3, count: 32))
    private let person = SigningKey(seed: Secret([UInt8](repeating: 4, count: 32)))
    /// The end that made the link was dialled.
    private let here = Session(handshakeHash: Blake2b.hash(.session, [1]), isInitiator: false)

    private var there: Session { Session(handshakeHash: here.handshakeHash, isInitiator: true) }

    private func newSecrets() -> Secrets {
        Secrets(linking: PersonID(person.publicKey), psk: seed, hints: [], randomness: .system)
    }

    private func request(_ secrets: Secrets, _ seed: Secret, in session: Session) throws -> DeviceRequest {
        var arrival = DeviceArrival(seed: seed)
        let request = arrival.request(of: secrets, in: event, to: PeerID(1), session)
        return try #require(request)
    }

    private func isRefused(_ outcome: DeviceOffer.Outcome, with word: String) -> Bool {
        if case .refused(let reason) = outcome { reason.contains(word) } else { false }
    }

    @Test func `who knows the link is proved, in this session and for these keys alone`() throws {
        let offer = DeviceOffer(seed: seed, at: .zero)
        let secrets = newSecrets()
        let device = secrets.ownDevice(in: event).name
        let request = try request(secrets, seed, in: there)
        #expect(offer.look(at: request, for: device, in: here, at: .seconds(1)) == .proved)
        let replayed = Session(handshakeHash: Blake2b.hash(.session, [2]), isInitiator: false)
        #expect(isRefused(offer.look(at: request, for: device, in: replayed, at: .seconds(1)), with: "not the link"))
        // Its own words, said back to who asked.
        #expect(isRefused(offer.look(at: request, for: device, in: there, at: .seconds(1)), with: "not the link"))
        let thief = newSecrets().ownDevice(in: event).name
        #expect(isRefused(offer.look(at: request, for: thief, in: here, at: .seconds(1)), with: "not the link"))
        let wrong = try self.request(secrets, Secret([UInt8](repeating: 9, count: 32)), in: there)
        #expect(isRefused(offer.look(at: wrong, for: device, in: here, at: .seconds(1)), with: "not the link"))
        #expect(offer.used == nil && offer.isOpen(at: .seconds(1)))
    }

    @Test func `a proof is the bytes that the vectors have`() {
        var hash = Blake2b(.linking, key: seed)
        let device = newSecrets().ownDevice(in: event).name
        hash.update(here.handshakeHash.bytes + [1] + device.bytes)
        let expected = hash.finalize32()
        #expect(DeviceRequest.proof(of: seed, for: device, in: here, isInitiator: true) == expected)
        #expect(DeviceRequest.proof(of: seed, for: device, in: here, isInitiator: false) != expected)
    }

    @Test func `a link ends after ten minutes, also for whom it was used`() throws {
        let offer = DeviceOffer(seed: seed, at: .seconds(50))
        let secrets = newSecrets()
        let device = secrets.ownDevice(in: event).name
        let request = try request(secrets, seed, in: there)
        #expect(offer.isOpen(at: .seconds(649)) && !offer.isOpen(at: .seconds(650)))
        #expect(offer.look(at: request, for: device, in: here, at: .seconds(649)) == .proved)
        #expect(isRefused(offer.look(at: request, for: device, in: here, at: .seconds(650)), with: "expired"))
    }

    @Test func `of two devices that race one gets in, and may ask again if the answer was lost`() throws {
        var offer = DeviceOffer(seed: seed, at: .zero)
        let (first, second) = (newSecrets(), newSecrets())
        let names = (first.ownDevice(in: event).name, second.ownDevice(in: event).name)
        let requests = try (request(first, seed, in: there), request(second, seed, in: there))
        #expect(offer.look(at: requests.0, for: names.0, in: here, at: .zero) == .proved)
        #expect(offer.look(at: requests.1, for: names.1, in: here, at: .zero) == .proved)
        offer.use(for: names.0)
        #expect(isRefused(offer.look(at: requests.1, for: names.1, in: here, at: .zero), with: "another device"))
        #expect(offer.look(at: requests.0, for: names.0, in: here, at: .zero) == .proved)
        #expect(!offer.isOpen(at: .zero) && offer.used == names.0)
    }

    @Test func `however many guess, who knows the link gets in`() throws {
        let offer = DeviceOffer(seed: seed, at: .zero)
        let secrets = newSecrets()
        let device = secrets.ownDevice(in: event).name
        let (right, wrong) = try (
            request(secrets, seed, in: there), request(secrets, Secret([UInt8](repeating: 9, count: 32)), in: there)
        )
        for step in 0..<1000 {
            let time = Duration.microseconds(100 * step)
            #expect(isRefused(offer.look(at: wrong, for: device, in: here, at: time), with: "not the link"))
        }
        #expect(offer.look(at: right, for: device, in: here, at: .microseconds(100_001)) == .proved)
    }

    @Test func `a device takes what its person signed for its own name, once, and nothing else`() throws {
        let secrets = newSecrets()
        let name = secrets.ownDevice(in: event).name
        let right = DeviceCertified(signature: person.sign(name.bytes).bytes, device: name)
        var arrival = DeviceArrival(seed: seed)
        let liar = SigningKey(seed: seed)
        for signature in [[], [1], liar.sign(name.bytes).bytes, person.sign(event.bytes).bytes] {
            let certified = DeviceCertified(signature: signature, device: name)
            #expect(arrival.take(certified, of: secrets, in: event) == nil && !arrival.isOver)
        }
        let taken = arrival.take(right, of: secrets, in: event)
        let certificate = try #require(taken)
        #expect(certificate.isValid(in: event) && certificate.deviceName(in: event) == name)
        #expect(certificate.foundingSalt == nil && arrival.isOver)
        #expect(arrival.take(right, of: secrets, in: event) == nil)
        #expect(arrival.request(of: secrets, in: event, to: PeerID(1), there) == nil)
        let hasGivenUp = arrival.giveUp()
        #expect(!hasGivenUp)
    }

    @Test func `who waits no more takes no certificate, and greets whom it asked once it has one`() throws {
        let secrets = newSecrets()
        let name = secrets.ownDevice(in: event).name
        var (patient, hasty) = (DeviceArrival(seed: seed), DeviceArrival(seed: seed))
        for number in [3, 1, 2] as [UInt64] {
            #expect(patient.request(of: secrets, in: event, to: PeerID(number), there) != nil)
        }
        let asked = (patient.takeAsked().map(\.peer), patient.takeAsked().count)
        #expect(asked == ([1, 2, 3].map { PeerID($0) }, 0))
        for _ in 0..<2 {
            let hasGivenUp = hasty.giveUp()
            #expect(hasGivenUp)
        }
        let certified = DeviceCertified(signature: person.sign(name.bytes).bytes, device: name)
        #expect(hasty.take(certified, of: secrets, in: event) == nil)
    }
}
