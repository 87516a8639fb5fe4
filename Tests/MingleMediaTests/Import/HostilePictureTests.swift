// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleMedia
import Testing

/// Files that no camera writes.
struct HostilePictureTests {
    @Test
    func `a WebP file whose extended header is empty is refused`() {
        func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
            Array(type.utf8) + [UInt8(content.count), 0, 0, 0] + content
        }
        let chunks = chunk("VP8X", []) + chunk("JUNK", [UInt8](repeating: 0, count: 10))
        let file = Array("RIFF".utf8) + [UInt8(4 + chunks.count), 0, 0, 0] + Array("WEBP".utf8) + chunks
        #expect(throws: ImportError.damaged("its WebP header is too short")) {
            try StrippedPicture(file, keepingLocation: false)
        }
    }

    @Test(arguments: ["+-9223372036854775808:00", "--1:-9223372036854775808", "+14:60", "+15:00", "+-1:00"])
    func `an offset from UTC that no place has is as good as none`(offset: String) throws {
        let file = PictureSample.file(.jpeg, exif: ExifSample(offset: offset).bytes)
        let taken = try #require(try StrippedPicture(file, keepingLocation: false).taken)
        #expect(taken.offsetMinutes == nil)
    }

    @Test
    func `EXIF data whose tags all name the same bytes takes little memory`() throws {
        // 512 tags, each with all that follows as its value.
        let length = 1 << 20
        let tags = (0..<512).flatMap { tag -> [UInt8] in
            big(tag, 2) + big(7, 2) + big(length, 4) + big(8 + 2 + 12 * 512, 4)
        }
        let exif = Array("MM\0*".utf8) + big(8, 4) + big(512, 2) + tags + [UInt8](repeating: 1, count: length)
        let before = try Self.peakMemory()
        _ = try StrippedPicture(PictureSample.file(.png, exif: exif), keepingLocation: false)
        #expect(try Self.peakMemory() - before < 64 * length)
    }

    @Test
    func `an HEIC file that names more parts than any picture has is refused`() {
        let extents = [UInt8](repeating: 1, count: 2 * 20_000)
        let places = [0, 0, 0, 0, 0x11, 0] + big(1, 2) + big(1, 2) + big(0, 2) + big(20_000, 2) + extents
        #expect(throws: ImportError.damaged("it has too many parts")) {
            try StrippedPicture(heic(box("iloc", places)), keepingLocation: false)
        }
        let associations = (0..<70).flatMap { _ in big(1, 2) + [255] + [UInt8](repeating: 1, count: 255) }
        let properties = box("iprp", box("ipma", [0, 0, 0, 0] + big(70, 4) + associations))
        #expect(throws: ImportError.damaged("it has too many parts")) {
            try StrippedPicture(heic(properties), keepingLocation: false)
        }
    }

    @Test(arguments: [0, 1, 7, 10] as [UInt8])
    func `a JPEG file whose frame ends before all of it is said is refused`(length: UInt8) throws {
        var file = PictureSample.file(.jpeg)
        let place = try #require(file.indices.first { file[$0...].starts(with: [0xFF, 0xC0, 0, 11, 8]) })
        file[place + 3] = length
        #expect(throws: ImportError.damaged("its frame is too short")) {
            try StrippedPicture(file, keepingLocation: false)
        }
    }

    @Test
    func `a JPEG file with two frames is refused`() throws {
        let file = PictureSample.file(.jpeg), frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8]
        let place = try #require(file.indices.first { file[$0...].starts(with: frame) })
        let twice = file[..<place] + file[place..<(place + 13)] + file[place...]
        #expect(throws: ImportError.damaged("it has two frames")) {
            try StrippedPicture(Array(twice), keepingLocation: false)
        }
    }

    @Test
    func `an HEIC file of which a part claims more than it holds is refused`() {
        for property in ["ispe", "irot", "pixi", "clap", "hvcC", "colr", "pasp"] {
            // What stands behind the part is not shared, so the picture that is would be another.
            let short = HEIFSample.picture(properties: [box(property, [])]).bytes
            #expect(throws: ImportError.damaged("a part of it ends too early"), "\(property)") {
                try StrippedPicture(short, keepingLocation: false)
            }
        }
    }

    @Test(arguments: ["iref", "iloc", "pitm"], 0..<4)
    func `an HEIC file with a box that is too short is refused`(type: String, length: Int) {
        var sample = HEIFSample.picture()
        sample.more = box(type, [UInt8](repeating: 0, count: length))
        #expect(throws: ImportError.damaged("a part of it ends too early")) {
            try StrippedPicture(sample.bytes, keepingLocation: false)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a colour profile that an HEIC file names over and over is looked through once`() throws {
        let profile = box("colr", Array("prof".utf8) + [UInt8](repeating: 0x73, count: 1 << 20))
        let associations = (0..<64).flatMap { _ in big(1, 2) + [255, 1, 3] + [UInt8](repeating: 2, count: 253) }
        let placed = box("ipma", [0, 0, 0, 0] + big(64, 4) + associations)
        let properties = box("ipco", HEIFSample.size(40, 30) + profile + HEIFSample.configuration) + placed
        let data = HEIFSample.slice(PictureSample.pixels)
        let entry = box("infe", [2, 0, 0, 0] + big(1, 2) + [0, 0] + Array("hvc1".utf8) + [0])
        let place = big(1, 2) + big(1, 2) + [0, 0] + big(1, 2) + big(0, 4) + big(data.count, 4)
        let file = heic(
            box("pitm", [0, 0, 0, 0, 0, 1]) + box("iinf", [0, 0, 0, 0] + big(1, 2) + entry) + box("iprp", properties)
                + box("idat", data) + box("iloc", [1, 0, 0, 0, 0x44, 0] + big(1, 2) + place)
        )
        let picture = try StrippedPicture(file, keepingLocation: false)
        #expect(!picture.hasUnusualColours && picture.width == 40)
    }

    /// Bytes of memory that this process had at most.
    private static func peakMemory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return 1024 * (try #require(Int(line.filter(\.isNumber))))
    }

    private func heic(_ content: [UInt8]) -> [UInt8] {
        box("ftyp", Array("heic".utf8) + [0, 0, 0, 0] + Array("mif1heic".utf8)) + box("meta", [0, 0, 0, 0] + content)
    }

    private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        big(content.count + 8, 4) + Array(type.utf8) + content
    }

    private func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
