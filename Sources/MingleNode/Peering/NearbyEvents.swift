// SPDX-License-Identifier: Apache-2.0

package import MingleAPI
import MingleCrypto
package import MingleDiscovery
package import MingleModel
import MingleWire

/// What nodes on the network say of events that are open to anyone nearby, and whether somebody looks.
///
/// All of it is claims: each counts for one node, and of what is said of an event that is shown which most say. Nothing is
/// kept while nobody looks, and no more than the limits allow.
package struct NearbyEvents: Sendable {
    /// Events that are told of.
    package static let eventLimit = 32
    /// Nodes whose word is kept: as many as are resolved at once.
    package static let claimLimit = DiscoveryLimits.open.resolvedPerEvent
    /// How long a look lasts, if nobody looks again.
    package static let look = Duration.seconds(60)
    /// After what time a node is asked again whether it still says so.
    package static let fresh = Duration.seconds(120)
    /// Nodes that are asked again at a time.
    package static let askedAtOnce = 16
    /// After what time a node that did not say so again is forgotten.
    package static let stale = Duration.seconds(180)

    private struct Claim {
        var event: EventID
        var title: String
        // The link without the addresses that it brought, as text: secrets lie in locked memory, which is scarce.
        var link: String
        var address: String
        var heard: Duration
        var isAsked = false

        func says(_ other: Claim) -> Bool {
            (event, title, link, address) == (other.event, other.title, other.link, other.address)
        }
    }

    private var claims: [String: Claim] = [:]
    private var until: Duration?
    private var hasChanged = false

    /// When somebody began to look; nil while nobody does.
    package private(set) var since: Duration?

    /// Begins with nothing.
    package init() {}

    /// Notes that somebody looks; true if nobody did before.
    package mutating func look(at now: Duration) -> Bool {
        until = now + Self.look
        guard since == nil else { return false }
        since = now
        return true
    }

    /// Takes what a node says; false if it is nothing that can be shown.
    package mutating func hear(_ endpoint: Endpoint, at now: Duration) -> Bool {
        guard since != nil, let said = OpenText(endpoint.text), let link = try? InvitationLink(said.link),
            link.kind == .people, claims[endpoint.name] != nil || claims.count < Self.claimLimit
        else { return false }
        let events = Set(claims.values.map(\.event))
        guard events.contains(link.event) || events.count < Self.eventLimit else { return false }
        let plain = InvitationLink(event: link.event, psk: link.psk, seed: link.seed, hints: [])
        let claim = Claim(
            event: link.event,
            title: said.title,
            link: plain.text,
            address: Self.address(of: endpoint),
            heard: now
        )
        hasChanged = hasChanged || claims[endpoint.name].map { !$0.says(claim) } ?? true
        claims[endpoint.name] = claim
        return true
    }

    /// Forgets what a node said.
    package mutating func lose(_ name: String) {
        if claims.removeValue(forKey: name) != nil { hasChanged = true }
    }

    /// What was said of an event has led nowhere: returns who is to be asked at once whether that is still said.
    package mutating func doubt(_ event: EventID) -> [String] {
        let names = claims.filter { $0.value.event == event }.keys.sorted().prefix(Self.askedAtOnce)
        for name in names { claims[name]?.isAsked = true }
        return Array(names)
    }

    /// Lets time pass.
    ///
    /// - Returns: Who is to be asked again, whether the list changed, and whether nobody looks any more.
    package mutating func advance(to now: Duration) -> (asked: [String], isChanged: Bool, isOver: Bool) {
        if let end = until, end <= now {
            defer { self = NearbyEvents() }
            return ([], !claims.isEmpty, true)
        }
        defer { hasChanged = false }
        let stale = claims.filter { now - $0.value.heard >= Self.stale }.keys
        for name in stale { claims[name] = nil }
        let due = claims.filter { !$0.value.isAsked && now - $0.value.heard >= Self.fresh }
            .sorted { ($0.value.heard, $0.key) < ($1.value.heard, $1.key) }.prefix(Self.askedAtOnce).map(\.key)
        for name in due { claims[name]?.isAsked = true }
        return (due, hasChanged || !stale.isEmpty, false)
    }

    /// The events, less those that this node knows itself, by title.
    package func list(except known: Set<EventID>) -> [API.NearbyEvent] {
        Dictionary(grouping: claims.filter { !known.contains($0.value.event) }, by: \.value.event)
            .map { event, said in
                let said = said.sorted { $0.key < $1.key }.map(\.value)
                let link = Self.mostSaid(said.map(\.link))
                return API.NearbyEvent(
                    id: event.description,
                    title: Self.mostSaid(said.map(\.title)),
                    nodes: said.count,
                    link: Self.link(link, leadingTo: said.filter { $0.link == link }.map(\.address))
                )
            }
            .sorted { ($0.title, $0.id) < ($1.title, $1.id) }
    }

    /// What is said most often; of several the first in order.
    private static func mostSaid(_ words: [String]) -> String {
        let counts = words.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        return counts.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key ?? ""
    }

    /// The link with the addresses of those who say it, those of IPv4 first.
    private static func link(_ text: String, leadingTo addresses: [String]) -> String {
        guard let link = try? InvitationLink(text) else { return text }
        let sorted = addresses.sorted { ($0.hasPrefix("[") ? 1 : 0, $0) < ($1.hasPrefix("[") ? 1 : 0, $1) }
        return InvitationLink(event: link.event, psk: link.psk, seed: link.seed, hints: sorted).text
    }

    private static func address(of endpoint: Endpoint) -> String {
        endpoint.host.contains(":") ? "[\(endpoint.host)]:\(endpoint.port)" : "\(endpoint.host):\(endpoint.port)"
    }
}
