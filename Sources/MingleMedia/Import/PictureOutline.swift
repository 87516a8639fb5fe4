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
        /// As many zeros, where offsets must not move.
        case zeros(Int)
        /// The rewritten EXIF data, framed as the format wants it.
        case exif
        /// The rewritten EXIF data in exactly as many bytes, where offsets must not move.
        case exifSlot(Int)
    }

    /// The format that the file was read as.
    let format: PictureFormat
    /// Pixels across as stored, before any orientation.
    var width = 0
    /// Pixels down as stored, before any orientation.
    var height = 0
    /// Pixels of the largest part that a decoder allocates; at least width times height.
    var largestPart = 0
    /// Whether the format itself, not EXIF, turns the picture by a quarter.
    var turnsQuarter = false
    /// Where the EXIF data is.
    var exif: Range<Int>?
    /// Whether the colours need conversion: there is a profile, and it is not sRGB's.
    var hasUnusualColours = false
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
            case .heic: try HEIFFile.outline(bytes)
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
            case .zeros(let count): result += repeatElement(0, count: count)
            case .exif: if let exif { result += framed(exif) }
            case .exifSlot(let count): result += Self.fitted(exif, count)
            }
        }
        return format == .webp ? WebPFile.sealed(result, hasExif: exif != nil) : result
    }

    private func framed(_ exif: [UInt8]) -> [UInt8] {
        switch format {
        case .jpeg: JPEGFile.framed(exif)
        case .png: PNGFile.chunk("eXIf", exif)
        case .webp: WebPFile.chunk("EXIF", exif)
        case .gif, .heic: []
        }
    }

    /// An HEIF item's payload: four bytes that say where the data begins, the data, and zeros.
    private static func fitted(_ exif: [UInt8]?, _ count: Int) -> [UInt8] {
        let content = exif.map { [0, 0, 0, 0] + $0 } ?? []
        if content.count > count { return [UInt8](repeating: 0, count: count) }
        return content + repeatElement(0, count: count - content.count)
    }
}
