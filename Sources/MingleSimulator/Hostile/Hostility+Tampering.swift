// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleCrypto
import MingleModel
import MingleWire
import SwiftProtobuf

/// What a hostile peer makes of the messages that its engine sends, which is an honest one's.
extension Hostility {
    /// A message, altered or not; nil if it is kept back.
    mutating func tamper(_ bytes: [UInt8], on lane: Lane, event: EventID) -> [UInt8]? {
        if let garbage = garble(bytes) { return garbage }
        guard var message = try? ProtoMessage(serializedBytes: bytes), let content = message.content else {
            return bytes
        }
        if case .bundle(let bundle) = content { return tamper(bundle, on: lane, event: event) }
        guard let altered = alter(content, event: event) else { return nil }
        if case .hello = content {
            let old = oldGreeting()
            keep(greeting: bytes)
            if let old {
                note(.replays)
                return old
            }
        }
        message.content = altered
        return (try? message.serializedBytes()) ?? bytes
    }

    private mutating func tamper(_ bundle: ProtoBundle, on lane: Lane, event: EventID) -> [UInt8]? {
        var altered = ProtoBundle()
        altered.messages = bundle.messages.compactMap { message in
            tamper([UInt8](message), on: lane, event: event).map { Data($0) }
        }
        guard !altered.messages.isEmpty else { return nil }
        return try? ProtoMessage.with { $0.bundle = altered }.serializedBytes()
    }

    /// Looks at what others say.
    mutating func hear(_ bytes: [UInt8]) {
        guard does(.replays), let message = try? ProtoMessage(serializedBytes: bytes), case .hello? = message.content
        else { return }
        keep(greeting: bytes)
    }

    private mutating func alter(
        _ content: ProtoMessage.OneOf_Content,
        event: EventID
    ) -> ProtoMessage.OneOf_Content? {
        if withholds(content) {
            note(.withholding)
            return nil
        }
        if case .chunk = content, does(.promising) {
            note(.promising)
            return nil
        }
        if case .blobStatus = content, does(.silence) {
            note(.silence)
            return nil
        }
        switch content {
        case .run(let run) where does(.forging) && dice.chance(25):
            note(.forging)
            return .run(forge(run, event))
        case .payloads(let payloads) where does(.forging) && dice.chance(40):
            note(.forging)
            return .payloads(forge(payloads))
        case .chunk(let chunk) where does(.badChunks) && dice.chance(60):
            note(.badChunks)
            return .chunk(spoil(chunk))
        case .entries(let entries) where does(.lyingFrontiers):
            note(.lyingFrontiers)
            return .entries(lie(entries))
        case .hello(let hello) where does(.forging) && dice.chance(60):
            note(.forging)
            return .hello(forge(hello, event))
        default: return content
        }
    }

    private mutating func withholds(_ content: ProtoMessage.OneOf_Content) -> Bool {
        guard does(.withholding) else { return false }
        return switch content {
        case .run, .runsEnd, .payloads, .chunk, .blobStatus: dice.chance(70)
        default: false
        }
    }

    private mutating func garble(_ bytes: [UInt8]) -> [UInt8]? {
        guard does(.garbage), dice.chance(4), bytes.count > 1 else { return nil }
        note(.garbage)
        if dice.chance(50) { return Array(bytes.prefix(dice.number(1...(bytes.count - 1)))) }
        var bytes = bytes
        for _ in 0..<dice.number(1...8) { bytes[dice.number(0...(bytes.count - 1))] = UInt8(dice.number(0...255)) }
        return bytes
    }

    /// Alters a greeting, or puts something forged beside what is true in it.
    private mutating func forge(_ hello: ProtoHello, _ event: EventID) -> ProtoHello {
        var hello = hello
        guard !hello.certificates.isEmpty else { return hello }
        if dice.chance(75) {
            let place = dice.number(0...hello.certificates.count)
            hello.certificates.insert(forge(dice.pick(hello.certificates), event), at: place)
            return hello
        }
        var run = [UInt8](hello.certificates[0])
        run[dice.number(0...(run.count - 1))] ^= UInt8(1 << dice.number(0...7))
        hello.certificates[0] = Data(run)
        return hello
    }

    /// Alters payloads that come after their headers, keeping their lengths or not.
    private mutating func forge(_ payloads: ProtoPayloads) -> ProtoPayloads {
        var payloads = payloads
        for place in payloads.answers.indices where !payloads.answers[place].payload.isEmpty {
            let length = payloads.answers[place].payload.count + (dice.chance(20) ? 1 : 0)
            payloads.answers[place].payload = Data(dice.bytes(length))
        }
        return payloads
    }

    /// Alters a run: any bit of it, or one part of it with all the hashes made to fit.
    private mutating func forge(_ bytes: Data, _ event: EventID) -> Data {
        guard dice.chance(70), let run = try? Run(decoding: [UInt8](bytes)[...], event: event) else {
            var bytes = [UInt8](bytes)
            bytes[dice.number(0...(bytes.count - 1))] ^= UInt8(1 << dice.number(0...7))
            return Data(bytes)
        }
        var deltas = run.deltas
        let place = dice.number(0...(deltas.count - 1))
        switch dice.number(0...3) {
        case 0: deltas[place].header.timestamp = Timestamp(milliseconds: Int64(dice.number(0...1 << 45)))
        case 1: deltas[place].header.salt ^= 1
        case 2 where deltas[place].payload?.isEmpty == false:
            if let length = deltas[place].payload?.count { deltas[place].payload?[dice.number(0...(length - 1))] ^= 1 }
        default: deltas[deltas.count - 1].signature = Signature(dice.bytes(Signature.length))
        }
        return Data(Run(deltas).encoded())
    }

    private mutating func spoil(_ chunk: ProtoChunk) -> ProtoChunk {
        var chunk = chunk
        switch dice.number(0...3) {
        case 0 where !chunk.data.isEmpty: chunk.data = Data(dice.bytes(chunk.data.count))
        case 1 where !chunk.proof.isEmpty: chunk.proof[0] = Data(dice.bytes(32))
        case 2: chunk.data = Data()
        default: chunk.index &+= UInt32(dice.number(1...3))
        }
        return chunk
    }

    private mutating func lie(_ entries: ProtoEntries) -> ProtoEntries {
        var lies = ProtoEntries()
        for bytes in entries.entries {
            guard let entry = try? FrontierEntry(decoding: [UInt8](bytes)) else { continue }
            // Denied, claimed further, claimed elsewhere, or as it is.
            switch dice.number(0...3) {
            case 0: continue
            case 1: lies.entries.append(Data(claim(entry, ahead: dice.number(1...5000)).bytes))
            case 2: lies.entries.append(Data(claim(entry, ahead: 0).bytes))
            default: lies.entries.append(bytes)
            }
        }
        return lies
    }

    private mutating func claim(_ entry: FrontierEntry, ahead: Int) -> FrontierEntry {
        FrontierEntry(
            device: entry.device,
            journal: entry.journal,
            sequence: entry.sequence &+ UInt32(ahead),
            tip: dice.next()
        )
    }
}

extension Dice {
    /// Random bytes.
    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
}
