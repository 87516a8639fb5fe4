// SPDX-License-Identifier: Apache-2.0

import MingleModel

extension ExifData {
    /// Make, model, orientation, resolution, time of the last change: nothing that tells one camera from its twins.
    private static let sharedPictureTags: Set<UInt16> = [
        0x010F, 0x0110, 0x0112, 0x011A, 0x011B, 0x0128, 0x0132, 0x0213,
    ]
    /// Exposure, times with their offsets, colour space, dimensions, focal length, lens model.
    private static let sharedExposureTags: Set<UInt16> = [
        0x829A, 0x829D, 0x8822, 0x8827, 0x8830, 0x9000, 0x9003, 0x9004, 0x9010, 0x9011, 0x9012, 0x9101, 0x9201, 0x9202,
        0x9203, 0x9204, 0x9205, 0x9207, 0x9208, 0x9209, 0x920A, 0x9290, 0x9291, 0x9292, 0xA000, 0xA001, 0xA002, 0xA003,
        0xA402, 0xA403, 0xA404, 0xA405, 0xA406, 0xA432, 0xA433, 0xA434,
    ]

    private static let positionTags = Set<UInt16>(0...31)

    /// What of this is shared: only tags known to be harmless, and the position if it is to be kept.
    ///
    /// Serial numbers, names, comments, thumbnails and makers' notes are left out because they are not named here. Of a position that is not
    /// understood nothing is shared: nobody would be told that the picture has one.
    func shared(keepingLocation: Bool) -> ExifData {
        var result = self
        result.picture = Self.select(Self.sharedPictureTags, from: picture)
        result.exposure = Self.select(Self.sharedExposureTags, from: exposure)
        result.position = keepingLocation && coordinates != nil ? Self.select(Self.positionTags, from: position) : []
        return result
    }

    /// The first entry of every wanted tag, so that the whole stays far below the 64 KiB that JPEG allows.
    private static func select(_ tags: Set<UInt16>, from entries: [Entry]) -> [Entry] {
        var wanted = tags
        return entries.filter { wanted.remove($0.tag) != nil }
    }

    /// The data as a TIFF structure; nil if there is none.
    func encoded() -> [UInt8]? {
        if picture.isEmpty && exposure.isEmpty && position.isEmpty { return nil }
        // Every directory's length is known beforehand, so each can be placed after the one before.
        let pointerCount = (exposure.isEmpty ? 0 : 1) + (position.isEmpty ? 0 : 1)
        let exposureStart = 8 + Self.length(of: picture) + 12 * pointerCount
        let positionStart = exposureStart + (exposure.isEmpty ? 0 : Self.length(of: exposure))
        var first = picture
        if !exposure.isEmpty { first.append(pointer(Self.exposurePointer, to: exposureStart)) }
        if !position.isEmpty { first.append(pointer(Self.positionPointer, to: positionStart)) }
        var bytes = Array((isBigEndian ? "MM\0*" : "II*\0").utf8) + word(8)
        bytes += directory(first, at: 8)
        if !exposure.isEmpty { bytes += directory(exposure, at: exposureStart) }
        if !position.isEmpty { bytes += directory(position, at: positionStart) }
        return bytes
    }

    private static func length(of entries: [Entry]) -> Int {
        entries.reduce(2 + 4) { $0 + 12 + ($1.value.count > 4 ? ($1.value.count + 1) / 2 * 2 : 0) }
    }

    private func directory(_ entries: [Entry], at start: Int) -> [UInt8] {
        var table = half(entries.count)
        var values: [UInt8] = []
        let valuesStart = start + 2 + 12 * entries.count + 4
        for entry in entries.sorted(by: { $0.tag < $1.tag }) {
            table += half(Int(entry.tag)) + half(Int(entry.type)) + word(entry.count)
            if entry.value.count <= 4 {
                table += entry.value + repeatElement(0, count: 4 - entry.value.count)
            } else {
                table += word(valuesStart + values.count)
                values += entry.value + repeatElement(0, count: entry.value.count % 2)
            }
        }
        return table + word(0) + values
    }

    private func pointer(_ tag: UInt16, to offset: Int) -> Entry {
        Entry(tag: tag, type: 4, count: 1, value: word(offset))
    }

    private func half(_ value: Int) -> [UInt8] { ordered(UInt16(truncatingIfNeeded: value)) }

    private func word(_ value: Int) -> [UInt8] { ordered(UInt32(truncatingIfNeeded: value)) }

    private func ordered(_ value: some FixedWidthInteger) -> [UInt8] {
        var bytes: [UInt8] = []
        value.appendBigEndian(to: &bytes)
        return isBigEndian ? bytes : bytes.reversed()
    }
}
