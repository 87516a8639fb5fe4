// SPDX-License-Identifier: Apache-2.0

/// A place on the globe, to a ten-thousandth of a second of arc: three millimetres.
package struct Coordinates: Hashable, Sendable {
    /// Degrees north of the equator, -90 to 90.
    package let latitude: Double
    /// Degrees east of Greenwich, -180 to 180.
    package let longitude: Double

    /// Steps of an angle in a degree.
    static let stepsPerDegree = 36_000_000

    /// Rounds a place so that writing and reading it again changes nothing.
    ///
    /// - Returns: nil for what is no place on the globe, and for 0, 0: phones write that for a place that they
    /// withhold.
    init?(latitude: Double, longitude: Double) {
        guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
        let (north, east) = (Self.steps(latitude), Self.steps(longitude))
        guard north != 0 || east != 0 else { return nil }
        self.latitude = Double(north) / Double(Self.stepsPerDegree)
        self.longitude = Double(east) / Double(Self.stepsPerDegree)
    }

    /// An angle in steps.
    static func steps(_ degrees: Double) -> Int { Int((degrees * Double(stepsPerDegree)).rounded()) }
}

extension Coordinates {
    /// One of the two angles that make a place.
    enum Axis {
        case latitude, longitude

        /// How the reference of positive and of negative angles may be written, in capitals.
        private var words: (positive: [String], negative: [String]) {
            switch self {
            case .latitude: (["N", "NORTH"], ["S", "SOUTH"])
            case .longitude: (["E", "EAST"], ["W", "WEST"])
            }
        }

        private var limit: Double { self == .latitude ? 90 : 180 }

        /// The letter of an angle.
        func letter(of degrees: Double) -> String {
            let words = words
            return degrees < 0 ? words.negative[0] : words.positive[0]
        }

        /// Makes an angle of degrees, minutes and seconds, of which the later ones may be missing.
        ///
        /// - Parameters:
        ///   - parts: The numbers; nil for one that divides by zero, as cameras write what they leave out.
        ///   - reference: Which half of the globe it is in, as a letter or a word.
        /// - Returns: Signed degrees; nil where the angle or its half cannot be told.
        func angle(_ parts: [Double?], reference: String?) -> Double? {
            guard (1...3).contains(parts.count), let degrees = parts[0] else { return nil }
            let rest = parts.dropFirst().map { $0 ?? 0 }
            guard rest.allSatisfy({ (0...60).contains($0) }) else { return nil }
            let size = abs(degrees) + (rest.first ?? 0) / 60 + (rest.dropFirst().first ?? 0) / 3600
            guard size <= limit, let sign = sign(isNegative: degrees < 0, reference) else { return nil }
            return sign * size
        }

        private func sign(isNegative: Bool, _ reference: String?) -> Double? {
            let word = (reference ?? "").uppercased()
            if words.negative.contains(word) { return -1 }
            if words.positive.contains(word) { return isNegative ? nil : 1 }
            // A sign says what a missing reference does not.
            return word.isEmpty && isNegative ? -1 : nil
        }
    }
}
