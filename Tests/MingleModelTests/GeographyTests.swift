// SPDX-License-Identifier: Apache-2.0

import MingleModel
import TestSupport
import Testing

struct GeographyTests {
    /// A way of which the length is known, on a ball of 6 371 km.
    struct Way: Sendable {
        let from: (latitude: Double, longitude: Double)
        let to: (latitude: Double, longitude: Double)
        let metres: Double
        let tolerance: Double
    }

    static let oneDegree = 111_194.926_6

    static let ways: [Way] = [
        Way(from: (0, 0), to: (1, 0), metres: oneDegree, tolerance: 0.01),
        Way(from: (0, 0), to: (0, 1), metres: oneDegree, tolerance: 0.01),
        Way(from: (60, 10), to: (60, 11), metres: 55_595.5, tolerance: 2),
        Way(from: (52.52, 13.405), to: (48.8566, 2.3522), metres: 877_460, tolerance: 500),
        Way(from: (40.4168, -3.7038), to: (-34.6037, -58.3816), metres: 10_040_000, tolerance: 20_000),
        // Around the corner at the date line, not around the Earth.
        Way(from: (0, 179.9995), to: (0, -179.9995), metres: oneDegree / 1000, tolerance: 0.001),
        Way(from: (90, 0), to: (-90, 0), metres: oneDegree * 180, tolerance: 1),
        Way(from: (0, 0), to: (0, 180), metres: oneDegree * 180, tolerance: 1),
        // Every longitude meets at a pole.
        Way(from: (90, 0), to: (90, 137), metres: 0, tolerance: 0.001),
        // One part of a degree, the smallest step that positions have.
        Way(from: (48, 9), to: (48.000_000_1, 9), metres: 0.011_119, tolerance: 0.000_01),
    ]

    @Test(arguments: ways)
    func `known ways have their length`(way: Way) {
        #expect(abs(Geography.metres(from: way.from, to: way.to) - way.metres) <= way.tolerance)
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `a way is as long back as forth, and nowhere longer than half around`(seed: UInt64) {
        var numbers = SplitMix(seed: seed)
        let places = (0..<3).map { _ in
            (
                latitude: Double.random(in: -90...90, using: &numbers),
                longitude: Double.random(in: -180...180, using: &numbers)
            )
        }
        let direct = Geography.metres(from: places[0], to: places[1])
        #expect(abs(direct - Geography.metres(from: places[1], to: places[0])) < 0.001)
        #expect(direct > 0 && direct <= Self.oneDegree * 180 + 1)
        #expect(Geography.metres(from: places[0], to: places[0]) == 0)
        let detour =
            Geography.metres(from: places[0], to: places[2]) + Geography.metres(from: places[2], to: places[1])
        #expect(direct <= detour + 0.001)
    }
}
