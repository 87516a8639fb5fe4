// SPDX-License-Identifier: Apache-2.0

/// A picture file taken apart without decoding it: what its header claims and which of its bytes are shared.
///
/// Only what a format's rules name is kept, so unknown metadata goes by default. The picture itself is copied byte by
/// byte.
struct PictureOutline {
    /// A part of the file that is shared.
    enum Piece: Equatable {
        /// These bytes of the original.
        case copy(Range<Int>)
        /// Other bytes in place of the original's.
        case bytes([UInt8])
        /// The rewritten EXIF data, framed as the format wants it.
        case exif
        /// A whole file of items, the rewritten EXIF data among them.
        case items(HEIFPicture)
    }

    /// The format that the file was read as.
    var format: PictureFormat
    /// Pixels across as stored, before any orientation.
    var width = 0
    /// Pixels down as stored, before any orientation.
    var height = 0
    /// Pixels of the largest part that a decoder allocates; at least width times height.
    var largestPart = 0
    /// Whether the format itself turns the picture, so that EXIF must not.
    var turnsItself = false
    /// The EXIF data.
    var exif: [UInt8]?
    /// The XMP.
    var xmp: [UInt8]?
    /// Whether the colours need conversion: the numbers are not sRGB's.
    var hasUnusualColours = false
    /// Whether the file's end is missing and was added, so that only a decoder can tell whether pixels are missing too.
    var isRepaired = false
    /// Whether the file has pixels that are not shown, which leave it only with a new encoding.
    var hidesPixels = false
    /// What is shared, in order.
    var pieces: [Piece] = []

    /// Reads the outline of a file of the given format.
    static func read(_ bytes: PictureBytes, as format: PictureFormat) throws(ImportError) -> PictureOutline {
        var outline =
            switch format {
            case .jpeg: try JPEGFile.outline(bytes)
            case .png: try PNGFile.outline(bytes)
            case .webp: try WebPFile.outline(bytes)
            case .gif: try GIFFile.outline(bytes)
            case .heic, .avif: try HEIFFile.outline(bytes)
            }
        guard outline.width > 0, outline.height > 0 else { throw .damaged("it has no size") }
        outline.noteArea(outline.width, outline.height)
        return outline
    }

    /// Notes that decoding allocates a part of this size.
    mutating func noteArea(_ width: Int, _ height: Int) {
        let (area, overflows) = width.multipliedReportingOverflow(by: height)
        largestPart = overflows ? .max : max(largestPart, area)
    }

    /// Adds a piece, joining it to the one before where it continues that.
    mutating func keep(_ range: Range<Int>) {
        if case .copy(let last)? = pieces.last, last.upperBound == range.lowerBound {
            pieces[pieces.count - 1] = .copy(last.lowerBound..<range.upperBound)
        } else if !range.isEmpty {
            pieces.append(.copy(range))
        }
    }

    /// The file that is shared: the kept pieces of `bytes` and `exif` in place of the original's EXIF data.
    func assemble(_ bytes: PictureBytes, exif: [UInt8]?) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 1024)
        for piece in pieces {
            switch piece {
            case .copy(let range): result += bytes.all[range]
            case .bytes(let other): result += other
            case .exif: if let exif { result += framed(exif) }
            case .items(let picture): result += picture.file(bytes, exif: exif)
            }
        }
        return format == .webp ? WebPFile.sealed(result, hasExif: exif != nil) : result
    }

    private func framed(_ exif: [UInt8]) -> [UInt8] {
        switch format {
        case .jpeg: JPEGFile.framed(exif)
        case .png: PNGFile.chunk("eXIf", exif)
        case .webp: WebPFile.chunk("EXIF", exif)
        case .gif, .heic, .avif: []
        }
    }
}
