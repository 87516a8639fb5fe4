// SPDX-License-Identifier: Apache-2.0

package import MingleCrypto
import MingleModel

/// One side of a connection between two nodes: handshake, records, fragments and lanes, without any I/O.
///
/// ```
/// stream    = record …
/// record    = length (2 bytes, big-endian) ‖ Noise message
/// plaintext = head (lane, bit 7: last) ‖ 1 to 65 518 bytes
/// ```
///
/// The first three records are the handshake's (``Noise``). Afterwards a message is cut into fragments, and of all that
/// waits the highest lane's next fragment is sealed last-minute, in ``nextRecords(upTo:)``: a comment overtakes a chunk
/// that is on its way. The same bytes give the same outputs however the stream was cut. It cannot be copied, because
/// two copies would encrypt under the same nonces.
package struct SecureChannel: ~Copyable, Sendable {
    private let limits: ChannelLimits
    private var handshake: ChannelHandshake?
    private var ciphers: TransportCiphers?
    private var stream = RecordStream()
    private var reassembly: Reassembly
    private var outbox: Outbox
    /// What went through each lane.
    package private(set) var counters = PerLane { _ in LaneCounters() }

    /// The side that dials, for the one event that it dials for.
    package init(
        initiating event: EventPSK,
        staticKey: AgreementKey,
        randomness: Randomness,
        limits: ChannelLimits = ChannelLimits()
    ) {
        self.init(limits: limits)
        handshake = ChannelHandshake(initiating: event, staticKey: staticKey, randomness: randomness)
    }

    /// The side that was dialled, which serves `events`, of which the first 64 count.
    package init(
        respondingWith events: [EventPSK],
        staticKey: AgreementKey,
        randomness: Randomness,
        limits: ChannelLimits = ChannelLimits()
    ) {
        self.init(limits: limits)
        handshake = ChannelHandshake(respondingWith: events, staticKey: staticKey, randomness: randomness)
    }

    private init(limits: ChannelLimits) {
        self.limits = limits
        reassembly = Reassembly(limits: limits.messageLength(for: .none))
        outbox = Outbox(limits: limits)
    }

    /// Whether messages can be sent.
    package var isOpen: Bool { ciphers != nil }

    /// Whether the channel ended, for whatever reason.
    package var isClosed: Bool { handshake == nil && ciphers == nil }

    /// Whether nothing waits to be sent.
    package var hasNothingToSend: Bool { outbox.isEmpty }

    /// Bytes of incoming messages that are not complete.
    package var partialBytes: Int { reassembly.partialBytes + stream.waitingBytes }

    /// The incoming messages that are not complete: how many came before on their lane, and their bytes so far.
    package var unfinished: [(lane: Lane, number: UInt64, byteCount: Int)] { reassembly.unfinished }

    /// Lets the other side send more, once this node has let it in so far; at first it may send only a greeting.
    package mutating func admit(to admittance: Admittance) {
        reassembly.limits = limits.messageLength(for: admittance)
    }

    /// What an initiator sends before anything came; nothing for a responder.
    package mutating func begin() -> [ChannelOutput] {
        do {
            guard let bytes = try handshake?.begin(), !bytes.isEmpty else { return [] }
            return [.send(bytes)]
        } catch { return [close(.silent)] }
    }

    /// Takes bytes from the other side, as many or few as came.
    package mutating func receive(_ bytes: consuming [UInt8]) -> [ChannelOutput] {
        guard !isClosed else { return [] }
        stream.append(bytes)
        var outputs: [ChannelOutput] = []
        do {
            try advanceHandshake(&outputs)
            try openRecords(&outputs)
            stream.dropFinished()
        } catch { outputs.append(close(error)) }
        return outputs
    }

    /// Says what is missing when the other side ends the stream; nil if it ended between two messages.
    package mutating func receiveEnd() -> ChannelError? {
        defer { _ = close(.truncated) }
        if handshake != nil { return .silent }
        return isOpen && (!stream.isEmpty || reassembly.partialBytes > 0) ? .truncated : nil
    }

    /// Queues `message` in `lane`.
    package mutating func enqueue(_ message: [UInt8], on lane: Lane) -> EnqueueResult {
        isOpen ? outbox.enqueue(message, on: lane) : .closed
    }

    /// The lanes that refused a message since the last call and have room again.
    package mutating func takeLanesWithRoom() -> [Lane] { outbox.takeLanesWithRoom() }

    /// Seals what is to be sent next, at most `byteCount` bytes of whole records; empty if nothing waits.
    ///
    /// Every call can send something if `byteCount` is at least 1 043: a least fragment and its overhead.
    package mutating func nextRecords(upTo byteCount: Int) -> [UInt8] {
        var records: [UInt8] = []
        guard isOpen else { return records }
        while let fragment = outbox.next(upTo: byteCount - records.count - ChannelLimits.overhead) {
            if records.isEmpty { records.reserveCapacity(byteCount) }
            guard seal(fragment, into: &records) else {
                _ = close(.exhausted)
                break
            }
        }
        return records
    }

    private mutating func seal(_ fragment: Outbox.Fragment, into records: inout [UInt8]) -> Bool {
        let length = fragment.bytes.count + 1 + Noise.tagLength
        records.append(UInt8(length >> 8))
        records.append(UInt8(length & 0xFF))
        let start = records.count
        records.append(fragment.head.byte)
        records.append(contentsOf: fragment.bytes)
        guard let _ = try? ciphers?.sending.seal(&records, from: start) else { return false }
        counters[fragment.head.lane].bytesOut += UInt64(fragment.bytes.count)
        if fragment.head.isLast { counters[fragment.head.lane].messagesOut += 1 }
        return true
    }

    private mutating func advanceHandshake(_ outputs: inout [ChannelOutput]) throws(ChannelError) {
        // A record of any other length is refused by its first two bytes.
        while let expected = handshake?.expectedLength, let length = stream.nextLength {
            guard length == expected else { throw .silent }
            guard let range = stream.next() else { return }
            do {
                let answer = try handshake?.receive(Array(stream.buffer[range])) ?? []
                if !answer.isEmpty { outputs.append(.send(answer)) }
                if handshake?.isComplete == true { outputs.append(try establish()) }
            } catch { throw .silent }
        }
    }

    private mutating func establish() throws(NoiseError) -> ChannelOutput {
        guard let event = handshake?.event, let complete = handshake.take() else { throw NoiseError() }
        let ciphers = try complete.split(rekeying: limits.rekeying)
        let output = ChannelOutput.established(
            event: event,
            handshakeHash: ciphers.handshakeHash,
            remoteStaticKey: ciphers.remoteStaticKey
        )
        self.ciphers = consume ciphers
        return output
    }

    private mutating func openRecords(_ outputs: inout [ChannelOutput]) throws(ChannelError) {
        while isOpen, let length = stream.nextLength {
            guard length >= Noise.tagLength + 2 else { throw .recordTooShort(length) }
            guard let record = stream.next() else { return }
            let opened = try? ciphers?.receiving.open(&stream.buffer, record)
            guard let plaintext = opened else { throw .notAuthentic }
            let byte = stream.buffer[plaintext.lowerBound]
            guard let head = FragmentHead(byte) else { throw .unknownLane(byte) }
            let fragment = stream.buffer[plaintext.dropFirst()]
            counters[head.lane].bytesIn += UInt64(fragment.count)
            guard let message = try reassembly.add(fragment, head) else { continue }
            counters[head.lane].messagesIn += 1
            outputs.append(.message(head.lane, message))
        }
    }

    private mutating func close(_ error: ChannelError) -> ChannelOutput {
        handshake = nil
        ciphers = nil
        stream.removeAll()
        outbox.removeAll()
        return .close(error)
    }
}
