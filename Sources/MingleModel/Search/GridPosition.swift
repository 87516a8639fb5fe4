// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A position in whole parts of a degree.
package struct GridPosition: Hashable, Sendable {
    /// Parts of all degrees around.
    static let circle: Int64 = 3_600_000_000

    /// See ``Position/latitudes``.
    package let latitude: Int64
    /// See ``Position/longitudes``.
    package let longitude: Int64

    /// A position; nil if a number is out of range.
    package init?(latitude: Int64, longitude: Int64) {
        guard Position.latitudes.contains(latitude), Position.longitudes.contains(longitude) else { return nil }
        (self.latitude, self.longitude) = (latitude, longitude)
    }

    /// A position in degrees, rounded; nil if a number is out of range or not finite.
    package init?(latitudeDegrees latitude: Double, longitudeDegrees longitude: Double) {
        guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
        self.init(
            latitude: Int64((latitude * Position.partsPerDegree).rounded()),
            longitude: Int64((longitude * Position.partsPerDegree).rounded())
        )
    }

    /// Degrees north and east.
    package var degrees: (latitude: Double, longitude: Double) {
        (Double(latitude) / Position.partsPerDegree, Double(longitude) / Position.partsPerDegree)
    }

    /// Metres to another position, along a great circle.
    package func metres(to other: GridPosition) -> Double { Geography.metres(from: degrees, to: other.degrees) }

    /// Parts eastwards from the meridian of 180 degrees, which is 0 on both of its sides.
    static func turn(_ longitude: Int64) -> Int64 { (longitude - Position.longitudes.lowerBound) % circle }
}

/// What lies between two latitudes and, eastwards, from one longitude to another; its edges belong to it.
package struct GridRectangle: Hashable, Sendable {
    /// The lowest latitude.
    package let south: Int64
    /// The longitude at which it begins.
    package let west: Int64
    /// The highest latitude.
    package let north: Int64
    /// The longitude at which it ends: less than ``west`` across the date line.
    package let east: Int64

    /// A rectangle in parts of a degree; nil if a number is out of range or `south` is north of `north`.
    package init?(south: Int64, west: Int64, north: Int64, east: Int64) {
        guard Position.latitudes.contains(south), Position.latitudes.contains(north), south <= north,
            Position.longitudes.contains(west), Position.longitudes.contains(east)
        else { return nil }
        (self.south, self.west, self.north, self.east) = (south, west, north, east)
    }

    /// Whether a position lies in it.
    package func contains(_ position: GridPosition) -> Bool {
        guard south...north ~= position.latitude else { return false }
        if isAllAround { return true }
        let place = GridPosition.turn(position.longitude)
        let (west, east) = turns
        return west <= east ? west...east ~= place : place >= west || place <= east
    }

    /// Whether it has every longitude.
    var isAllAround: Bool { east - west == GridPosition.circle }

    /// The two longitudes, in parts eastwards from the meridian of 180 degrees.
    var turns: (west: Int64, east: Int64) { (GridPosition.turn(west), GridPosition.turn(east)) }
}

/// What lies within some metres of a position, along great circles.
package struct GridCircle: Hashable, Sendable {
    /// The position in the middle.
    package let center: GridPosition
    /// Metres; from half of the Earth's circumference on it has everything.
    package let metres: Double

    /// A circle; nil if the metres are negative or not finite.
    package init?(center: GridPosition, metres: Double) {
        guard metres >= 0, metres.isFinite else { return nil }
        (self.center, self.metres) = (center, metres)
    }

    /// Whether a position lies in it.
    package func contains(_ position: GridPosition) -> Bool { center.metres(to: position) <= metres }

    /// A rectangle with all of the circle; at a pole with every longitude.
    package var bounds: GridRectangle {
        // One metre more than the radius is more than rounding takes.
        let angle = (metres + 1) / Self.earthRadius
        let latitude = center.degrees.latitude * .pi / 180
        let (south, north) = (latitude - angle, latitude + angle)
        let meetsPole = south <= -.pi / 2 || north >= .pi / 2
        let half = meetsPole ? GridPosition.circle : Self.parts(asin(min(1, sin(angle) / cos(latitude)))) + 1
        return GridRectangle(
            south: -Self.parts(min(.pi / 2, -south)),
            north: Self.parts(min(.pi / 2, north)),
            around: center.longitude,
            half: half
        )
    }

    /// Parts of a degree of latitude for some metres; rounded up.
    fileprivate static func parts(ofMetres metres: Double) -> Int64 { parts(metres / earthRadius) }

    private static let earthRadius = Geography.metres(from: (90, 0), to: (-90, 0)) / .pi

    /// Parts of a degree for an angle, in radians; rounded up.
    private static func parts(_ angle: Double) -> Int64 {
        Int64((angle * 180 / .pi * Position.partsPerDegree).rounded(.up))
    }
}

extension GridRectangle {
    /// A square about a position, whose edges are so many metres apart; at a pole with every longitude.
    ///
    /// Its edges run along meridians and parallels, so its four corners belong to it.
    package init(about center: GridPosition, metres: Double) {
        let half = GridCircle.parts(ofMetres: metres / 2)
        let latitudes = Position.latitudes
        let width = cos(center.degrees.latitude * .pi / 180)
        let meetsPole = center.latitude - half <= latitudes.lowerBound || center.latitude + half >= latitudes.upperBound
        self.init(
            south: max(center.latitude - half, latitudes.lowerBound),
            north: min(center.latitude + half, latitudes.upperBound),
            around: center.longitude,
            half: meetsPole ? GridPosition.circle : Int64((Double(half) / width).rounded(.up))
        )
    }

    /// Between two latitudes, and so many parts to both sides of a longitude.
    fileprivate init(south: Int64, north: Int64, around longitude: Int64, half: Int64) {
        (self.south, self.north) = (south, north)
        let longitudes = Position.longitudes
        guard 2 * half < GridPosition.circle else {
            (west, east) = (longitudes.lowerBound, longitudes.upperBound)
            return
        }
        let (west, east) = (longitude - half, longitude + half)
        self.west = west < longitudes.lowerBound ? west + GridPosition.circle : west
        self.east = east > longitudes.upperBound ? east - GridPosition.circle : east
    }
}
