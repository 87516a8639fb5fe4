// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleNode
import NodeTestSupport

/// Four nodes of one process that all know each other, and an open moment.
struct PrivateParty {
    let founder: Node
    let bob: Node
    let carl: Node
    let dora: Node
    let open: String

    /// Waits until some nodes have heard of everything that Bob said so far: of a public comment that he says last.
    func wait(_ readers: [Node], for text: String) async throws {
        _ = try bob.comment(on: open, text: text, event: nil)
        for reader in readers {
            try await eventually("it hears of all", at: reader) { try reader.texts(on: open).contains(text) }
        }
    }
}

/// Lends a party to `body`.
func withParty(_ body: (PrivateParty) async throws -> Void) async throws {
    try await withTemporaryFolder { folder in
        try await withNode(folder + "/founder") { founder in
            _ = try await founder.createEvent(title: "Party")
            let open = try founder.makeMoment("Dinner").id
            let links = try (0..<3).map { _ in try founder.invite(as: "attendee", expires: nil, uses: nil, in: nil).link
            }
            try await withGuests(["bob", "carl", "dora"], in: folder, by: links, at: founder) { guests in
                for guest in guests {
                    try await eventually("all are known", at: guest) { try guest.people(event: nil).people.count == 4 }
                }
                try await body(
                    PrivateParty(founder: founder, bob: guests[0], carl: guests[1], dora: guests[2], open: open)
                )
            }
        }
    }
}
