// SPDX-License-Identifier: Apache-2.0

@testable import MingleCrypto
@testable import MingleModel
@testable import MingleWire

/// Noise messages and secure channels: strangers' bytes, a member's handshake with bytes changed, and a member that
/// seals whatever it likes.
///
/// Strangers and whoever changes a byte get no answer that says more, no channel opens for them, and what an open
/// channel hands out does not depend on how the stream was cut.
enum HandshakeTarget: FuzzTarget {
    static func run(_ input: inout FuzzInput) throws {
        switch input.byte() % 4 {
        case 0: strangers(&input)
        case 1: try changed(&input)
        default: try offender(&input)
        }
    }

    /// Any bytes, to a responder and to an initiator.
    private static func strangers(_ input: inout FuzzInput) {
        let length = 1 + Int(input.byte())
        let bytes = input.rest()
        for isInitiator in [true, false] {
            var channel = isInitiator ? Self.initiator() : responder()
            _ = channel.begin()
            var outputs: [ChannelOutput] = []
            for start in stride(from: 0, to: bytes.count, by: length) {
                outputs += channel.receive(Array(bytes[start..<min(start + length, bytes.count)]))
            }
            require(outputs.isEmpty || outputs == [.close(.silent)], "a stranger learns nothing")
        }
    }

    /// An honest handshake with one byte of one message changed.
    private static func changed(_ input: inout FuzzInput) throws {
        let (message, place, mask) = (Int(input.byte() % 3), Int(input.byte()), input.byte())
        var initiator = Self.initiator()
        var responder = Self.responder()
        var bytes = sent(initiator.begin())
        for number in 0..<3 {
            let isChanged = number == message && mask != 0
            if isChanged { bytes[place % bytes.count] ^= mask }
            let outputs = number == 1 ? initiator.receive(bytes) : responder.receive(bytes)
            if isChanged {
                let isOpen = number == 1 ? initiator.isOpen : responder.isOpen
                require(!isOpen && sent(outputs).isEmpty, "a changed handshake fails and is not answered")
                return
            }
            bytes = sent(outputs)
        }
        let areOpen = (initiator.isOpen, responder.isOpen)
        require(areOpen == (true, true), "an honest handshake succeeds")
    }

    /// A member's records, of any plaintext, to two channels that see them cut differently.
    private static func offender(_ input: inout FuzzInput) throws {
        let length = 1 + 7 * Int(input.byte())
        var stream: [UInt8] = []
        var first = responder()
        var second = responder()
        var member = try Member(with: &first)
        _ = try Member(with: &second)
        while !input.isEmpty, stream.count < 1 << 16 {
            let isRaw = input.byte() > 250
            let plaintext = input.piece()
            stream += isRaw ? plaintext : try member.record(plaintext)
        }
        let whole = first.receive(stream)
        var pieces: [ChannelOutput] = []
        for start in stride(from: 0, to: stream.count, by: length) {
            pieces += second.receive(Array(stream[start..<min(start + length, stream.count)]))
        }
        require(whole == pieces, "cuts make no difference")
        let limits = ChannelLimits()
        for case .message(let lane, let bytes) in whole {
            require((1...limits.messageLength[lane]).contains(bytes.count), "a message is within its lane's limit")
        }
        require(first.isClosed || first.partialBytes <= stream.count, "no more is kept than came")
    }

    // MARK: - Who talks

    private static let event = EventPSK(event: TestAuthor.event, psk: Secret([UInt8](repeating: 1, count: 32)))
    private static let keys = (1...3).map { AgreementKey(secret: Secret([UInt8](repeating: $0, count: 32))) }
    private static let randomness = Randomness { [UInt8](repeating: 9, count: $0) }

    private static func initiator() -> SecureChannel {
        SecureChannel(initiating: event, staticKey: keys[0], randomness: randomness)
    }

    private static func responder() -> SecureChannel {
        SecureChannel(respondingWith: [event], staticKey: keys[1], randomness: randomness)
    }

    private static func sent(_ outputs: [ChannelOutput]) -> [UInt8] {
        outputs.reduce(into: []) { sent, output in if case .send(let bytes) = output { sent += bytes } }
    }

    /// A member that has shaken hands with a channel.
    private struct Member: ~Copyable {
        private var ciphers: TransportCiphers

        init(with channel: inout SecureChannel) throws {
            var handshake = Handshake(
                role: .initiator,
                preshared: event.preshared,
                staticKey: keys[2],
                randomness: randomness
            )
            let answer = sent(channel.receive([0, 48] + (try handshake.writeMessage())))
            _ = try handshake.readMessage(Array(answer.dropFirst(2)))
            _ = channel.receive([0, 64] + (try handshake.writeMessage()))
            ciphers = try handshake.split()
        }

        mutating func record(_ plaintext: [UInt8]) throws -> [UInt8] {
            var buffer = plaintext
            try ciphers.sending.seal(&buffer, from: 0)
            return FuzzInput.piece(buffer)
        }
    }

    static var seeds: [[UInt8]] {
        let other = EventPSK(event: TestAuthor.event, psk: Secret([UInt8](repeating: 2, count: 32)))
        var stranger = SecureChannel(initiating: other, staticKey: keys[0], randomness: randomness)
        let hello = sent(stranger.begin())
        let short = FuzzInput.piece([0x80] + Array("hello".utf8))
        let long = FuzzInput.piece([1] + [UInt8](repeating: 5, count: 1024))
        let end = FuzzInput.piece([0x81, 1, 2, 3])
        return [
            joined([0, 9], hello), joined([0, 255], [UInt8](repeating: 0, count: 200)),
            [1, 0, 40, 1], [1, 1, 90, 128], [1, 2, 5, 0],
            joined([2, 1, 0], short), joined([2, 90, 0], long, [0], short, [0], end),
            joined([2, 3, 0], short, [255, 0, 2, 0, 99]),
        ]
    }
}
