// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleWire
import TestSupport
import Testing

/// The hand-written reader of payloads never says anything else than the library.
struct PlainPayloadTests {
    @Test(arguments: 0..<50) func `what this program writes is read plainly`(seed: UInt64) throws {
        var generator = SplitMix(seed: seed)
        let payload = Self.payload(using: &generator)
        let bytes = try payload.encoded()
        #expect(RecordPayload(plain: bytes) == payload)
        #expect(try RecordPayload(decodingByLibrary: bytes) == payload)
    }

    @Test(arguments: 0..<50) func `damaged bytes are left to the library or read as it reads them`(seed: UInt64) throws
    {
        var generator = SplitMix(seed: 1000 + seed)
        for _ in 0..<200 {
            var bytes = try Self.payload(using: &generator).encoded()
            for _ in 0...Int.random(in: 0..<3, using: &generator) { Self.damage(&bytes, using: &generator) }
            guard let plain = RecordPayload(plain: bytes) else { continue }
            #expect(try plain == RecordPayload(decodingByLibrary: bytes), "\(bytes)")
        }
    }

    @Test func `text that is not UTF-8 is refused by both`() throws {
        let bytes: [UInt8] = [8, 9, 26, 6, 8, 1, 18, 2, 0xC3, 0x28]
        #expect(RecordPayload(plain: bytes) == nil)
        #expect(throws: WireError.self) { try RecordPayload(decoding: bytes) }
    }

    @Test func `of a field that comes twice the library's meaning holds`() throws {
        let bytes: [UInt8] = [8, 9, 8, 10, 26, 7, 8, 1, 18, 1, 65, 24, 4]
        #expect(try RecordPayload(decoding: bytes) == RecordPayload(decodingByLibrary: bytes))
    }

    private static func payload(using generator: inout SplitMix) -> RecordPayload {
        let changes = (0..<Int.random(in: 0...8, using: &generator)).map { _ in
            Change(
                field: UInt32.random(in: 0...300, using: &generator),
                value: value(using: &generator),
                overwrites: (0..<Int.random(in: 0...2, using: &generator)).map { _ in reference(using: &generator) }
            )
        }
        let target: Target = Bool.random(using: &generator) ? .nothing : .record(reference(using: &generator))
        return RecordPayload(kind: UInt32.random(in: 0...20, using: &generator), target: target, changes: changes)
    }

    private static func value(using generator: inout SplitMix) -> Value {
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: .cleared
        case 1: .text(String("lange Wörter, 短い言葉".prefix(Int.random(in: 0...20, using: &generator))))
        case 2: .number(Int64.random(in: -5_000_000_000...5_000_000_000, using: &generator))
        case 3: .data(generator.bytes(Int.random(in: 0...30, using: &generator)))
        default:
            .media(
                Media(
                    root: Bytes32(at: 0, of: generator.bytes(32).span),
                    size: UInt64.random(in: 1...Limits.blobLength, using: &generator),
                    key: generator.bytes(32),
                    type: "image/jpeg"
                )
            )
        }
    }

    private static func reference(using generator: inout SplitMix) -> Reference {
        Reference(
            device: generator.next(),
            journal: .content,
            sequence: UInt32.random(in: 1...99, using: &generator),
            hash: generator.next()
        )
    }

    private static func damage(_ bytes: inout [UInt8], using generator: inout SplitMix) {
        guard let index = bytes.indices.randomElement(using: &generator) else { return bytes.append(8) }
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: index)
        case 2: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: index)
        default: bytes.append(contentsOf: bytes[index...])
        }
    }
}
