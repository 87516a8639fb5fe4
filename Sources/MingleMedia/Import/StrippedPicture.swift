// SPDX-License-Identifier: Apache-2.0

/// A picture's file without what must not be told, and what its header says; nothing is decoded and no I/O done.
package struct StrippedPicture: Sendable {
    /// What the file is.
    package let format: PictureFormat
    /// Pixels across as people see it.
    package let width: Int
    /// Pixels down as people see it.
    package let height: Int
    /// When it was taken; nil if the camera did not say.
    package let taken: CaptureTime?
    /// Where it was taken; nil unless the location is kept.
    package let coordinates: Coordinates?
    /// Whether a colour profile other than sRGB's says what the pixels mean.
    package let hasUnusualColours: Bool
    /// The file that is shared; the coded pixels are the original's, byte by byte.
    package let bytes: [UInt8]

    /// Strips the file `original`; refuses what is no whole picture, exceeds `limits` or cannot be stripped.
    package init(
        _ original: [UInt8],
        keepingLocation: Bool,
        limits: ImportLimits = ImportLimits()
    ) throws(ImportError) {
        guard let format = PictureFormat.detect(original) else { throw .notAPicture }
        let file = PictureBytes(original)
        let outline = try PictureOutline.read(file, as: format)
        try limits.admit(outline)
        let exif = outline.exif.flatMap { ExifData(original[$0]) }
        // HEIC's own property turns the picture, and its EXIF orientation only repeats that.
        let turns = outline.turnsQuarter || format != .heic && exif.map { $0.orientation > 4 } ?? false
        self.format = format
        width = turns ? outline.height : outline.width
        height = turns ? outline.width : outline.height
        taken = exif?.taken
        coordinates = keepingLocation ? exif?.coordinates : nil
        hasUnusualColours = outline.hasUnusualColours
        bytes = try Self.strip(file, outline, exif, keepingLocation: keepingLocation)
    }

    /// Assembles what is shared, then reads it again as a proof that nothing is left to strip.
    private static func strip(
        _ original: PictureBytes,
        _ outline: PictureOutline,
        _ exif: ExifData?,
        keepingLocation: Bool
    ) throws(ImportError) -> [UInt8] {
        let sharedExif = exif?.shared(keepingLocation: keepingLocation).encoded()
        let shared = PictureBytes(outline.assemble(original, exif: sharedExif))
        let second = try PictureOutline.read(shared, as: outline.format)
        let found = second.exif.flatMap { ExifData(shared.all[$0]) }
        guard second.assemble(shared, exif: sharedExif) == shared.all,
            keepingLocation || found?.position.isEmpty ?? true
        else { throw .locationStays }
        return shared.all
    }
}
