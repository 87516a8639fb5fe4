// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import Testing

/// All that two sides say to each other, and the hash on which they agree.
struct Conversation: Equatable {
    /// A message as it goes over the wire, and what was read of it.
    struct Message: Equatable {
        let bytes: [UInt8]
        let payload: [UInt8]
    }

    var handshake: [Message] = []
    var hash: [UInt8] = []
    var initiator: [Message] = []
    var responder: [Message] = []
}

/// One of ``NoiseVectors``, read.
struct Transcript {
    private var fields: [(name: Substring, values: [[UInt8]])] = []

    init(_ text: String) throws {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            fields.append((words[0], try words[1...].map(Self.decode)))
        }
    }

    /// What the other implementation said.
    var recorded: Conversation {
        get throws {
            Conversation(
                handshake: messages("handshake"),
                hash: try value("hash"),
                initiator: messages("initiator"),
                responder: messages("responder")
            )
        }
    }

    /// What this one says with the transcript's keys and payloads, in the handshake and in both directions.
    func replay() throws -> Conversation {
        var initiator = try handshake(.initiator, "initiator")
        var responder = try handshake(.responder, "responder")
        var spoken = Conversation()
        for (turn, message) in messages("handshake").enumerated() {
            spoken.handshake.append(
                try turn == 1
                    ? say(message.payload, from: &responder, to: &initiator)
                    : say(message.payload, from: &initiator, to: &responder)
            )
        }
        let limits = RekeyLimits(messages: 2)
        var one = try initiator.split(rekeying: limits)
        var other = try responder.split(rekeying: limits)
        spoken.hash = one.handshakeHash.bytes
        for message in messages("initiator") {
            spoken.initiator.append(try say(message.payload, from: &one.sending, to: &other.receiving))
        }
        for message in messages("responder") {
            spoken.responder.append(try say(message.payload, from: &other.sending, to: &one.receiving))
        }
        return spoken
    }

    private func say(
        _ payload: [UInt8],
        from: inout TransportCipher,
        to: inout TransportCipher
    ) throws -> Conversation.Message {
        var buffer = payload
        try from.seal(&buffer, from: 0)
        let sealed = buffer
        let range = try to.open(&buffer, buffer.indices)
        return Conversation.Message(bytes: sealed, payload: Array(buffer[range]))
    }

    private func say(
        _ payload: [UInt8],
        from: inout Handshake,
        to: inout Handshake
    ) throws -> Conversation.Message {
        let message = try from.writeMessage(payload: payload)
        return Conversation.Message(bytes: message, payload: try to.readMessage(message))
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

    private func messages(_ name: String) -> [Conversation.Message] {
        values(name).map { Conversation.Message(bytes: $0[0], payload: $0.count > 1 ? $0[1] : []) }
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
