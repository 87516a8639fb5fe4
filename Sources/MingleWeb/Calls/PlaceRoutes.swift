// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import MingleAPI
import MingleEvent
import MingleNode

/// Finding places by what they are called, what they are and where they are.
struct PlaceRoutes {
    let parts: Parts

    func add(to calls: CallRouter) {
        calls.on(API.FoundPlaces.call) { request, context in
            try Response.json(parts.service(request, context).findPlaces(request.parameters))
        }
        calls.on(
            .get,
            "places/suggest",
            "Suggests categories and places while somebody types, 8 at most.",
            API.Parameter("q", .text(limit: 200), "What is typed, from two characters on.", isRequired: true),
            API.Parameter("near", .text(limit: 60), "LATITUDE,LONGITUDE: of places that fit alike the nearest first.")
        ) { request, context in
            let service = try parts.service(request, context)
            return try service.suggestPlaces(request.query("q") ?? "", near: request.query("near"))
        }
    }
}
