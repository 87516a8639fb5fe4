// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleModel

/// What a site plan needs so that a map can draw it.
enum SitePlanRules {
    /// Members that say where one point of the picture lies.
    private static let parts = ["x", "y", "latitude", "longitude"]

    /// Refuses a picture without two different points, and an outline that is no GeoJSON.
    ///
    /// - Parameter hasPicture: Whether a picture is there or comes with the values.
    static func require(_ values: [String: Value], hasPicture: Bool) throws {
        if hasPicture { try requirePoints(values) }
        guard case .text(let outline)? = values["outline"] else { return }
        try GeoJSONOutline.require(outline)
    }

    private static func requirePoints(_ values: [String: Value]) throws {
        let (a, b) = (try point("a", values), try point("b", values))
        guard a.picture != b.picture else {
            throw API.Problem(.badRequest, "The two points are one in the picture. Choose two that lie far apart.")
        }
        guard a.ground != b.ground else {
            throw API.Problem(
                .badRequest,
                "The two points have one position on the ground. Choose two that lie far apart."
            )
        }
    }

    private static func point(_ name: String, _ values: [String: Value]) throws -> (picture: [Int64], ground: [Int64]) {
        let numbers = try parts.map { part in
            guard case .number(let number)? = values["\(name)_\(part)"] else {
                throw API.Problem(
                    .badRequest,
                    "`\(name)_\(part)` is missing: a picture needs two points with x, y, latitude and longitude."
                )
            }
            return number
        }
        return (Array(numbers.prefix(2)), Array(numbers.suffix(2)))
    }
}
