// SPDX-License-Identifier: Apache-2.0

/// Finds the nodes of our events on the local network, and lets them find us.
package protocol PeerDiscovery: Sendable {
    /// Runs until the task is cancelled; one run at a time.
    ///
    /// `onEvent` is called from one thread at a time, but never on the caller's: it must not block.
    func run(onEvent: @escaping @Sendable (DiscoveryEvent) -> Void) async

    /// Publishes these and withdraws all others; to be called before, during or between runs.
    ///
    /// Names seen earlier are looked at again, so call it, too, when an event was joined or left.
    func publish(_ advertisements: [Advertisement])

    /// Says that nobody of ours answered there: other addresses, or other names, are resolved instead.
    func reject(_ name: String)
}

/// What a node publishes: one for each event that it takes part in.
package struct Advertisement: Sendable, Equatable {
    /// The instance name, made by ``InstanceName``.
    package var name: String

    /// The TCP port on which the node accepts peers.
    package var port: UInt16

    /// The TXT record: `v`, `load`, …; what exceeds RFC 6763's limits is left out.
    package var text: [String: String]

    /// With whom it shares the saying; nil for what each says for itself.
    package var crowd: Crowd?

    /// Describes a service to publish.
    package init(name: String, port: UInt16, text: [String: String] = [:], crowd: Crowd? = nil) {
        (self.name, self.port, self.text, self.crowd) = (name, port, text, crowd)
    }
}

/// Those who all say the same, of whom a few are enough.
///
/// What they say is not read: one says it oneself. It is looked at now and then whether they are still there.
package struct Crowd: Sendable, Equatable {
    /// Which of our events their names belong to.
    package var event: String

    /// Where so many others say it nobody else begins to, and of those who do only these go on, by their names.
    package var most: Int

    /// How long a node waits before it begins to, so that not all do at once: random, and longer in a larger crowd.
    package var pause: Duration

    /// Describes a crowd.
    package init(event: String, most: Int, pause: Duration) {
        (self.event, self.most, self.pause) = (event, most, pause)
    }
}

/// A node that was seen and resolved.
///
/// Nothing of it is proved before the handshake.
package struct Endpoint: Sendable, Hashable {
    /// The instance name; the nodes change theirs every few hours.
    package var name: String

    /// Which of our events recognised the name.
    package var event: String

    /// A numeric IPv4 or IPv6 address; a link-local one ends in `%` and the interface's number.
    package var host: String

    /// The TCP port.
    package var port: UInt16

    /// The TXT record, as far as it is short and readable.
    package var text: [String: String]

    /// Describes a node.
    package init(name: String, event: String, host: String, port: UInt16, text: [String: String] = [:]) {
        self.name = name
        self.event = event
        self.host = host
        self.port = port
        self.text = text
    }
}

/// What discovery tells.
package enum DiscoveryEvent: Sendable, Equatable {
    /// Discovery began to work, or ceased to.
    case state(DiscoveryState)

    /// A node appeared, or its address or text changed.
    case found(Endpoint)

    /// A node that was found is not seen any more. Connections to it may live on.
    case lost(name: String)

    /// Somebody else had our name, so a new one is published; use it from now on.
    case renamed(from: String, to: String)
}

/// Whether discovery works.
package enum DiscoveryState: Sendable, Equatable {
    /// Names are published and looked for.
    case running

    /// Nothing can be published or seen; the reason is for people and says what to do. It is retried.
    case absent(reason: String)
}
