// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleNode

/// What `mingle status` says of a relay, and of what is wanted in vain.
enum RelayReport {
    /// How a relay is, for its operator.
    static func text(_ relay: API.Relay, _ status: API.Status) -> String {
        let head =
            relay.events.isEmpty
            ? "This relay carries no event yet. A host makes a link for it: mingle invite --level relay"
            : "Relay: \(relay.connections.counted("connection")), \(relay.events.count.counted("event"))"
        let events = relay.events.map { event in
            [
                event.id.prefix(8) + "…", word(event.state),
                event.people.counted("person", "people"), "\(event.peers) here",
                event.deltas.counted("record"), event.blobs.counted("picture"), "\(event.blobBytes >> 20) MiB",
                event.blobsWaiting > 0 ? "\(event.blobsWaiting) on the way" : "",
                event.evictedPayloads + event.evictedBlobs > 0
                    ? "\(event.evictedPayloads + event.evictedBlobs) let go of" : "",
                event.shortage.payloads + event.shortage.blobs > 0
                    ? "\(event.shortage.payloads + event.shortage.blobs) that nobody here has" : "",
            ]
        }
        let rows = [
            ["discovery", status.discovery.state], ["free", "\(status.disk.freeBytes >> 20) MiB"],
            ["version", status.version],
        ]
        return ([head] + status.warnings.map { "! \($0)" } + [Table.text(events), Table.text(rows)])
            .filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// A row about what is wanted and nobody who is connected has; none if there is nothing.
    static func shortage(_ shortage: API.Shortage) -> [[String]] {
        guard shortage.payloads + shortage.blobs > 0 else { return [] }
        let evicted = shortage.evicted > 0 ? ", of which a relay let \(shortage.evicted) go" : ""
        return [
            ["missing", "\(shortage.payloads) records and \(shortage.blobs) pictures that nobody here has\(evicted)"]
        ]
    }

    private static func word(_ state: String) -> String {
        [
            "waiting": "waits to be let in", "declined": "was not let in", "removed": "was removed",
            "wrong_link": "came by a link for people",
        ][state]
            ?? state
    }
}
