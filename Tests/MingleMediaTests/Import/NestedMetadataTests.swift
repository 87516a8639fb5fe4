// SPDX-License-Identifier: Apache-2.0

import MingleMedia
import Testing

/// Metadata inside of what is kept, and in places that formats leave to later versions of themselves.
struct NestedMetadataTests {
    private static let secret = PictureSample.secret
    private static let pixels = PictureSample.pixels

    /// What is shared of a file: without the secret, with the pixels, and the same when it is shared once more.
    private func expectStripped(_ file: [UInt8]) throws {
        #expect(file.holds(Self.secret))
        let picture = try StrippedPicture(file, keepingLocation: false)
        #expect(!picture.bytes.holds(Self.secret) && picture.bytes.holds(Self.pixels))
        #expect(try StrippedPicture(picture.bytes, keepingLocation: true).bytes == picture.bytes)
    }

    // MARK: - WebP

    @Test(arguments: ["EXIF", "XMP ", "PRIV", "ICCP"])
    func `what stands in a frame of a moving WebP picture besides the frame is not shared`(type: String) throws {
        let frame = [UInt8](repeating: 0, count: 16) + chunk("ALPH", [1, 2, 3]) + chunk("VP8L", Self.pixels + [9])
        func file(_ frames: [UInt8]) -> [UInt8] {
            let chunks = chunk("VP8X", [2, 0, 0, 0, 39, 0, 0, 29, 0, 0]) + chunk("ANIM", [0, 0, 0, 0, 0, 0]) + frames
            return Array("RIFF".utf8) + little(4 + chunks.count, 4) + Array("WEBP".utf8) + chunks
        }
        let clean = file(chunk("ANMF", frame) + chunk("ANMF", frame))
        let told = file(chunk("ANMF", frame + chunk(type, Self.secret)) + chunk("ANMF", frame))
        try expectStripped(told)
        #expect(try StrippedPicture(told, keepingLocation: false).bytes == clean)
        // What is no chunk goes as well.
        let rest = file(chunk("ANMF", frame + Self.secret) + chunk("ANMF", frame))
        #expect(try StrippedPicture(rest, keepingLocation: false).bytes == clean)
        #expect(try StrippedPicture(clean, keepingLocation: false).bytes == clean)
    }

    @Test func `a frame of a moving WebP picture that is no frame is refused`() {
        let chunks = chunk("VP8X", [2, 0, 0, 0, 39, 0, 0, 29, 0, 0]) + chunk("ANMF", [1, 2, 3])
        let short = Array("RIFF".utf8) + little(4 + chunks.count, 4) + Array("WEBP".utf8) + chunks
        #expect(throws: ImportError.damaged("a frame of it is too short")) {
            try StrippedPicture(short, keepingLocation: false)
        }
    }

    private func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        Array(type.utf8) + little(content.count, 4) + content + (content.count % 2 == 1 ? [0] : [])
    }

    private func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
