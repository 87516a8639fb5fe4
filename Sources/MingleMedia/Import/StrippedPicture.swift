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
    /// Whether the numbers of the pixels mean other colours than sRGB's.
    package let hasUnusualColours: Bool
    /// Whether the file's end was missing and was added, so that only a decoder can tell whether pixels are missing
    /// too.
    package let isRepaired: Bool
    /// Whether ``bytes`` have pixels that are not shown; a new encoding of what is shown must be shared in their place.
    package let hidesPixels: Bool
    /// The file that is shared; the coded pixels are the original's, byte by byte.
    package let bytes: [UInt8]

    /// Strips the file `original`; refuses what is no whole picture, exceeds `limits` or cannot be stripped.
    package init(
        _ original: [UInt8],
        keepingLocation: Bool,
        limits: ImportLimits = ImportLimits()
    ) throws(ImportError) {
        guard let detected = PictureFormat.detect(original) else { throw .notAPicture }
        let file = PictureBytes(original)
        let outline = try PictureOutline.read(file, as: detected)
        try limits.admit(outline)
        let told = outline.exif.flatMap { ExifData($0) } ?? ExifData()
        let more = outline.xmp.map { XMPFacts($0) }
        let turns = !outline.turnsItself && told.orientation > 4
        format = outline.format
        width = turns ? outline.height : outline.width
        height = turns ? outline.width : outline.height
        taken = told.taken ?? more?.taken
        coordinates = keepingLocation ? told.coordinates ?? more?.coordinates : nil
        hasUnusualColours = outline.hasUnusualColours
        isRepaired = outline.isRepaired
        hidesPixels = outline.hidesPixels
        let shared = told.shared(
            orientation: outline.turnsItself ? 1 : told.orientation,
            taken: taken,
            coordinates: coordinates
        )
        bytes = try Self.strip(file, outline, exif: shared.encoded(), keepingLocation: keepingLocation)
    }

    /// Assembles what is shared, then reads it again as a proof that nothing is left to strip.
    private static func strip(
        _ original: PictureBytes,
        _ outline: PictureOutline,
        exif: [UInt8]?,
        keepingLocation: Bool
    ) throws(ImportError) -> [UInt8] {
        let shared = PictureBytes(outline.assemble(original, exif: exif))
        let second = try PictureOutline.read(shared, as: outline.format)
        let found = second.exif.flatMap { ExifData($0) }
        guard second.assemble(shared, exif: exif) == shared.all, second.xmp == nil,
            keepingLocation || found?.position.isEmpty ?? true
        else { throw .locationStays }
        return shared.all
    }
}
