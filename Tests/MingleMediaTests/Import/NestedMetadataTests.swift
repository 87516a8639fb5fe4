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

    // MARK: - JPEG

    @Test(arguments: [UInt8]([0x02, 0xBF, 0xC8, 0xF0, 0xF7, 0xFD]))
    func `a segment of a JPEG file that no decoder needs is not shared`(marker: UInt8) throws {
        let whole = PictureSample.file(.jpeg)
        let segment = [0xFF, marker] + big(Self.secret.count + 2, 2) + Self.secret
        try expectStripped(Array(whole.prefix(2)) + segment + whole.dropFirst(2))
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

    // MARK: - HEIC

    @Test(arguments: ["udes", "altt", "crtt", "mdft", "cmex", "uuid"])
    func `a property of an HEIC file that says nothing of how it looks is not shared`(type: String) throws {
        let file = heic(type: "hvc1", [Self.pixels], property: box(type, [0, 0, 0, 0] + Self.secret))
        try expectStripped(file)
        let picture = try StrippedPicture(file, keepingLocation: false)
        // The properties keep their places, by which the picture names them.
        #expect(picture.bytes.count == file.count && picture.width == 30 && picture.bytes.holds(Array("free".utf8)))
    }

    @Test func `a JPEG picture in an HEIC file is stripped like one of its own, in its place`() throws {
        let whole = PictureSample.file(.jpeg)
        for cut in [0, 1, 100] {
            let parts = cut == 0 ? [whole] : [Array(whole.prefix(cut)), Array(whole.dropFirst(cut))]
            let file = heic(type: "jpeg", parts)
            try expectStripped(file)
            #expect(try StrippedPicture(file, keepingLocation: false).bytes.count == file.count)
        }
    }

    @Test func `a JPEG picture in an HEIC file that cannot be stripped in its place is refused`() {
        // A header without the size of a thumbnail, which is added.
        let start: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 14] + Array("JFIF\0".utf8) + [1, 2, 0, 0, 1, 0, 1]
        let frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0, 30, 0, 40, 1, 1, 0x11, 0]
        let scan = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0] + Self.pixels + [0xFF, 0xD9]
        #expect(throws: ImportError.locationStays) {
            try StrippedPicture(heic(type: "jpeg", [start + frame + scan]), keepingLocation: false)
        }
        #expect(throws: ImportError.damaged("a part of it is not a JPEG picture")) {
            try StrippedPicture(heic(type: "jpeg", [Self.secret]), keepingLocation: false)
        }
    }

    @Test func `a part of an HEIC file that lies over what is stripped does not bring it back`() {
        let file = heic(type: "jpeg", [PictureSample.file(.jpeg)], coveredFrom: 4)
        #expect(throws: ImportError.damaged("two parts of it share bytes")) {
            try StrippedPicture(file, keepingLocation: false)
        }
    }

    /// Item 1 is a picture in some pieces, a quarter turned; item 2 a coded picture over its bytes from a place on, if any is given.
    private func heic(
        type: String,
        _ parts: [[UInt8]],
        property: [UInt8] = [],
        coveredFrom cover: Int? = nil
    ) -> [UInt8] {
        let start = box("ftyp", Array("heic".utf8) + [0, 0, 0, 0] + Array("mif1heic".utf8))
        let count = cover == nil ? 1 : 2
        let names = entry(1, type) + (cover == nil ? [] : entry(2, "hvc1"))
        let information = box("iinf", [0, 0, 0, 0] + big(count, 2) + names)
        let size = box("ispe", [0, 0, 0, 0] + big(40, 4) + big(30, 4))
        let placed: [UInt8] = property.isEmpty ? [2, 1, 0x82] : [3, 1, 0x82, 3]
        let associations = box("ipma", [0, 0, 0, 0] + big(1, 4) + big(1, 2) + placed)
        let properties = box("iprp", box("ipco", size + box("irot", [1]) + property) + associations)
        func meta(_ data: Int) -> [UInt8] {
            var offset = data
            var extents: [UInt8] = []
            for part in parts {
                extents += big(offset, 4) + big(part.count, 4)
                // Something lies between them.
                offset += part.count + 2
            }
            var places = big(1, 2) + [0, 0] + big(parts.count, 2) + extents
            if let cover {
                places += big(2, 2) + [0, 0, 0, 1]
                places += big(data + cover, 4) + big(parts[0].count - cover, 4)
            }
            let location = box("iloc", [0, 0, 0, 0, 0x44, 0] + big(count, 2) + places)
            return box("meta", [0, 0, 0, 0] + box("pitm", [0, 0, 0, 0, 0, 1]) + information + location + properties)
        }
        let data = start.count + meta(0).count + 8
        return start + meta(data) + box("mdat", parts.flatMap { $0 + [7, 7] })
    }

    private func entry(_ id: Int, _ type: String) -> [UInt8] {
        box("infe", [2, 0, 0, 0] + big(id, 2) + [0, 0] + Array(type.utf8) + [0])
    }

    private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        big(content.count + 8, 4) + Array(type.utf8) + content
    }

    private func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        Array(type.utf8) + little(content.count, 4) + content + (content.count % 2 == 1 ? [0] : [])
    }

    private func big(_ value: Int, _ count: Int) -> [UInt8] { little(value, count).reversed() }

    private func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
