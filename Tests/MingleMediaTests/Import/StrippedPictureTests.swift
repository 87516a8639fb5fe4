// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleMedia
import TestSupport
import Testing

struct StrippedPictureTests {
    @Test(arguments: PictureFormat.allCases)
    func `nothing personal is shared, and the pixels are`(format: PictureFormat) throws {
        let file = PictureSample.file(format)
        #expect(file.holds(PictureSample.secret))
        let picture = try StrippedPicture(file, keepingLocation: false)
        #expect(picture.format == format)
        #expect(!picture.bytes.holds(PictureSample.secret))
        #expect(picture.bytes.holds(PictureSample.pixels))
        #expect(picture.coordinates == nil)
        let again = try StrippedPicture(picture.bytes, keepingLocation: true)
        #expect(again.bytes == picture.bytes && again.coordinates == nil)
        #expect(again.width == picture.width && again.height == picture.height && again.taken == picture.taken)
    }

    @Test(arguments: PictureFormat.allCases.filter { $0 != .gif }, [true, false])
    func `a kept location is told and stays in the file, and nothing else personal`(
        format: PictureFormat,
        isBigEndian: Bool
    ) throws {
        let file = PictureSample.file(format, exif: ExifSample(isBigEndian: isBigEndian).bytes)
        let picture = try StrippedPicture(file, keepingLocation: true)
        let coordinates = try #require(picture.coordinates)
        #expect(abs(coordinates.latitude + 33.8566667) < 1e-6 && abs(coordinates.longitude - 151.21) < 1e-6)
        #expect(!picture.bytes.holds(PictureSample.secret))
        #expect(try StrippedPicture(picture.bytes, keepingLocation: true).coordinates == coordinates)
        #expect(try StrippedPicture(picture.bytes, keepingLocation: false).coordinates == nil)
    }

    @Test func `of a location that is not understood nothing stays in the file, as nobody would be told of it`() throws
    {
        let exif = ExifSample(isLocationOdd: true).bytes
        let picture = try StrippedPicture(PictureSample.file(.jpeg, exif: exif), keepingLocation: true)
        #expect(picture.coordinates == nil && !picture.bytes.holds(Array(ExifSample.secret.utf8)))
    }

    @Test(arguments: PictureFormat.allCases)
    func `a file cut short anywhere is refused`(format: PictureFormat) throws {
        let whole = try StrippedPicture(PictureSample.file(format), keepingLocation: false).bytes
        let pixels = try #require(whole.firstRange(of: PictureSample.pixels))
        // Behind the pixels only what can be added, or nothing that is shown, is missing. In a JPEG only a decoder
        // finds out.
        let end =
            switch format {
            case .jpeg: pixels.lowerBound - 2
            case .gif: whole.count - 1
            case .heic, .avif: pixels.upperBound
            case .png, .webp: whole.count
            }
        for length in PictureFormat.signatureLength..<end {
            #expect(throws: ImportError.cutShort, "at \(length)") {
                try StrippedPicture(Array(whole.prefix(length)), keepingLocation: false)
            }
        }
    }

    @Test(arguments: PictureFormat.allCases)
    func `a picture that claims to be enormous is refused`(format: PictureFormat) throws {
        let side = format == .webp ? 1 << 24 : format == .heic || format == .avif ? Int(UInt32.max) : 60_000
        let bomb = PictureSample.file(format, width: side, height: side)
        #expect { try StrippedPicture(bomb, keepingLocation: false) } throws: { isTooLarge($0) }
        let wide = PictureSample.file(format, width: 20_001, height: 10_000)
        #expect { try StrippedPicture(wide, keepingLocation: false) } throws: { isTooLarge($0) }
        #expect(throws: Never.self) {
            try StrippedPicture(PictureSample.file(format, width: 20_000, height: 10_000), keepingLocation: false)
        }
    }

    @Test(arguments: PictureFormat.allCases, 0..<40)
    func `damaged files are refused or stripped, and never trap`(format: PictureFormat, seed: UInt64) throws {
        var generator = SplitMix(seed: seed)
        let whole = PictureSample.file(format)
        for _ in 0..<50 {
            var file = whole
            for _ in 0...(generator.next() % 8) {
                let place = Int(generator.next() % UInt64(file.count))
                file[place] = generator.next() % 2 == 0 ? UInt8(truncatingIfNeeded: generator.next()) : 0xFF
            }
            guard let picture = try? StrippedPicture(file, keepingLocation: false) else { continue }
            #expect(try StrippedPicture(picture.bytes, keepingLocation: true).coordinates == nil)
        }
    }

    @Test(arguments: 0..<100)
    func `broken EXIF data is no reason to refuse a picture`(seed: UInt64) throws {
        var generator = SplitMix(seed: seed)
        var exif = ExifSample(isBigEndian: seed % 2 == 0).bytes
        for _ in 0..<20 {
            exif[Int(generator.next() % UInt64(exif.count))] = UInt8(truncatingIfNeeded: generator.next())
        }
        let picture = try StrippedPicture(PictureSample.file(.jpeg, exif: exif), keepingLocation: true)
        #expect(picture.bytes.holds(PictureSample.pixels))
        let half = Array(exif.prefix(exif.count / 2))
        #expect(try StrippedPicture(PictureSample.file(.png, exif: half), keepingLocation: false).width > 0)
    }

    @Test(arguments: [
        "", "hello", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "%PDF-1.7", "RIFF....WAVEfmt ", "BM6",
    ])
    func `what is not a picture is refused`(text: String) {
        #expect(throws: ImportError.notAPicture) {
            try StrippedPicture(Array(text.utf8) + [UInt8](repeating: 0, count: 64), keepingLocation: false)
        }
    }

    private func isTooLarge(_ error: any Error) -> Bool {
        if case ImportError.tooLarge = error { true } else { false }
    }
}
