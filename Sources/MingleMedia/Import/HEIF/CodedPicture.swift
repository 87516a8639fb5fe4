// SPDX-License-Identifier: Apache-2.0

/// The coded pixels of an item: units, of which only those that a decoder draws from are shared.
struct CodedPicture {
    /// Coded slices and parameter sets of HEVC (ITU-T H.265, table 7-1); the others are words and endings.
    private static let slices: ClosedRange<UInt8> = 0...34
    /// Sequence header, temporal delimiter, frame header, tile group, frame and redundant header (AV1, section 6.2.2).
    private static let frames: Set<UInt8> = [1, 2, 3, 4, 6, 7]

    private let isAV1: Bool
    private let lengthSize: Int

    /// Describes an item.
    ///
    /// - Parameters:
    ///   - type: `hvc1`, `hev1` or `av01`.
    ///   - lengthSize: Bytes of the length before each unit of HEVC, as the configuration says; nil without one.
    init(_ type: String, lengthSize: Int?) throws(ImportError) {
        isAV1 = type == "av01"
        guard isAV1 || lengthSize != nil else { throw .damaged("a part of it is missing") }
        self.lengthSize = lengthSize ?? 0
    }

    /// What is shared of an item whose bytes are in these extents.
    func content(_ extents: [Range<Int>], _ bytes: PictureBytes) throws(ImportError) -> HEIFPicture.Content {
        if let extent = extents.first, extents.count == 1 { return .copy(Self.joined(try units(extent, bytes))) }
        let whole = PictureBytes(extents.flatMap { bytes.all[$0] })
        return .bytes(try units(0..<whole.count, whole).flatMap { whole.all[$0] })
    }

    private func units(_ range: Range<Int>, _ bytes: PictureBytes) throws(ImportError) -> [Range<Int>] {
        var units: [Range<Int>] = []
        var offset = range.lowerBound
        while offset + max(1, lengthSize) <= range.upperBound {
            let unit = try isAV1 ? frame(at: offset, range, bytes) : slice(at: offset, bytes)
            guard unit.range.upperBound <= range.upperBound else { throw .cutShort }
            if unit.isShared { units.append(unit.range) }
            offset = unit.range.upperBound
        }
        return units
    }

    private func slice(at offset: Int, _ bytes: PictureBytes) throws(ImportError) -> (range: Range<Int>, isShared: Bool)
    {
        let length = try bytes.number(at: offset, count: lengthSize)
        let start = offset + lengthSize
        guard length > 1 else { return (offset..<(start + length), false) }
        return (offset..<(start + length), Self.slices.contains(try bytes.byte(at: start) >> 1 & 63))
    }

    private func frame(
        at offset: Int,
        _ range: Range<Int>,
        _ bytes: PictureBytes
    ) throws(ImportError) -> (range: Range<Int>, isShared: Bool) {
        let head = try bytes.byte(at: offset)
        let isShared = Self.frames.contains(head >> 3 & 15)
        var place = offset + (head & 4 == 0 ? 1 : 2)
        // The last one may go to the end.
        guard head & 2 != 0 else { return (offset..<range.upperBound, isShared) }
        var length = 0
        for shift in stride(from: 0, to: 35, by: 7) {
            let byte = try bytes.byte(at: place)
            place += 1
            length |= Int(byte & 0x7F) << shift
            if byte & 0x80 == 0 { break }
        }
        return (offset..<(place + length), isShared)
    }

    private static func joined(_ ranges: [Range<Int>]) -> [Range<Int>] {
        ranges.reduce(into: []) { joined, range in
            if let last = joined.last, last.upperBound == range.lowerBound {
                joined[joined.count - 1] = last.lowerBound..<range.upperBound
            } else {
                joined.append(range)
            }
        }
    }
}
