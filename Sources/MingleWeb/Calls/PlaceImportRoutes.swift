// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import MingleAPI
import MingleEvent

/// Places of a file, many at a time.
struct PlaceImportRoutes {
    /// Bytes of a request.
    private static let bodyLimit = 8 << 20

    let parts: Parts

    func add(to calls: CallRouter) {
        let schema = API.Schema(of: API.PlaceImport.self)
        let call = API.Call(
            "POST",
            "places/import",
            "Makes or changes up to 500 places, all or none, for a host.",
            details:
                "A place is known again by its `source`, else by its name within 25 metres. What a known place does not "
                + "say here stays as it is. Categories are named; those that the event lacks are made. A place that the "
                + "event cannot have is left out, and `left_out` says why. With `dry_run` nothing is written.",
            body: .json(schema),
            answer: .json(API.Schema(of: API.PlaceImportOutcome.self))
        )
        calls.on(call) { request, context in
            let body = try await request.value(API.PlaceImport.self, as: schema, limit: Self.bodyLimit)
            return try Response.json(await parts.write(request, context) { try $0.importPlaces(body) })
        }
    }
}
