// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import NodeTestSupport
import Synchronization
import Testing

@testable import MingleNode

extension NodeLinkingTests {
    @Test func `a linked device that was lost is retired, and what it writes counts no more`() async throws {
        try await withFounder { founder, moment, folder in
            try await withLinked(founder, in: folder) { phone in
                _ = try phone.comment(on: moment, text: "Before", event: nil)
                try await eventually("the founder reads it", at: founder) {
                    try founder.texts(on: moment) == ["Before"]
                }
                let name = try ownDevice(phone).description
                let notices = { try founder.status(event: nil).warnings.filter { $0.contains("devices retire") } }
                #expect(try notices().count == 1)
                let link = try founder.link()
                let retired = try founder.retireDevice(name, event: nil, isForced: true)
                #expect(try retired.device.state == "retired" && notices().isEmpty)
                try await eventually("the phone hears of it", at: phone) {
                    try phone.status(event: nil).warnings.contains(ReplicaError.deviceRetired.description)
                }
                let late = try await problem { _ = try phone.comment(on: moment, text: "After", event: nil) }
                #expect(late.name == .notAllowed)
                #expect(try await problem { _ = try phone.makeDeviceLink(event: nil) }.name == .notAllowed)
                // No host can let it in, and it is nobody new.
                try await eventually("the doctor says what to do", at: phone) {
                    phone.doctor().checks.contains { check in
                        let isAdvice = check.fix?.contains("devices link") == true
                        return check.status == "fail" && check.detail.contains("you retired") && isAdvice
                    }
                }
                let again = try await problem { _ = try await phone.join(link: link) }
                #expect(again.name == .notAllowed && again.detail.contains("devices link"))
            }
            #expect(try founder.texts(on: moment) == ["Before"])
        }
    }

    @Test func `a device that took a certificate and keeps it is listed, and retired before it comes`() async throws {
        try await withFounder { founder, _, folder in
            let session = try founder.session(nil)
            _ = try founder.makeDeviceLink(event: nil)
            let seed = try #require(session.offer.withLock { $0?.seed })
            let thief = Secrets(
                linking: session.replica.own.person,
                psk: session.secrets.withLock { $0.psk },
                hints: [],
                randomness: .system
            )
            var arrival = DeviceArrival(seed: seed)
            let (there, here) = (
                Session(handshakeHash: .zero, isInitiator: true), Session(handshakeHash: .zero, isInitiator: false)
            )
            let asked = arrival.request(of: thief, in: session.event, to: PeerID(1), there)
            session.certify(PeerID(1), try #require(asked), here)
            let name = thief.ownDevice(in: session.event).name
            #expect(try devices(founder).map(\.state) == ["active", "linked"])
            // Whoever keeps it uses it when nobody thinks of it any more.
            let kept = try Secrets(contentsOf: session.files.folder + "/secrets.json")
            #expect(kept.certified == [name])
            #expect(try founder.retireDevice(name.description, event: nil).device.state == "retired")
            #expect(try devices(founder).map(\.state) == ["active", "retired"])
            let late = try Replica(path: nil, event: session.event, own: thief.ownDevice(in: session.event))
            let signature = try #require(session.secrets.withLock { $0.identity }).sign(name.bytes)
            let entered = try late.enter(
                with: thief.certificate(signed: signature),
                at: Timestamp(milliseconds: 1),
                randomness: .system
            )
            _ = try session.replica.merge(entered.runs)
            #expect(try session.replica.isRetired(name) && session.replica.admittedPerson(of: name) == nil)
            let again = try await problem { _ = try founder.retireDevice(name.description, event: nil) }
            #expect(again.name == .conflict)
        }
    }
}
