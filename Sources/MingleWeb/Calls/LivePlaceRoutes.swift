// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import MingleAPI
import MingleEvent
import MingleModel

/// Places by what people do there: the lists of one's own, where something goes on, and where one could go.
struct LivePlaceRoutes {
    private static let list = API.Parameter(
        "list",
        .word(["visited", "favourite", "rated"]),
        "Only those at which this person checked in, that are favourites or that this person rated, the latest first."
    )
    private static let near: [API.Parameter] = [
        API.Parameter("near", .text(limit: 60), "LATITUDE,LONGITUDE: only a place near it."),
        API.Parameter("radius_m", .number(1...1_000_000), "How far `near` reaches; without it 5000."),
    ]

    let parts: Parts

    func add(to calls: CallRouter) {
        let usual = Kind.place.described(.list)
        let list = API.Call(
            usual.method,
            usual.path,
            usual.summary,
            parameters: usual.parameters + [Self.list],
            answer: usual.answer
        )
        calls.on(list) { request, context in
            try Response.json(parts.service(request, context).places(ListQuery(.place, request.parameters)))
        }
        let trending = API.Call(
            "GET",
            "places/trending",
            "Lists the places at which most people do something now, the liveliest first.",
            parameters: [.limit],
            answer: .json(Kind.place.listSchema)
        )
        calls.on(trending) { request, context in
            try Response.json(parts.service(request, context).trending(limit: ListQuery.limit(request.parameters)))
        }
        let inspire = API.Call(
            "GET",
            "places/inspire",
            "Chooses a place that is open now or that somebody liked today.",
            parameters: Self.near + [
                API.Parameter("seed", .text(limit: 64), "What chooses; without it the time does.")
            ],
            answer: .json(Kind.place.recordSchema)
        )
        calls.on(inspire) { request, context in
            let service = try parts.service(request, context)
            let circle = try ListQuery(.place, request.parameters.filter { $0.key != "seed" }).circle()
            let seed = String((request.query("seed") ?? "\(service.now.milliseconds)").prefix(64))
            return try Response.json(service.inspiration(near: circle, seed: seed))
        }
    }
}
