// SPDX-License-Identifier: Apache-2.0

import MingleModel

/// The payloads that are missing, and who was asked for each.
struct PayloadQueue: Sendable {
    /// One missing payload.
    struct Want: Sendable {
        let length: Int
        /// The peers that were asked in their sessions.
        var asked: [PeerID] = []
        /// The peer in whose queue it stands, or that is to answer.
        var assigned: PeerID?
        /// The devices that have let go of it for good.
        var evictors: [DeviceName] = []
        /// Whether the shell is merging it.
        var isMerging = false
    }

    /// What is missing.
    var wants = OrderedTable<Reference, Want>()
    /// What came and could not be stored, and when it is asked for again.
    var unstored: Set<Reference> = []
    var resumesAt = Duration.zero
}
