// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleMedia
import Testing

/// What is shared of a JPEG file that is not as the standard wants it, yet is decoded whole by libjpeg.
@Suite(.enabled(if: Program.vips.isInstalled, "needs libvips-tools"), .timeLimit(.minutes(2)))
struct JPEGFileTests {
    @Test(arguments: ["", "[interlace]"])
    func `a picture without its end marker is shared with one`(options: String) async throws {
        try await withTemporaryFolder { folder in
            let drawing = Drawing(folder: folder)
            let whole = try drawing.bytes(try drawing.write("whole.jpg", options: options))
            let path = folder + "/cut.jpg"
            try Data(whole.dropLast(2)).write(to: URL(filePath: path))
            let picture = try await importer(folder).importPicture(at: path, keepLocation: false)
            let shared = try drawing.bytes(picture.sharedPath)
            #expect(shared.suffix(2) == [0xFF, 0xD9])
            #expect(try drawing.pixels(picture.sharedPath) == drawing.pixels("\(folder)/whole.jpg"))
            // Half a marker is no use.
            try Data(whole.dropLast(1)).write(to: URL(filePath: path))
            let half = try await importer(folder).strip(at: path, keepLocation: false)
            #expect(half.bytes == shared)
        }
    }

    @Test(arguments: ["", "[interlace]"])
    func `a picture of which rows or scans are missing is refused`(options: String) async throws {
        try await withTemporaryFolder { folder in
            let drawing = Drawing(folder: folder)
            let whole = try drawing.bytes(try drawing.write("whole.jpg", options: options, scale: 4))
            for share in [0.5, 0.8, 0.97] {
                let path = folder + "/cut.jpg"
                try Data(whole.prefix(Int(Double(whole.count) * share))).write(to: URL(filePath: path))
                await #expect(throws: ImportError.cutShort) {
                    try await importer(folder).importPicture(at: path, keepLocation: false)
                }
            }
        }
    }

    @Test(arguments: ["", "[Q=60]", "[Q=95,optimize_coding]", "grey"], [1, 7])
    func `bytes between the last block of a scan and the next marker are not shared`(options: String, scale: Int) throws
    {
        try withTemporaryFolder { folder in
            let drawing = Drawing(folder: folder)
            var path = try drawing.write("whole.jpg", options: options == "grey" ? "" : options, scale: scale)
            if options == "grey" {
                try Program.vips.run("extract_band", path, folder + "/grey.jpg", "1")
                path = folder + "/grey.jpg"
            }
            let whole = try drawing.bytes(path)
            let clean = try StrippedPicture(whole, keepingLocation: false)
            #expect(clean.bytes.suffix(40) == whole.suffix(40))
            for stray in [PictureSample.secret, [0xFF, 0, 0x41, 0xFF, 0xD0, 7], [0xFF, 0xFF]] {
                let file = Array(whole.dropLast(2)) + stray + [0xFF, 0xD9]
                #expect(try StrippedPicture(file, keepingLocation: false).bytes == clean.bytes)
            }
            let unended = Array(whole.dropLast(2)) + PictureSample.secret
            #expect(try StrippedPicture(unended, keepingLocation: false).bytes == clean.bytes)
        }
    }

    @Test(
        arguments: [
            [0], [0x41, 0x42, 0x43], [0, 0xFF, 0, 0x41], [0xFF, 0xFF, 0xFF], [0xFF, 0x41, 0x42],
        ] as [[UInt8]]
    )
    func `stray bytes between segments are not shared`(stray: [UInt8]) throws {
        let whole = PictureSample.file(.jpeg)
        let clean = try StrippedPicture(whole, keepingLocation: false)
        let starts = segmentStarts(whole)
        #expect(starts.count > 6)
        for start in starts {
            let file = Array(whole[..<start]) + stray + whole[start...]
            #expect(try StrippedPicture(file, keepingLocation: false).bytes == clean.bytes, "at \(start)")
        }
    }

    @Test(arguments: [0x02, 0xBF, 0xC8, 0xE0, 0xE1, 0xE2, 0xE3, 0xED, 0xEE, 0xEF, 0xF0, 0xF7, 0xFD, 0xFE] as [UInt8])
    func `a segment that no decoder needs is not shared`(marker: UInt8) throws {
        let whole = PictureSample.file(.jpeg)
        let clean = try StrippedPicture(whole, keepingLocation: false)
        let secret = PictureSample.secret
        let segment = [0xFF, marker, 0, UInt8(secret.count + 2)] + secret
        for start in segmentStarts(whole) {
            let file = Array(whole[..<start]) + segment + whole[start...]
            #expect(try StrippedPicture(file, keepingLocation: false).bytes == clean.bytes, "at \(start)")
        }
    }

    @Test func `of JFIF and Adobe only what decoders need is shared`() throws {
        let whole = PictureSample.file(.jpeg)
        let secret = PictureSample.secret
        let thumbnail = Array("JFIF\0".utf8) + [1, 2, 0, 0, 1, 0, 1, 2, 2] + secret
        let adobe = Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1] + secret
        let file =
            [0xFF, 0xD8, 0xFF, 0xE0, 0, UInt8(thumbnail.count + 2)] + thumbnail
            + [0xFF, 0xEE, 0, UInt8(adobe.count + 2)] + adobe + whole.dropFirst(2)
        let shared = try StrippedPicture(file, keepingLocation: false).bytes
        #expect(!shared.holds(secret) && shared.holds(Array("JFIF".utf8)))
        #expect(shared.holds([0xFF, 0xEE, 0, 14] + adobe.prefix(12) + [0xFF]))
    }

    @Test func `a panorama is measured by its pixels, and a picture that is too long for a JPEG is told so`() {
        #expect(throws: Never.self) {
            try StrippedPicture(PictureSample.file(.jpeg, width: 31_000, height: 600), keepingLocation: false)
        }
        let long = PictureSample.file(.png, width: 65_536, height: 1)
        #expect(throws: ImportError.tooLarge("65536 × 1 pixels, and the limit for one side is 65535")) {
            try StrippedPicture(long, keepingLocation: false)
        }
        let large = PictureSample.file(.png, width: 20_001, height: 10_000)
        #expect(throws: ImportError.tooLarge("20001 × 10000 pixels, and the limit is 200 megapixels")) {
            try StrippedPicture(large, keepingLocation: false)
        }
    }

    private func importer(_ folder: String) throws -> PictureImporter {
        try PictureImporter(temporaryFolder: folder + "/imports", timeZone: .gmt)
    }

    /// Where segments begin, behind the start marker and up to the scan.
    private func segmentStarts(_ file: [UInt8]) -> [Int] {
        var starts: [Int] = []
        var offset = 2
        while offset + 4 <= file.count, file[offset] == 0xFF {
            starts.append(offset)
            if file[offset + 1] == 0xDA { break }
            offset += 2 + Int(file[offset + 2]) << 8 + Int(file[offset + 3])
        }
        return starts
    }
}
