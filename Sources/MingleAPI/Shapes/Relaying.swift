// SPDX-License-Identifier: Apache-2.0

extension API {
    /// What is wanted and nobody who is connected holds.
    package struct Shortage: Codable, Sendable {
        package var payloads: Int
        package var blobs: Int
        /// How many of both a relay has let go of for good.
        package var evicted: Int

        package init(payloads: Int, blobs: Int, evicted: Int) {
            (self.payloads, self.blobs, self.evicted) = (payloads, blobs, evicted)
        }
    }

    /// How a relay is.
    package struct Relay: Codable, Sendable {
        package var policy: Policy
        package var connections: Int
        package var events: [RelayedEvent]

        package init(policy: Policy, connections: Int, events: [RelayedEvent]) {
            (self.policy, self.connections, self.events) = (policy, connections, events)
        }

        /// What the relay holds at most; none: without a limit.
        package struct Policy: Codable, Sendable {
            package var blobBytes: Int?
            package var eventBytes: Int?
            package var authorBytes: Int?
            package var authorHourly: Int?
            package var days: Int?

            package init(
                blobBytes: Int? = nil,
                eventBytes: Int? = nil,
                authorBytes: Int? = nil,
                authorHourly: Int? = nil,
                days: Int? = nil
            ) {
                (self.blobBytes, self.eventBytes, self.authorBytes, self.authorHourly) = (
                    blobBytes, eventBytes, authorBytes, authorHourly
                )
                self.days = days
            }
        }
    }

    /// An event that a relay carries, of which it can read nothing.
    package struct RelayedEvent: Codable, Sendable {
        package var id: String
        /// `relaying`, `waiting` to be let in, `removed`, or `wrong_link` if the link was not for relays.
        package var state: String
        package var people: Int
        package var peers: Int
        package var deltas: Int
        package var blobs: Int
        package var blobBytes: Int
        package var blobsWaiting: Int
        package var bytesWaiting: Int
        /// What the policy let go of.
        package var evictedPayloads: Int
        package var evictedBlobs: Int
        package var shortage: Shortage

        package init(
            id: String,
            state: String,
            people: Int,
            peers: Int,
            deltas: Int,
            blobs: Int,
            blobBytes: Int,
            blobsWaiting: Int,
            bytesWaiting: Int,
            evictedPayloads: Int,
            evictedBlobs: Int,
            shortage: Shortage
        ) {
            (self.id, self.state, self.people, self.peers) = (id, state, people, peers)
            (self.deltas, self.blobs, self.blobBytes, self.blobsWaiting) = (deltas, blobs, blobBytes, blobsWaiting)
            (self.bytesWaiting, self.evictedPayloads, self.evictedBlobs, self.shortage) = (
                bytesWaiting, evictedPayloads, evictedBlobs, shortage
            )
        }
    }
}
