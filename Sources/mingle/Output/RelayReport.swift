// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleCommandLine
import MingleModel
import MingleNode

/// What `mingle status` prints for a relay, and about data that no connected node has.
enum RelayReport {
    /// The state of a relay, for its operator.
    static func text(_ relay: API.Relay, _ status: API.Status) -> String {
        let head =
            relay.events.isEmpty
            ? "This relay has no event yet. A host creates a link for it: mingle invite --level relay"
            : "Relay: \(relay.connections.counted("connection")), \(relay.events.count.counted("event"))"
        let events = relay.events.map { event in
            [
                event.id.prefix(8) + "…", word(event.state),
                event.people.counted("person", "people"), "\(event.peers) connected",
                event.deltas.counted("record"), event.blobs.counted("picture"), "\(event.blobBytes >> 20) MiB",
                event.blobsWaiting > 0 ? "\(event.blobsWaiting) waiting" : "",
                event.evictedPayloads + event.evictedBlobs > 0
                    ? "\(event.evictedPayloads + event.evictedBlobs) deleted by a limit" : "",
                event.shortage.payloads + event.shortage.blobs > 0
                    ? "\(event.shortage.payloads + event.shortage.blobs) that no connected node has" : "",
            ]
        }
        let rows =
            [["discovery", status.discovery.state], ["free", "\(status.disk.freeBytes >> 20) MiB"]]
            + backup(status) + [["version", status.version]]
        return ([head] + status.warnings.map { "! \($0)" } + [Table.text(events), Table.text(rows)])
            .filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// A row with the time of the last backup; no row if there was none.
    static func backup(_ status: API.Status) -> [[String]] {
        status.lastBackup.map { [["backup", $0.formatted(.iso8601)]] } ?? []
    }

    /// A row about data that no connected node has; no row if there is none.
    static func shortage(_ shortage: API.Shortage) -> [[String]] {
        guard shortage.payloads + shortage.blobs > 0 else { return [] }
        let evicted = shortage.evicted > 0 ? "; a relay deleted \(shortage.evicted) of them" : ""
        return [
            [
                "missing",
                "\(shortage.payloads.counted("record")) and \(shortage.blobs.counted("picture")) "
                    + "that no connected node has\(evicted)",
            ]
        ]
    }

    private static func word(_ state: String) -> String {
        [
            "waiting": "waiting for the host", "declined": "a host declined it", "removed": "a host removed it",
            "wrong_link": "the link is for people",
        ][state]
            ?? state
    }
}
