// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import MingleAPI
import MingleEvent

/// Connections of this node's person with others.
struct ConnectionRoutes {
    let parts: Parts

    func add(to calls: CallRouter) {
        calls.on(.get, "connections", "Lists this person's connections and requests.") { request, context in
            try parts.service(request, context).connections()
        }
        calls.on(.put, "connections/:id", "Asks a person to connect, or says yes.") { request, context in
            let person = try context.person
            return try await parts.write(request, context) { try $0.connect(person, true) }
        }
        calls.on(.delete, "connections/:id", "Takes a request back, declines one, or ends a connection.") {
            request,
            context in
            let person = try context.person
            return try await parts.write(request, context) { try $0.connect(person, false) }
        }
    }
}
