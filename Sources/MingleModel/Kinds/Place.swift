// SPDX-License-Identifier: Apache-2.0

/// Numbers that places and positions share.
package enum Position {
    /// Positions are whole numbers of this many parts of a degree, about a centimetre.
    package static let partsPerDegree = 10_000_000.0
    /// Latitudes, in those parts.
    package static let latitudes: ClosedRange<Int64> = -900_000_000...900_000_000
    /// Longitudes, in those parts.
    package static let longitudes: ClosedRange<Int64> = -1_800_000_000...1_800_000_000
    /// Radiuses and accuracies, in metres.
    package static let metres: ClosedRange<Int64> = 0...1_000_000
}

extension Kind {
    /// A place where things happen.
    package static let place = Kind(
        4,
        "place",
        fields: [
            Field(1, "name", .text(limit: 200), required: true),
            Field(2, "latitude", .number(Position.latitudes), required: true),
            Field(3, "longitude", .number(Position.longitudes), required: true),
            Field(4, "radius", .number(Position.metres), required: true),
        ]
    )
}
