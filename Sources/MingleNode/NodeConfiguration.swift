// SPDX-License-Identifier: Apache-2.0

package import MingleDiscovery
package import MinglePeering
package import MingleReplica

/// Makes what finds others on the network: for a service type, within limits, with what a name belongs to, and a fresh name.
package typealias DiscoveryMaker =
    @Sendable (
        String, DiscoveryLimits, @escaping @Sendable (String) -> String?, @escaping @Sendable (String) -> String
    ) -> any PeerDiscovery

/// How a node is started.
package struct NodeConfiguration: Sendable {
    /// The data folder.
    package var dataPath: String
    /// The port on which peers find this node; nil takes the one of last time, or any that is free.
    package var peerPort: Int?
    /// Addresses to dial besides what is discovered, as `host:port`.
    package var peers: [String]
    /// Whether to look for peers by mDNS.
    package var discovers: Bool
    /// Whether to tell the network which events of this node's anyone nearby may join.
    package var tellsNearby = true
    /// How peers are looked for: by Avahi, or as a test wants it.
    package var makeDiscovery: DiscoveryMaker = {
        AvahiDiscovery(serviceType: $0, limits: $1, eventOf: $2, newName: $3)
    }
    /// What this node holds as a relay; nil for a node of a person's.
    package var relay: RetentionPolicy?
    /// Whether this node shows an event to people who have no node, and reads only what is for everybody.
    package var isDoor = false
    /// What this node holds of the words of each other person in an event; nil is without a limit.
    package var quota: Quota? = .customary
    /// What this node's person may write in an event.
    package var ownQuota = Quota.customary
    /// How long joining waits for a member's answer.
    package var joinTimeout = Duration.seconds(30)
    /// How long a request to leave an event waits.
    package var leavingWaits = LeavingWaits()
    /// The passphrase of encrypted keys; nil if they are not encrypted.
    package var passphrase: Passphrase?
    /// The clocks.
    package var clock: NodeClock

    /// Begins with what most people want.
    package init(
        dataPath: String,
        peerPort: Int? = nil,
        peers: [String] = [],
        discovers: Bool = true,
        relay: RetentionPolicy? = nil,
        clock: NodeClock = .system
    ) {
        (self.dataPath, self.peerPort, self.peers) = (dataPath, peerPort, peers)
        (self.discovers, self.relay, self.clock) = (discovers, relay, clock)
    }

    /// Lets the node be a relay that holds at most so much; nil is without a limit.
    package mutating func beRelay(blobBytes: Int?, eventBytes: Int?, authorBytes: Int?, authorHourly: Int?, days: Int?)
    {
        relay = RetentionPolicy(
            blobBytes: blobBytes,
            eventBytes: eventBytes,
            authorBytes: authorBytes,
            authorHourly: authorHourly,
            days: days
        )
    }

    /// What a person's node holds of the words of each other person, at the least: as much as people may write.
    package static let leastAuthorBytes = Quota.customary.words

    /// What it holds of what each other person dates within one hour, at the least.
    package static let leastAuthorHourly = Quota.customaryHourly

    /// Holds so many bytes of the words of each other person in an event, and so many words of one hour; nil is as much as usual.
    package mutating func keep(authorBytes: Int?, authorHourly: Int?) {
        quota = Quota(words: authorBytes ?? Self.leastAuthorBytes, hourly: authorHourly ?? Self.leastAuthorHourly)
    }

    /// What the data folder is for.
    var use: FolderUse { relay != nil ? .relay : isDoor ? .door : .person }

    /// What a replica holds of one person: a relay's has no other limit than its policy, which looks when deletions have been heard.
    var replicaQuota: Quota? { relay == nil ? quota : nil }
}
