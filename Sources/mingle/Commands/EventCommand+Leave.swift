// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleAPI
import MingleClient
import MingleModel
import MingleNode
import NIOHTTP1

extension EventCommand {
    /// Leaves an event.
    struct Leave: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Leave an event and delete this node's copy of it. What you shared stays with the others.",
            discussion: """
                Other nodes are told that you left. If none can be reached, this node keeps trying for seven days, and \
                keeps the data that it needs for this. You leave with all your devices. To come back, use an \
                invitation that is still open; you are then a new person.
                """
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "Id of the event.", completion: Offers.events) var id: String
        @Option(help: "The event's title, to confirm. Its id if it has no title or cannot be opened.")
        var confirm: String?
        @Flag(help: "First delete everything you shared, on every node.") var erase = false
        @Flag(help: "Leave even if nobody who can appoint hosts remains.") var force = false
        @Flag(help: "Delete this node's copy at once and tell nobody. Others still see you as a member.")
        var now = false

        func run() async throws {
            let id = try await options.event(id)
            // An event that is being left is in no list and needs no confirmation. Titles are compared as shown.
            if let title = try await title(of: id), confirm?.visible != title.visible {
                if confirm == nil, Confirmation.canAsk {
                    try Confirmation.ask("Leave \(title), and delete this node's copy?")
                } else {
                    throw unconfirmed(title)
                }
            }
            let manner = ["now": now, "erase": erase, "force": force].mapValues { $0 ? "true" : nil }
            let farewell: API.Farewell = try await options.client.send(.DELETE, Query.path("events/\(id)", manner))
            try options.show(farewell) { Self.text($0) }
        }

        private func unconfirmed(_ title: String) -> ValidationError {
            ValidationError(
                "Leaving deletes this node's copy of \(title.onTerminal()). "
                    + "To confirm, add --confirm \(title.onTerminal().shellQuoted)"
            )
        }

        /// The event's title; its id if it has no title or could not be opened; nil if it is in no list.
        private func title(of id: String) async throws -> String? {
            let status: API.Status = try await options.client.get("status")
            if let event = status.events.first(where: { $0.id == id }) {
                return event.title == API.Event.untitled ? id : event.title
            }
            return status.unopened.contains(id) ? id : nil
        }

        private static func text(_ farewell: API.Farewell) -> String {
            "\(outcome(of: farewell)) \(farewell.detail ?? "")".trimmingCharacters(in: .whitespaces)
        }

        private static func outcome(of farewell: API.Farewell) -> String {
            let called = API.Event.called(farewell.title)
            switch farewell.state {
            case .told: return "Left \(called). The others know, and this node's copy is deleted."
            case .forgotten: return "Left \(called). This node's copy is deleted. Nobody was told."
            // The node's `detail` says the rest.
            case .leaving where farewell.told > 0: return "Left \(called)."
            case .leaving:
                let until = farewell.until.map { " It stops trying at \(When.text($0))." } ?? ""
                return
                    "Left \(called). The others do not know yet. Keep the node running until one of them has what you "
                    + "shared; then this node's copy is deleted.\(until) "
                    + "To delete it now: mingle event leave \(farewell.id) --now"
            }
        }
    }
}
