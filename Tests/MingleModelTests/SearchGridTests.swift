// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import MingleModel

/// Cells of positions, and the ranges of cells that a search takes.
struct SearchGridTests {
    /// Positions everywhere, many of them at the poles, at the date line and at the edges of cells.
    private func position(_ numbers: inout SplitMix) throws -> GridPosition {
        let latitudes: [Int64] = [-900_000_000, -899_999_000, -100_000, 0, 523_456_789, 899_950_000, 900_000_000]
        let longitudes: [Int64] = [-1_800_000_000, -1_799_999_999, -1, 0, 134_100_000, 1_799_999_999, 1_800_000_000]
        let (latitude, longitude) = (numbers.pick(latitudes), numbers.pick(longitudes))
        return try #require(
            GridPosition(
                latitude: numbers.chance(50)
                    ? latitude : Int64.random(in: Position.latitudes, using: &numbers),
                longitude: numbers.chance(50)
                    ? longitude : Int64.random(in: Position.longitudes, using: &numbers)
            )
        )
    }

    /// A position so many parts of a degree away at most, round the date line if need be.
    private func near(_ position: GridPosition, _ parts: Int64, _ numbers: inout SplitMix) throws -> GridPosition {
        let latitude = position.latitude + Int64.random(in: -parts...parts, using: &numbers)
        let turn = GridPosition.turn(position.longitude) + Int64.random(in: -parts...parts, using: &numbers)
        let circle = GridPosition.circle
        return try #require(
            GridPosition(
                latitude: min(max(latitude, Position.latitudes.lowerBound), Position.latitudes.upperBound),
                longitude: (turn + circle) % circle + Position.longitudes.lowerBound
            )
        )
    }

    private func expectInOrder(_ ranges: [ClosedRange<Int64>]) {
        #expect(1...GridCell.rangeLimit ~= ranges.count)
        #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound + 1 < $1.lowerBound })
        #expect(ranges.allSatisfy { GridCell.all.contains($0.lowerBound) && GridCell.all.contains($0.upperBound) })
    }

    @Test(arguments: LawSeeds.first(10))
    func `no position within a radius is missed, at the poles and the date line too`(seed: UInt64) throws {
        var numbers = SplitMix(seed: seed)
        for _ in 0..<50 {
            let center = try position(&numbers)
            let metres = numbers.pick([0, 1, 50, 1_000, 30_000, 500_000, 9_000_000, 20_016_000, 3e7])
            let circle = try #require(GridCircle(center: center, metres: metres))
            let ranges = GridCell.ranges(within: circle)
            expectInOrder(ranges)
            for _ in 0..<30 {
                let parts = Int64(min(metres, 2e7) * 100) + 10
                let other = numbers.chance(20) ? try position(&numbers) : try near(center, parts, &numbers)
                guard circle.contains(other) else { continue }
                let cell = GridCell.number(other)
                // `#expect` itself would take most of the time.
                if circle.bounds.contains(other), ranges.contains(where: { $0 ~= cell }) { continue }
                Issue.record("\(circle) \(other)")
            }
        }
    }

    @Test(arguments: LawSeeds.first(10))
    func `no position in a rectangle is missed, across the date line too`(seed: UInt64) throws {
        var numbers = SplitMix(seed: seed)
        for _ in 0..<50 {
            let corner = try position(&numbers)
            let size = numbers.pick([0, 1_000, 300_000, 5_000_000, 1_000_000_000] as [Int64])
            let other = try near(corner, size, &numbers)
            let (south, north) = (min(corner.latitude, other.latitude), max(corner.latitude, other.latitude))
            let rectangle = try #require(
                GridRectangle(south: south, west: corner.longitude, north: north, east: other.longitude)
            )
            let ranges = GridCell.ranges(within: rectangle)
            expectInOrder(ranges)
            for _ in 0..<50 {
                let place = try near(numbers.chance(50) ? corner : other, size, &numbers)
                guard rectangle.contains(place) else { continue }
                let cell = GridCell.number(place)
                if !ranges.contains(where: { $0 ~= cell }) { Issue.record("\(rectangle) \(place)") }
            }
        }
    }

    /// South, west, north and east in degrees, a position, and whether it lies within.
    static let rectangles: [(edges: [Int64], place: (Int64, Int64), isWithin: Bool)] = [
        ([10, 170, 20, -170], (15, 180), true), ([10, 170, 20, -170], (15, -180), true),
        ([10, 170, 20, -170], (15, 0), false), ([10, 170, 20, -170], (9, 175), false),
        ([10, 170, 20, 180], (15, -180), true), ([10, -180, 20, -170], (15, 180), true),
        ([-90, -180, 90, 180], (90, 7), true), ([10, 180, 20, -180], (15, 180), true),
        ([10, 180, 20, -180], (15, 1), false), ([10, 20, 10, 20], (10, 20), true),
    ]

    @Test(arguments: rectangles)
    func `a rectangle has its edges and both sides of the date line`(
        edges: [Int64],
        place: (Int64, Int64),
        isWithin: Bool
    ) throws {
        let parts = edges.map { $0 * 10_000_000 }
        let rectangle = try #require(GridRectangle(south: parts[0], west: parts[1], north: parts[2], east: parts[3]))
        let position = try #require(
            GridPosition(latitudeDegrees: Double(place.0), longitudeDegrees: Double(place.1))
        )
        #expect(rectangle.contains(position) == isWithin)
        let ranges = GridCell.ranges(within: rectangle)
        if isWithin { #expect(ranges.contains { $0 ~= GridCell.number(position) }) }
    }

    @Test func `a small circle takes few cells, and numbers out of range make nothing`() throws {
        let center = try #require(GridPosition(latitudeDegrees: 52.52, longitudeDegrees: 13.405))
        let circle = try #require(GridCircle(center: center, metres: 1000))
        #expect(GridCell.ranges(within: circle).map(\.count).reduce(0, +) <= 20)
        #expect(GridPosition(latitudeDegrees: 90.1, longitudeDegrees: 0) == nil)
        #expect(GridPosition(latitudeDegrees: .nan, longitudeDegrees: 0) == nil)
        #expect(GridCircle(center: center, metres: -1) == nil)
        #expect(GridCircle(center: center, metres: .infinity) == nil)
        #expect(GridRectangle(south: 2, west: 0, north: 1, east: 0) == nil)
    }
}
