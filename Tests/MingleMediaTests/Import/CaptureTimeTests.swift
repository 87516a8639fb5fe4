// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleMedia
import Testing

struct CaptureTimeTests {
    @Test func `a camera that tells its offset is believed`() throws {
        let taken = try #require(try taken(ExifSample()))
        #expect(taken.offsetMinutes == 120)
        #expect(taken.milliseconds(assuming: .gmt) == 1_717_173_005_250)
    }

    @Test(arguments: [("2024:05:31 18:30:05", -4), ("2024:12:31 18:30:05", -5)])
    func `a camera that does not is taken to show the time of the place`(time: String, hours: Int64) throws {
        let zone = try #require(TimeZone(identifier: "America/New_York"))
        let taken = try #require(try taken(ExifSample(time: time, offset: nil, fraction: nil)))
        #expect(taken.offsetMinutes == nil)
        #expect(taken.milliseconds(assuming: zone) == taken.milliseconds(assuming: .gmt) - hours * 3_600_000)
    }

    @Test(arguments: [nil, "", "    :  :     :  :  ", "0000:00:00 00:00:00", "2024:13:01 00:00:00", "yesterday"])
    func `a time that is none is missing`(time: String?) throws { #expect(try taken(ExifSample(time: time)) == nil) }

    @Test(arguments: ["+25:00", "02:00", "+2", "Y", ""])
    func `an offset that is none is missing`(offset: String) throws {
        #expect(try taken(ExifSample(offset: offset))?.offsetMinutes == nil)
    }

    @Test(arguments: [
        ("2015:08:22 24:08:19", "2015:08:23 00:08:19"), ("2015:12:31 24:00:00", "2016:01:01 00:00:00"),
        ("2024-05-31T18:30:05", "2024:05:31 18:30:05"), ("2024/05/31 18:30:05", "2024:05:31 18:30:05"),
        ("2024.05.31 18.30.05", "2024:05:31 18:30:05"), ("2024: 5:31  8: 3: 5", "2024:05:31 08:03:05"),
        ("20240531183005", "2024:05:31 18:30:05"), ("20240531T183005", "2024:05:31 18:30:05"),
        ("2024:05:31 18:30", "2024:05:31 18:30:00"), ("2024:05:31 06:30:05 PM", "2024:05:31 18:30:05"),
        ("2024:05:31 12:30:05 a.m.", "2024:05:31 00:30:05"), ("2024:05:31 下午06:30:05", "2024:05:31 18:30:05"),
        ("2024年05月31日 18:30:05", "2024:05:31 18:30:05"), (" 2024:05:31 18:30:05 ", "2024:05:31 18:30:05"),
    ])
    func `a time in a form seen in the wild is the time that the camera meant`(form: String, time: String) throws {
        let read = try #require(try taken(ExifSample(time: form, offset: nil, fraction: nil)))
        #expect(try read == taken(ExifSample(time: time, offset: nil, fraction: nil)))
    }

    @Test(arguments: [
        ("2024:05:31 18:30:05.25", Int?.none), ("2024-05-31T18:30:05.250Z", 0), ("2024-05-31T18:30:05,25+02:00", 120),
        ("2024:05:31 18:30:05.2500-0330", -210),
    ])
    func `a fraction and an offset in the time itself are read`(form: String, offset: Int?) throws {
        let read = try #require(try taken(ExifSample(time: form, offset: nil, fraction: nil)))
        #expect(read.clockMilliseconds == 1_717_180_205_250 && read.offsetMinutes == offset)
    }

    @Test func `a picture that only says when it was changed was taken then`() throws {
        var exif = ExifSample(time: nil, offset: nil, fraction: nil)
        exif.changed = "2024:05:31 18:30:05"
        #expect(try taken(exif)?.clockMilliseconds == 1_717_180_205_000)
        exif.time = "2024:01:01 00:00:00"
        #expect(try taken(exif)?.clockMilliseconds == 1_704_067_200_000)
    }

    @Test func `a picture whose time only XMP tells was taken then`() throws {
        let xmp = "<rdf:Description xmp:CreateDate='2024-05-31T18:30:05.25+02:00'/>"
        let picture = try StrippedPicture(PictureSample.file(.jpeg, exif: [], xmp: xmp), keepingLocation: false)
        #expect(picture.taken == (try taken(ExifSample())))
        // What is shared says it in EXIF data.
        #expect(try StrippedPicture(picture.bytes, keepingLocation: false).taken == picture.taken)
    }

    @Test func `days over two thousand years are read as Foundation writes them`() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        for seconds in stride(from: -4_000_000_000, to: 60_000_000_000, by: 86_399_999) {
            let date = Date(timeIntervalSince1970: Double(seconds))
            let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
            let numbers = [parts.year, parts.month, parts.day, parts.hour, parts.minute, parts.second].compactMap(
                \.self
            )
            let texts = numbers.map { ($0 < 10 ? "0" : "") + String($0) }
            let text = texts[..<3].joined(separator: ":") + " " + texts[3...].joined(separator: ":")
            let taken = try taken(ExifSample(time: text, offset: nil, fraction: nil))
            #expect(taken?.clockMilliseconds == Int64(seconds) * 1000)
        }
    }

    @Test(arguments: 0...9)
    func `a quarter's turn swaps width and height`(orientation: Int) throws {
        let file = PictureSample.file(.jpeg, exif: ExifSample(orientation: orientation).bytes)
        let picture = try StrippedPicture(file, keepingLocation: false)
        let turns = (5...8).contains(orientation)
        #expect(picture.width == (turns ? 30 : 40) && picture.height == (turns ? 40 : 30))
    }

    private func taken(_ exif: ExifSample) throws -> CaptureTime? {
        try StrippedPicture(PictureSample.file(.jpeg, exif: exif.bytes), keepingLocation: false).taken
    }
}
