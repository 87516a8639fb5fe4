// SPDX-License-Identifier: Apache-2.0

package import MingleSync

/// Whether a peer holds the same as this node, as far as it has told.
package struct Accord: Sendable {
    /// Whether it has told to hold what this node holds, since ``forget()``.
    package private(set) var isInSync = false
    /// Whether it has told of something since that this node lacks.
    private var tellsOfMore = false

    /// Begins with a peer that has told nothing.
    package init() {}

    /// Whether it holds nothing that this node lacks, either.
    package var holdsNoMore: Bool { isInSync && !tellsOfMore }

    /// Takes what the engine says of the peer.
    package mutating func note(_ state: PeerState) {
        switch state {
        case .inSync(.all): (isInSync, tellsOfMore) = (true, false)
        case .ahead: tellsOfMore = true
        case .caughtUp: tellsOfMore = false
        // Who holds the fabric alone holds nothing that people share, and says so of no more than that.
        case .inSync(.fabric), .welcomed: break
        case .admitted, .gaveUp, .withheldPayloads, .stalled: forget()
        }
    }

    /// Takes the peer to be out of sync until it tells anew.
    package mutating func forget() { isInSync = false }

    /// Whether all of some members hold no more than this node does, and one of them is no relay.
    package static func isReached(among members: [(accord: Accord, isRelay: Bool)]) -> Bool {
        members.allSatisfy(\.accord.holdsNoMore) && members.contains { !$0.isRelay }
    }
}

/// When all members were asked anew whether they hold no more.
///
/// One of them may have agreed long ago, and not told yet of what it has heard since: so before anything is deleted for
/// their word, all are asked once more.
package struct Reassurance: Sendable {
    /// How old the members' word may be.
    private static let validity = Duration.seconds(10)

    private var askedAt: Duration?

    /// Begins with nobody asked.
    package init() {}

    /// Whether they were asked not long ago, so that who agrees by now has agreed since.
    package func holds(at now: Duration) -> Bool { askedAt.map { now - $0 <= Self.validity } ?? false }

    /// Notes that they are asked now, as what they told before has been forgotten.
    package mutating func ask(at now: Duration) { askedAt = now }
}
