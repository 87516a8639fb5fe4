// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import MingleAPI
import MingleEvent

/// One search over everything.
struct SearchRoutes {
    /// Records of a group at most.
    private static let limit = 20

    let parts: Parts

    func add(to calls: CallRouter) {
        calls.on(
            .get,
            "search",
            "Finds people, moments, places and photos by words, the best of each.",
            API.Parameter("q", .text(limit: 200), "The words; `#word` finds what has this tag.", isRequired: true),
            API.Parameter("limit", .integer(1...Int64(Self.limit)), "How many of each at most; without it 5.")
        ) { request, context in
            let limit = try request.number("limit", in: 1...Self.limit, otherwise: EventService.usualHits)
            return try parts.service(request, context).search(request.query("q") ?? "", limit: limit)
        }
    }
}
