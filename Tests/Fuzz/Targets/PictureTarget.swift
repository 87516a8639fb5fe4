// SPDX-License-Identifier: Apache-2.0

@testable import MingleMedia

/// Pictures that people upload, of every format, and EXIF data alone.
///
/// What is shared is within the limits, holds no location that was not to be kept, is not much longer than the
/// original, and sharing it again changes nothing.
enum PictureTarget: FuzzTarget {
    static func run(_ input: inout FuzzInput) throws {
        let kind = input.byte()
        let bytes = input.rest()
        if kind % 4 == 0 { exif(bytes) } else { try picture(bytes, keepingLocation: kind % 2 == 0) }
    }

    private static func picture(_ bytes: [UInt8], keepingLocation: Bool) throws {
        let limits = ImportLimits()
        let picture = try StrippedPicture(bytes, keepingLocation: keepingLocation)
        require(PictureFormat.detect(picture.bytes) == picture.format, "the format stays")
        require(picture.bytes.count <= bytes.count + 32_768, "nothing long is added")
        require((1...limits.side).contains(picture.width) && (1...limits.side).contains(picture.height), "limits hold")
        require(keepingLocation || picture.coordinates == nil, "no location is told")
        guard let again = try? StrippedPicture(picture.bytes, keepingLocation: true) else {
            fatalError("broken: what is shared is a picture")
        }
        require(keepingLocation || again.coordinates == nil, "no location is left")
        require(again.bytes == picture.bytes, "sharing again changes nothing")
        require(again.width == picture.width && again.height == picture.height, "the size stays")
        require(again.taken == picture.taken, "the time stays")
    }

    private static func exif(_ bytes: [UInt8]) {
        guard let exif = ExifData(bytes) else { return }
        _ = (exif.taken, exif.coordinates, exif.orientation)
        let shared = exif.shared(orientation: exif.orientation, taken: exif.taken, coordinates: exif.coordinates)
        guard let encoded = shared.encoded() else { return }
        require(encoded.count < 32_768, "shared data is short")
        guard let again = ExifData(encoded) else { fatalError("broken: shared data is EXIF data") }
        require(
            (again.orientation, again.taken, again.coordinates) == (exif.orientation, exif.taken, exif.coordinates),
            "facts stay"
        )
        let second = again.shared(orientation: again.orientation, taken: again.taken, coordinates: again.coordinates)
        require(second.encoded() == encoded, "sharing again changes nothing")
        let placeless = exif.shared(orientation: exif.orientation, taken: exif.taken, coordinates: nil)
        require(placeless.position.isEmpty, "no location is left")
    }

    static var seeds: [[UInt8]] {
        var small = ExifSample(isBigEndian: false)
        small.hasLocation = false
        let exif = [ExifSample().bytes, small.bytes].map { joined([0], $0) }
        return exif
            + PictureFormat.allCases.flatMap { format in
                [joined([1], PictureSample.file(format)), joined([2], PictureSample.file(format))]
            }
    }
}
