// SPDX-License-Identifier: Apache-2.0

import Foundation

extension API {
    /// An event on the network that is open to anyone, as nodes there say; nothing of it is proved before joining.
    package struct NearbyEvent: Codable, Sendable, Hashable {
        package var id: String
        package var title: String
        /// How many nodes say so.
        package var nodes: Int
        package var link: String

        package init(id: String, title: String, nodes: Int, link: String) {
            (self.id, self.title, self.nodes, self.link) = (id, title, nodes, link)
        }

        /// Whether somebody means this one: by its title, whatever the capitals, or by how its id begins.
        func isMeant(by word: String) -> Bool {
            let isCalledThat = title.compare(word, options: .caseInsensitive) == .orderedSame
            return isCalledThat || word.count >= 4 && id.hasPrefix(word.lowercased())
        }
    }
}

extension API.Envelope {
    /// What is open to anyone on this network.
    package struct Nearby: Codable, Sendable {
        package var nearby: [API.NearbyEvent]
        /// Whether it can be looked for.
        package var discovery: API.Status.Discovery

        package init(nearby: [API.NearbyEvent], discovery: API.Status.Discovery) {
            (self.nearby, self.discovery) = (nearby, discovery)
        }

        /// How an event's id begins, as far as it takes to tell it from the others.
        package func shortID(of event: API.NearbyEvent) -> String {
            let others = nearby.map(\.id).filter { $0 != event.id }
            let length = (8..<max(8, event.id.count)).first { length in
                !others.contains { $0.hasPrefix(event.id.prefix(length)) }
            }
            return String(event.id.prefix(length ?? event.id.count))
        }

        /// Throws `unavailable`, with the reason, where nobody can be looked for.
        package func requireDiscovery() throws {
            guard discovery.state != "running" else { return }
            let isSwitchedOff = discovery.detail == "switched off"
            let reason =
                isSwitchedOff ? "It was started with --no-discovery. Start it without that option." : discovery.detail
            throw API.Problem(.unavailable, "This node cannot look for events nearby. \(reason)")
        }

        /// The event that somebody means.
        ///
        /// - Throws: `API.Problem`: `notFound` where there is none, `unavailable` where nobody can be looked for, `conflict` where there
        ///   are several.
        package func event(_ word: String) throws -> API.NearbyEvent {
            let meant = nearby.filter { $0.isMeant(by: word) }
            guard let first = meant.first else {
                try requireDiscovery()
                throw API.Problem(
                    .notFound,
                    "No event called '\(word.prefix(60))' is open to anyone on this network. List the open ones: mingle event nearby."
                )
            }
            guard meant.count == 1 else {
                let ids = meant.map { shortID(of: $0) }
                throw API.Problem(
                    .conflict,
                    "Several events have that name: \(ids.joined(separator: ", ")). Choose one by its id: mingle join --nearby "
                        + shortID(of: first)
                )
            }
            return first
        }
    }
}
