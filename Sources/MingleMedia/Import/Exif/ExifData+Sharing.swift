// SPDX-License-Identifier: Apache-2.0

import MingleModel

extension ExifData {
    /// Make and model; nothing that tells one camera from its twins.
    private static let sharedPictureTexts: Set<UInt16> = [0x010F, 0x0110]
    /// Make and model of the lens.
    private static let sharedExposureTexts: Set<UInt16> = [0xA433, 0xA434]
    /// Exposure, sensitivity, light, colour space, focal length, lens specification, scene.
    private static let sharedExposureNumbers: Set<UInt16> = [
        0x829A, 0x829D, 0x8822, 0x8827, 0x8830, 0x9201, 0x9202, 0x9203, 0x9204, 0x9205, 0x9207, 0x9208, 0x9209, 0x920A,
        0xA001, 0xA402, 0xA403, 0xA404, 0xA405, 0xA406, 0xA432,
    ]
    /// Height above the sea, and whether it is below.
    private static let heightTags: Set<UInt16> = [5, 6]
    /// Whole numbers and fractions.
    private static let numberTypes: Set<UInt16> = [1, 3, 4, 5, 9, 10]
    /// Numbers of a value: a lens specification has most.
    private static let numberLimit = 4
    /// Bytes of a shared text.
    private static let textLimit = 64

    /// What is shared: a new directory of facts that are known to be harmless, the time, and the place where it is
    /// given.
    ///
    /// Serial numbers, names, comments, thumbnails and makers' notes are left out because they are not named here.
    ///
    /// - Parameters:
    ///   - orientation: How the pixels are to be turned; 1 is not written.
    ///   - taken: When the picture was taken, from whatever source.
    ///   - coordinates: The place to share; nil for none, and then no height either.
    func shared(orientation: Int, taken: CaptureTime?, coordinates: Coordinates?) -> ExifData {
        var result = self
        result.picture = Self.texts(Self.sharedPictureTexts, from: picture)
        if orientation != 1 { result.picture.append(Entry(tag: 0x0112, type: 3, count: 1, value: half(orientation))) }
        result.exposure = Self.numbers(Self.sharedExposureNumbers, from: exposure)
        result.exposure += Self.texts(Self.sharedExposureTexts, from: exposure)
        if let taken {
            result.exposure.append(Self.text(0x9003, taken.text))
            if let offset = taken.offset { result.exposure.append(Self.text(0x9011, offset)) }
            if let fraction = taken.fraction { result.exposure.append(Self.text(0x9291, fraction)) }
        }
        result.position = []
        guard let coordinates else { return result }
        result.position = Self.numbers(Self.heightTags, from: position)
        result.position += angle(coordinates.latitude, .latitude, 1) + angle(coordinates.longitude, .longitude, 3)
        return result
    }

    /// An angle as its reference, and as degrees, minutes and seconds under the next tag.
    private func angle(_ degrees: Double, _ axis: Coordinates.Axis, _ tag: UInt16) -> [Entry] {
        let steps = abs(Coordinates.steps(degrees))
        let perMinute = Coordinates.stepsPerDegree / 60
        let parts = [
            (steps / Coordinates.stepsPerDegree, 1), (steps % Coordinates.stepsPerDegree / perMinute, 1),
            (steps % perMinute, perMinute / 60),
        ]
        let value = parts.flatMap { word($0.0) + word($0.1) }
        return [Self.text(tag, axis.letter(of: degrees)), Entry(tag: tag + 1, type: 5, count: 3, value: value)]
    }

    private static func text(_ tag: UInt16, _ text: String) -> Entry {
        Entry(tag: tag, type: 2, count: text.utf8.count + 1, value: Array(text.utf8) + [0])
    }

    /// The first entry of every wanted tag that is a short text.
    private static func texts(_ tags: Set<UInt16>, from entries: [Entry]) -> [Entry] {
        select(tags, from: entries).compactMap { entry in
            let value = entry.value.prefix { $0 != 0 }
            guard entry.type == 2, !value.isEmpty, value.count < textLimit,
                value.allSatisfy({ (0x20..<0x7F).contains($0) })
            else { return nil }
            return Entry(tag: entry.tag, type: 2, count: value.count + 1, value: value + [0])
        }
    }

    /// The first entry of every wanted tag that is a few numbers.
    private static func numbers(_ tags: Set<UInt16>, from entries: [Entry]) -> [Entry] {
        select(tags, from: entries).filter { numberTypes.contains($0.type) && (1...numberLimit).contains($0.count) }
    }

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
