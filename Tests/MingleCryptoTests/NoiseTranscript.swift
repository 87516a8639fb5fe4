// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import Testing

/// One of ``NoiseVectors``, read.
struct Transcript {
    private var fields: [(name: Substring, values: [[UInt8]])] = []

    init(_ text: String) throws {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            fields.append((words[0], try words[1...].map(Self.decode)))
        }
    }

    /// Runs the handshake and both directions with the transcript's keys, and compares every byte.
    func replay() throws {
        var initiator = try handshake(.initiator, "initiator")
        var responder = try handshake(.responder, "responder")
        for (turn, expected) in values("handshake").enumerated() {
            let payload = expected.count > 1 ? expected[1] : []
            if turn == 1 {
                try compare(expected[0], payload, from: &responder, to: &initiator)
            } else {
                try compare(expected[0], payload, from: &initiator, to: &responder)
            }
        }
        let limits = RekeyLimits(messages: 2)
        var one = try initiator.split(rekeying: limits)
        var other = try responder.split(rekeying: limits)
        let hash = one.handshakeHash.bytes
        #expect(hash == (try value("hash")))
        for expected in values("initiator") {
            try compare(expected, from: &one.sending, to: &other.receiving)
        }
        for expected in values("responder") {
            try compare(expected, from: &other.sending, to: &one.receiving)
        }
    }

    private func compare(_ expected: [[UInt8]], from: inout TransportCipher, to: inout TransportCipher) throws {
        let payload = expected.count > 1 ? expected[1] : []
        var buffer = payload
        try from.seal(&buffer, from: 0)
        #expect(buffer == expected[0])
        let range = try to.open(&buffer, buffer.indices)
        #expect(Array(buffer[range]) == payload)
    }

    private func compare(
        _ expected: [UInt8],
        _ payload: [UInt8],
        from: inout Handshake,
        to: inout Handshake
    ) throws {
        let message = try from.writeMessage(payload: payload)
        #expect(message == expected)
        let received = try to.readMessage(message)
        #expect(received == payload)
    }

    private func handshake(_ role: Handshake.Role, _ name: String) throws -> Handshake {
        let ephemeral = try value("\(name)-ephemeral")
        return Handshake(
            role: role,
            preshared: PresharedState(psk: Secret(try value("psk"))),
            staticKey: AgreementKey(secret: Secret(try value("\(name)-static"))),
            randomness: Randomness { _ in ephemeral }
        )
    }

    private func values(_ name: String) -> [[[UInt8]]] { fields.filter { $0.name == name }.map(\.values) }

    private func value(_ name: String) throws -> [UInt8] { try #require(values(name).first?.first) }

    private static func decode(_ hex: Substring) throws -> [UInt8] {
        let digits = Array(hex)
        return try stride(from: 0, to: digits.count, by: 2).map { position in
            try #require(UInt8(String(digits[position..<(position + 2)]), radix: 16))
        }
    }
}
