// SPDX-License-Identifier: Apache-2.0

extension ExifData {
    /// How the stored pixels are to be turned, 1 to 8; 1 is upright.
    var orientation: Int {
        guard let value = number(0x0112, in: picture), (1...8).contains(value) else { return 1 }
        return value
    }

    /// Where the picture was taken; nil where it does not say, or not clearly.
    var coordinates: Coordinates? {
        guard let latitude = angle(2, reference: 1, .latitude), let longitude = angle(4, reference: 3, .longitude)
        else { return nil }
        return Coordinates(latitude: latitude, longitude: longitude)
    }

    private func angle(_ tag: UInt16, reference: UInt16, _ axis: Coordinates.Axis) -> Double? {
        // A reference that is no text is none, and a sign must not stand in for it.
        let isOdd = position.contains { $0.tag == reference } && text(reference, in: position) == nil
        guard let parts = numbers(tag, in: position), !isOdd else { return nil }
        return axis.angle(parts, reference: text(reference, in: position))
    }

    /// When the picture was taken; if that is missing, when it was digitized, and then when it was changed last.
    var taken: CaptureTime? {
        let original = (text(0x9003, in: exposure), text(0x9291, in: exposure), text(0x9011, in: exposure))
        let digitized = (text(0x9004, in: exposure), text(0x9292, in: exposure), text(0x9012, in: exposure))
        let changed = (text(0x0132, in: picture), text(0x9290, in: exposure), text(0x9010, in: exposure))
        for (time, fraction, offset) in [original, digitized, changed] {
            guard let time else { continue }
            let taken = CaptureTime(time, fraction: fraction, offset: offset ?? text(0x9010, in: exposure))
            if let taken { return taken }
        }
        return nil
    }
}
