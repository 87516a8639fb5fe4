// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleModel
import MingleReplica

/// What a place needs so that people find it.
extension EventService {
    /// Refuses a place without a category in an event that has some; a fourth one is refused as a value.
    func requireCategories(_ values: [String: Value]) throws {
        guard values["categories"] ?? .cleared == .cleared else { return }
        var query = RecordQuery()
        query.limit = 1
        guard try !replica.records(of: .category, query).items.isEmpty else { return }
        throw API.Problem(
            .badRequest,
            "A place of this event needs 1 to 3 `categories`, by which people find it. GET categories lists them."
        )
    }
}
