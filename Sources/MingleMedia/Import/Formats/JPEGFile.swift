// SPDX-License-Identifier: Apache-2.0

/// JPEG (ITU-T T.81): the tables, the frame and the scans up to the end marker.
///
/// Reads as libjpeg does, which skips stray bytes between segments. What is shared begins with segments that are
/// written here: JFIF, EXIF, Adobe's colour transform, the reduced colour profile. Applications, comments, second
/// pictures and what follows the end marker are not copied.
enum JPEGFile {
    private static let startOfScan: UInt8 = 0xDA
    private static let endOfImage: UInt8 = 0xD9
    /// Bytes that a file may grow by, since its head is written here.
    static let headLimit = 1 << 10
    /// Bytes of a profile that one segment holds.
    private static let profilePart = 65_519

    static func outline(_ bytes: PictureBytes) throws(ImportError) -> PictureOutline {
        var reading = Reading(bytes: bytes)
        try reading.readSegments()
        guard reading.hasScan else { throw .cutShort }
        var outline = reading.outline
        let pieces = outline.pieces
        outline.pieces = [.bytes([0xFF, 0xD8] + reading.head), .exif]
        if let profile = reading.profile {
            outline.hasUnusualColours = outline.hasUnusualColours || !profile.isSRGB
            outline.pieces.append(.bytes(framed(profile)))
        }
        outline.pieces += pieces + [.bytes([0xFF, endOfImage])]
        return outline
    }

    /// What was read of a file so far.
    private struct Reading {
        let bytes: PictureBytes
        var outline = PictureOutline(format: .jpeg)
        /// The first scan has been found.
        var hasScan = false
        private var hasFrame = false
        private var jfif: [UInt8] = []
        private var adobe: [UInt8] = []
        private var profileParts: [Int: Range<Int>] = [:]
        private var profileCount = 0
        private var progress: JPEGProgress?
        private var scan = JPEGScan()

        init(bytes: PictureBytes) { self.bytes = bytes }

        /// The segments by which a decoder tells what the components mean.
        var head: [UInt8] { jfif + adobe }

        /// The colour profile, if all parts of it are there.
        var profile: ColourProfile? {
            guard profileCount > 0, profileParts.count == profileCount else { return nil }
            return ColourProfile((1...profileCount).flatMap { profileParts[$0].map { bytes.all[$0] } ?? [] })
        }

        /// Reads to the end marker; a file that ends without it after a scan gets one.
        mutating func readSegments() throws(ImportError) {
            var offset = 2
            while let place = nextMarker(from: offset) {
                let marker = bytes.all[place + 1]
                if marker == endOfImage { return }
                // Neither a restart nor a number of no meaning has a length.
                if marker < 0xC0 || (0xD0...0xD8).contains(marker) {
                    offset = place + 2
                    continue
                }
                guard let length = try? bytes.number(at: place + 2, count: 2),
                    (try? bytes.require(length, at: place + 2)) != nil
                else { break }
                let range = place..<(place + 2 + max(2, length))
                try take(marker, range)
                offset = marker == startOfScan ? takeScan(range) : range.upperBound
            }
            guard hasScan, progress?.isComplete ?? true else { throw .cutShort }
            outline.isRepaired = true
        }

        /// Where the next marker begins: after what is no marker, and at the last of its fill bytes.
        private func nextMarker(from start: Int) -> Int? {
            var offset = start
            while offset + 1 < bytes.count {
                if bytes.all[offset] == 0xFF, bytes.all[offset + 1] != 0xFF, bytes.all[offset + 1] != 0 {
                    return offset
                }
                offset += 1
            }
            return nil
        }

        /// Decides over one segment, of which `range` covers the marker, the length and the content.
        private mutating func take(_ marker: UInt8, _ range: Range<Int>) throws(ImportError) {
            let content = (range.lowerBound + 4)..<max(range.lowerBound + 4, range.upperBound)
            switch marker {
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                try takeFrame(content)
                scan.takeFrame(bytes, content, marker: marker)
                outline.keep(range)
            case 0xC4:
                scan.takeTables(bytes, content)
                outline.keep(range)
            case 0xDD:
                scan.takeRestarts(bytes, content)
                outline.keep(range)
            // Tables of the other coding, the scan, quantisation.
            case 0xCC, 0xDA, 0xDB: outline.keep(range)
            case 0xE0...0xEF where !hasScan: try takeApplication(marker, content)
            // Comments, and what the standard leaves to later versions of itself.
            default: break
            }
        }

        private mutating func takeFrame(_ content: Range<Int>) throws(ImportError) {
            // No decoder reads a second one, and each has a size of its own.
            guard !hasFrame else { throw .damaged("it has two frames") }
            // What stands behind the segment is not copied with it, and says something else there.
            guard content.count >= 6, content.count >= 6 + 3 * Int(bytes.all[content.lowerBound + 5]) else {
                throw .damaged("its frame is too short")
            }
            hasFrame = true
            outline.height = try bytes.number(at: content.lowerBound + 1, count: 2)
            outline.width = try bytes.number(at: content.lowerBound + 3, count: 2)
            // Four inks are converted even without a profile, since browsers differ about them.
            if try bytes.byte(at: content.lowerBound + 5) == 4 { outline.hasUnusualColours = true }
            progress = JPEGProgress(bytes, frame: content)
        }

        private mutating func takeApplication(_ marker: UInt8, _ content: Range<Int>) throws(ImportError) {
            let start = content.lowerBound
            switch marker {
            // libjpeg takes a shorter one for something else. The version and density stay, and no thumbnail.
            case 0xE0 where bytes.has("JFIF\0", at: start) && content.count >= 14:
                jfif = [0xFF, 0xE0, 0, 16] + bytes.all[start..<(start + 12)] + [0, 0]
            case 0xE1 where bytes.has("Exif\0", at: start) && content.count > 6:
                outline.exif = outline.exif ?? Array(bytes.all[(start + 6)..<content.upperBound])
            case 0xE1 where bytes.has("http://ns.adobe.com/xap/1.0/\0", at: start):
                outline.xmp = outline.xmp ?? Array(bytes.all[content])
            case 0xE2 where bytes.has("ICC_PROFILE\0", at: start) && content.count > 14:
                profileCount = Int(bytes.all[start + 13])
                profileParts[Int(bytes.all[start + 12])] = (start + 14)..<content.upperBound
            case 0xEE where bytes.has("Adobe", at: start) && content.count >= 12:
                adobe = [0xFF, 0xEE, 0, 14] + bytes.all[start..<(start + 12)]
            default: break
            }
        }

        /// Keeps a scan's coded data and returns where it ends: at a marker that may follow a scan.
        private mutating func takeScan(_ range: Range<Int>) -> Int {
            hasScan = true
            progress?.note(bytes, scan: (range.lowerBound + 4)..<range.upperBound)
            if let end = scan.end(bytes, (range.lowerBound + 4)..<range.upperBound) {
                outline.keep(range.upperBound..<end)
                return end
            }
            var offset = range.upperBound
            while offset < bytes.count {
                if bytes.all[offset] == 0xFF, endsScan(offset + 1) { break }
                offset += 1
            }
            // A file that ends in half a marker has no use for it.
            let end = offset == bytes.count && bytes.all[offset - 1] == 0xFF ? offset - 1 : offset
            outline.keep(range.upperBound..<max(range.upperBound, end))
            return offset
        }

        /// Whether a byte behind 0xFF begins what may follow a scan.
        ///
        /// Else it is a damaged byte: the decoder goes on behind it, as behind a restart.
        private func endsScan(_ place: Int) -> Bool {
            switch place < bytes.count ? bytes.all[place] : 0 {
            case 0xD8, JPEGFile.endOfImage: true
            case 0xC4, 0xCC, 0xDA...0xDD, 0xE0...0xEF, 0xFE:
                (try? bytes.number(at: place + 1, count: 2)).map { $0 >= 2 && place + 1 + $0 <= bytes.count } ?? false
            default: false
            }
        }
    }

    // MARK: - Writing

    /// EXIF data as an APP1 segment.
    static func framed(_ exif: [UInt8]) -> [UInt8] {
        [0xFF, 0xE1] + PictureBytes.big(exif.count + 8, 2) + Array("Exif\0\0".utf8) + exif
    }

    /// A profile as APP2 segments.
    private static func framed(_ profile: ColourProfile) -> [UInt8] {
        let starts = Array(stride(from: 0, to: profile.bytes.count, by: profilePart))
        guard starts.count <= 255 else { return [] }
        return starts.enumerated().flatMap { index, start in
            let part = profile.bytes[start..<min(start + profilePart, profile.bytes.count)]
            let head = Array("ICC_PROFILE\0".utf8) + [UInt8(index + 1), UInt8(starts.count)]
            return [0xFF, 0xE2] + PictureBytes.big(part.count + 16, 2) + head + part
        }
    }
}

/// How much of a picture its scans have told: a file may have many (ITU-T T.81, annex G).
private struct JPEGProgress {
    private static let coefficients = 64
    private var missing: [UInt8: Set<Int>]

    init?(_ bytes: PictureBytes, frame: Range<Int>) {
        guard let count = try? bytes.byte(at: frame.lowerBound + 5) else { return nil }
        missing = [:]
        for component in 0..<Int(count) {
            guard let id = try? bytes.byte(at: frame.lowerBound + 6 + 3 * component) else { return nil }
            missing[id] = Set(0..<Self.coefficients)
        }
    }

    /// Whether every coefficient was told to its last bit.
    var isComplete: Bool { missing.values.allSatisfy(\.isEmpty) }

    /// Notes which coefficients a scan completes.
    mutating func note(_ bytes: PictureBytes, scan: Range<Int>) {
        guard let count = try? Int(bytes.byte(at: scan.lowerBound)), scan.count >= 4 + 2 * count else { return }
        let place = scan.lowerBound + 1 + 2 * count
        let (first, last, bits) = (Int(bytes.all[place]), Int(bytes.all[place + 1]), bytes.all[place + 2] & 15)
        guard bits == 0, first <= last, last < Self.coefficients else { return }
        for component in 0..<count { missing[bytes.all[scan.lowerBound + 1 + 2 * component]]?.subtract(first...last) }
    }
}
