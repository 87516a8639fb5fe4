// SPDX-License-Identifier: Apache-2.0

import MingleModel

/// The payloads that are missing, and who was asked for each.
struct PayloadQueue: Sendable {
    /// One missing payload.
    struct Want: Sendable {
        /// How a peer stands to it in its session, once it was its turn.
        struct Turn: Sendable {
            /// What the peer has said.
            enum Word: Sendable {
                /// Nothing yet: it was asked, or is to be asked next.
                case none
                /// That it does not hold it.
                case absent
                /// That it may have come to hold it since.
                case came
            }

            /// How often it was asked.
            var count = 1
            var word = Word.none
        }

        let length: Int
        /// The peers whose turn came.
        var asked: [PeerID: Turn] = [:]
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
