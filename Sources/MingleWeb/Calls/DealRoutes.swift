// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import MingleAPI
import MingleEvent
import MingleModel

/// Deals; what else is done with them follows from their declaration.
struct DealRoutes {
    let parts: Parts

    func add(to calls: CallRouter) {
        let list = API.Call(
            "GET",
            Kind.deal.plural,
            "Lists deals, those that end first standing first.",
            details:
                "Without a `state` or a `list` these are the deals that can be used now. Nobody but its author sees a "
                + "deal that has not begun.",
            parameters: [
                API.Parameter("target", .text(limit: 64), "Only those of the place of this id."),
                API.Parameter("q", .text(limit: 200), "Only those with these words."),
                API.Parameter("near", .text(limit: 60), "LATITUDE,LONGITUDE: only those of places near it."),
                API.Parameter("radius_m", .number(1...1_000_000), "How far `near` reaches; without it 5000."),
                API.Parameter("state", .word(DealState.allCases.map(\.rawValue)), "Where they stand in time."),
                API.Parameter("list", .word(DealList.allCases.map(\.rawValue)), "Only those of a list of one's own."),
                API.Parameter("limit", .integer(1...500), "How many at most; without it 50."),
            ],
            answer: .json(Kind.deal.listSchema)
        )
        calls.on(list) { request, context in
            let query = try ListQuery(.deal, request.parameters).deals()
            return try Response.json(parts.service(request, context).deals(query))
        }
        calls.on(Kind.deal.described(.show)) { request, context in
            try Response.json(parts.service(request, context).deal(context.record))
        }
    }
}
