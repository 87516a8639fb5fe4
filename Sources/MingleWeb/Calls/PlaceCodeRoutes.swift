// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import MingleAPI
import MingleEvent
import MingleModel

/// The code of a place, to hang up there: who scans it opens the place's page.
struct PlaceCodeRoutes {
    let parts: Parts
    /// The door beside this node, by which phones reach the page; nil where this node opens none.
    let door: HostedDoor?

    func add(to calls: CallRouter) {
        let code = API.Call(
            "GET",
            "places/:id/code.svg",
            "Draws the QR code of a place's page.",
            details: "Its address is that of the door beside this node, or else the one by which it was asked.",
            answer: .bytes(["image/svg+xml"])
        )
        calls.on(code) { request, context in
            let id = try context.record
            _ = try parts.service(request, context).record(id, of: .place)
            // The page of a door takes what stands behind the sign to its place.
            if let address = await door?.own?.addresses.first {
                return try Response.code(of: "\(address)#/places/\(id)")
            }
            return try Response.code(of: "http://\(request.head.authority ?? "")/places/\(id)#code")
        }
    }
}
