// SPDX-License-Identifier: Apache-2.0

extension API {
    /// What is wanted and nobody who is connected holds.
    package struct Shortage: Codable, Sendable {
        package var payloads: Int
        package var blobs: Int
        /// How many of both a relay has let go of for good.
        package var evicted: Int
    }

    /// How a relay is.
    package struct Relay: Codable, Sendable {
        package var policy: Policy
        package var connections: Int
        package var events: [RelayedEvent]

        /// What the relay holds at most; none: without a limit.
        package struct Policy: Codable, Sendable {
            package var blobBytes: Int?
            package var eventBytes: Int?
            package var authorBytes: Int?
            package var authorHourly: Int?
            package var days: Int?
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
    }
}
