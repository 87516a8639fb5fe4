// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire
import Testing

/// What a modified node may send, and that it changes nothing that an honest one shows.
struct AttackTests {
    private static func profile(_ text: String) -> [Change] { [Change(field: 1, value: .text(text))] }

    @Test func `a run of another key is refused`() throws {
        let world = try TestEvent(seed: 201)
        let (device, forger) = (world.scribe(), world.scribe())
        let delta = device.write(try world.entry(.profile, root: .none, Self.profile("Ana")), after: nil)
        let forged = forger.sign(delta.header, payload: delta.payload, hash: delta.hash)
        let reader = try world.reader()
        let outcome = try reader.merge([Run(try device.introduction(by: world.invitation)), Run([forged])])
        #expect(outcome.refused.map(\.reason) == [.forged])
        #expect(try reader.lines("profile").isEmpty)
    }

    @Test func `no byte of a run can be changed, dropped or added`() throws {
        let world = try TestEvent(seed: 202)
        let device = world.scribe()
        let reader = try world.reader()
        _ = try reader.merge([Run(try device.introduction(by: world.invitation))])
        let first = device.write(try world.entry(.profile, root: .none, Self.profile("Ana")), after: nil)
        let second = device.write(try world.entry(.profile, root: .none, Self.profile("Bea")), after: first)
        let bytes = Run(travelling: [first, second]).encoded()
        let before = try reader.frontier()
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1 << UInt8(index % 8)
            if let run = try? Run(decoding: changed[...], event: world.event) {
                #expect(try reader.merge([run]).refused.count == 1)
            }
            #expect(throws: WireError.self) { try Run(decoding: bytes[..<index], event: world.event) }
        }
        #expect(throws: WireError.self) { try Run(decoding: (bytes + [0])[...], event: world.event) }
        #expect(try reader.frontier() == before)
        let swapped = Run([second, first]).encoded()
        #expect(try reader.merge([Run(decoding: swapped[...], event: world.event)]).refused.count == 1)
        #expect(try reader.merge([Run(decoding: bytes[...], event: world.event)]).newHeaders == 2)
        // Played again, and in parts, it is nothing new.
        let replayed = try reader.merge([Run(decoding: bytes[...], event: world.event), Run([first]), Run([second])])
        #expect(replayed.newHeaders == 0 && replayed.refused.isEmpty && replayed.advanced.isEmpty)
    }

    @Test func `a run is for one event`() throws {
        let (world, other) = (try TestEvent(seed: 203), try TestEvent(seed: 204))
        let runs = try world.founder.runs(of: world.founder.own.name, .fabric, after: [], byteLimit: .max)
        let moved = try Run(decoding: runs[0].encoded()[...], event: other.event)
        #expect(try other.founder.merge([moved]).refused.map(\.reason) == [.unknownDevice])
    }

    @Test func `a hash that no payload can have is refused where the payload is empty`() throws {
        let world = try TestEvent(seed: 205)
        let device = world.scribe()
        var header = device.write(Scribe.Entry(root: .none), after: nil).header
        header.payloadHash = Bytes32(at: 0, of: [UInt8](repeating: 9, count: 32).span)
        let bytes = Run([device.sign(header, payload: nil, hash: header.hash)]).encoded()
        #expect(throws: WireError.invalid("payload hash")) { try Run(decoding: bytes[...], event: world.event) }
    }

    @Test func `an admission counts if its invitation is the founder's and it is for this person and event`() throws {
        let world = try TestEvent(seed: 206)
        let own = InvitationKeys(seed: world.randomness.secret())
        let foreign = FabricPayload.admissionStatement(event: EventID(.zero), person: world.scribe().keys.person)
        for attack in 0..<5 {
            let device = world.scribe()
            let statement = FabricPayload.admissionStatement(event: world.event, person: device.keys.person)
            let stranger = FabricPayload.admissionStatement(event: world.event, person: world.scribe().keys.person)
            let signatures = [
                own.signing.sign(statement), world.invitation.signing.sign(foreign),
                world.invitation.signing.sign(stranger), device.own.signing.sign(statement),
            ]
            var fabric = try device.introduction(by: nil)
            if attack == 4 {
                // An invitation of one's own, made known by oneself.
                let terms = InvitationTerms(id: own.id, agreementKey: own.agreement.publicKey)
                fabric.append(try device.fabric(.invitation(terms), after: fabric.last))
                fabric.append(try device.fabric(device.admission(by: own), after: fabric.last))
            } else {
                let admission = FabricPayload.admission(invitation: world.invitation.id, signature: signatures[attack])
                fabric.append(try device.fabric(admission, after: fabric.last))
            }
            let post = device.write(try world.entry(.profile, root: .none, Self.profile("Eve")), after: nil)
            let reader = try world.reader()
            #expect(try reader.merge([Run(fabric), Run([post])]).refused.isEmpty)
            #expect(try reader.lines("profile").isEmpty)
            // What was written before counts as soon as the admission does; a second admission changes nothing.
            let admission = try device.fabric(device.admission(by: world.invitation), after: fabric.last)
            _ = try reader.merge([Run([admission])])
            #expect(try reader.lines("profile").count == 1)
            let again = try device.fabric(device.admission(by: world.invitation), after: admission)
            _ = try reader.merge([Run([again])])
            #expect(try reader.lines("profile").count == 1)
        }
    }

    @Test func `nobody claims another's person or device`() throws {
        let world = try TestEvent(seed: 207)
        let (victim, thief) = (world.scribe(), world.scribe())
        let keys = thief.keys
        // A certificate for somebody else's person, signed by oneself.
        let name = Certificate.deviceName(
            event: world.event,
            person: victim.keys.person,
            signingKey: keys.signing.publicKey,
            agreementKey: keys.agreement.publicKey
        )
        let claim = Certificate(
            person: victim.keys.person,
            signingKey: keys.signing.publicKey,
            agreementKey: keys.agreement.publicKey,
            signature: keys.identity.sign(name.bytes)
        )
        let reader = try world.reader()
        for device in [name, victim.own.name, thief.own.name] {
            var header = try thief.fabric(.certificate(claim), after: nil).header
            header.device = device
            let payload = try FabricPayload.certificate(claim).encoded()
            let delta = thief.sign(header, payload: payload, hash: header.hash)
            #expect(try reader.merge([Run([delta])]).refused.map(\.reason) == [.unknownDevice])
        }
        // One's own valid certificate does not vouch for another name.
        var header = try thief.introduction(by: nil)[0].header
        header.device = victim.own.name
        let payload = try FabricPayload.certificate(keys.certificate(in: world.event)).encoded()
        let moved = thief.sign(header, payload: payload, hash: header.hash)
        #expect(try reader.merge([Run([moved])]).refused.map(\.reason) == [.unknownDevice])
    }

    @Test func `the founder is known by the event's name, whichever first header comes first`() throws {
        let randomness = Randomness.seeded(208)
        let keys = TestKeys(randomness)
        let salt = Bytes32(at: 0, of: randomness.bytes(32).span)
        let event = Certificate.eventID(founder: keys.person, salt: salt)
        let founder = Scribe(keys, event: event, randomness: randomness)
        let epoch = TestEpoch(randomness, event: event)
        let title = RecordPayload(kind: 1, target: .nothing, changes: Self.profile("Party"))
        let post = founder.write(Scribe.Entry(root: .none, plain: try title.encoded(), epoch: epoch), after: nil)
        let firsts = [try founder.introduction(by: nil), try founder.introduction(by: nil, foundingSalt: salt)]
        for order in [firsts, firsts.reversed()] {
            let reader = try Replica(path: nil, event: event, own: TestKeys(randomness).own(in: event))
            _ = try reader.hold(epoch.key, of: epoch.id)
            _ = try reader.merge(order.map { Run($0) } + [Run([post])])
            #expect(try reader.lines("Party").count == 1)
        }
        // Somebody else's salt founds nothing.
        let other = Scribe(TestKeys(randomness), event: event, randomness: randomness)
        let claimed = other.write(Scribe.Entry(root: .none, plain: try title.encoded(), epoch: epoch), after: nil)
        let reader = try Replica(path: nil, event: event, own: TestKeys(randomness).own(in: event))
        _ = try reader.hold(epoch.key, of: epoch.id)
        _ = try reader.merge([Run(try other.introduction(by: nil, foundingSalt: salt)), Run([claimed])])
        #expect(try reader.dump().isEmpty)
    }
}
