// SPDX-License-Identifier: Apache-2.0

import MingleMedia
import Testing

/// Places as cameras and programs write them: right, or none.
struct CoordinatesTests {
    private static let florida = [(28, 1), (32, 1), (18, 1)]
    private static let west = [(81, 1), (22, 1), (45, 1)]

    @Test(arguments: ["W", "w", "West", "WEST", " W", "West "], [2, 7, 1])
    func `west stays west, whatever word and type say so`(word: String, type: Int) throws {
        var exif = sample(word)
        exif.referenceType = type
        let place = try #require(try coordinates(exif))
        #expect(abs(place.latitude - 28.53833333) < 1e-6 && abs(place.longitude + 81.37916667) < 1e-6)
    }

    @Test(arguments: [("", 2), ("O", 2), ("X", 2), ("N", 2), ("W", 3), ("Ouest", 2)])
    func `a half of the globe that cannot be told is no place`(word: String, type: Int) throws {
        var exif = sample(word)
        exif.referenceType = type
        #expect(try coordinates(exif) == nil)
    }

    @Test func `a sign says which half it is, and must not contradict the reference`() throws {
        var exif = sample("")
        (exif.isSigned, exif.references.0) = (true, "N")
        exif.longitude[0].0 = -81
        #expect(try #require(try coordinates(exif)).longitude < -81)
        exif.references.1 = "W"
        #expect(try #require(try coordinates(exif)).longitude < -81)
        exif.references.1 = "E"
        #expect(try coordinates(exif) == nil)
    }

    @Test func `parts that a camera leaves out are zero, and degrees are needed`() throws {
        var exif = sample("W")
        (exif.latitude[2], exif.longitude[2]) = ((0, 0), (0, 0))
        #expect(try #require(try coordinates(exif)).latitude == 28 + 32.0 / 60)
        exif.latitude = [(28, 1)]
        #expect(try #require(try coordinates(exif)).latitude == 28)
        exif.latitude = [(0, 0), (32, 1), (18, 1)]
        #expect(try coordinates(exif) == nil)
        exif.latitude = [(28, 1), (75, 1), (0, 1)]
        #expect(try coordinates(exif) == nil)
        exif.latitude = [(91, 1), (0, 1), (0, 1)]
        #expect(try coordinates(exif) == nil)
    }

    @Test func `zero, zero is what phones write for a place that they withhold`() throws {
        var exif = sample("E")
        exif.latitude = [(0, 1), (0, 1), (0, 1)]
        exif.longitude = exif.latitude
        #expect(try coordinates(exif) == nil)
        exif.longitude = Self.west
        #expect(try coordinates(exif) != nil)
    }

    @Test(arguments: [
        "exif:GPSLatitude=\"28,32.3N\" exif:GPSLongitude='81,22.75W'",
        "<exif:GPSLatitude>28,32,18N</exif:GPSLatitude>\n<exif:GPSLongitude>81,22,45W</exif:GPSLongitude>",
        "exif:GPSLatitude = \"28.538333333\" exif:GPSLongitude=\"-81.379166667\"",
    ])
    func `a place that only XMP tells is kept`(xmp: String) throws {
        let file = PictureSample.file(.jpeg, exif: [], xmp: xmp)
        let picture = try StrippedPicture(file, keepingLocation: true)
        let place = try #require(picture.coordinates)
        #expect(abs(place.latitude - 28.53833333) < 1e-6 && abs(place.longitude + 81.37916667) < 1e-6)
        #expect(try StrippedPicture(picture.bytes, keepingLocation: true).coordinates == place)
        #expect(try StrippedPicture(file, keepingLocation: false).coordinates == nil)
    }

    @Test func `of a position only the place and the height are kept`() throws {
        let picture = try StrippedPicture(PictureSample.file(.jpeg), keepingLocation: true)
        #expect(picture.coordinates != nil && !picture.bytes.holds(PictureSample.secret))
    }

    private func sample(_ word: String) -> ExifSample {
        var exif = ExifSample()
        (exif.latitude, exif.longitude, exif.references) = (Self.florida, Self.west, ("N", word))
        return exif
    }

    /// The place that is shared, and that what is shared tells again.
    private func coordinates(_ exif: ExifSample) throws -> Coordinates? {
        let picture = try StrippedPicture(PictureSample.file(.jpeg, exif: exif.bytes), keepingLocation: true)
        #expect(try StrippedPicture(picture.bytes, keepingLocation: true).coordinates == picture.coordinates)
        return picture.coordinates
    }
}
