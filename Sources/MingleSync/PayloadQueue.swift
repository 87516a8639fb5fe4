// SPDX-License-Identifier: Apache-2.0

import MingleModel

/// The payloads that are missing, and who was asked for each.
struct PayloadQueue: Sendable {
    /// One missing payload.
    struct Want: Sendable {
        /// What a peer has said in its session.
        enum Word: Sendable {
            /// Nothing yet: it was asked, or is to be asked in its turn.
            case none
            /// That it does not hold it.
            case absent
        }

        let length: Int
        /// The peers whose turn came, and what they have said since.
        var asked: [PeerID: Word] = [:]
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
