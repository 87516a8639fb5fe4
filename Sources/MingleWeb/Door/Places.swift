// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import Synchronization

/// How many may be somewhere at once, altogether and from one address: a value without any I/O.
struct PlaceCount: Sendable {
    /// How many in all.
    let limit: Int
    /// How many of one address.
    let limitPerAddress: Int
    private var taken: [String: Int] = [:]
    private(set) var count = 0

    init(limit: Int, perAddress: Int) { (self.limit, limitPerAddress) = (limit, perAddress) }

    /// Takes a place; false if there is none.
    mutating func take(for address: String) -> Bool {
        let own = taken[address] ?? 0
        guard count < limit, own < limitPerAddress else { return false }
        (taken[address], count) = (own + 1, count + 1)
        return true
    }

    /// Gives a place back.
    mutating func leave(_ address: String) {
        guard let own = taken[address] else { return }
        (taken[address], count) = (own > 1 ? own - 1 : nil, count - 1)
    }
}

/// Places that are given back by themselves.
final class Places: Sendable {
    /// A place, taken until nobody refers to it.
    final class Place: Sendable {
        private let places: Places
        private let address: String

        fileprivate init(in places: Places, for address: String) { (self.places, self.address) = (places, address) }

        deinit { places.state.withLock { $0.leave(address) } }
    }

    private let state: Mutex<PlaceCount>

    init(limit: Int, perAddress: Int) { state = Mutex(PlaceCount(limit: limit, perAddress: perAddress)) }

    /// A place for somebody; nil if there is none.
    func take(for address: String) -> Place? {
        state.withLock { $0.take(for: address) } ? Place(in: self, for: address) : nil
    }
}

/// Holds a place for as long as a connection lasts, and ends one for which there is none.
final class ConnectionPlace: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Never

    private let places: Places
    private var place: Places.Place?

    init(in places: Places) { self.places = places }

    func handlerAdded(context: ChannelHandlerContext) {
        place = places.take(for: Visitor.address(of: context.channel))
        if place == nil { context.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        place = nil
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { place = nil }
}

/// Who looks at a door, as far as the node knows: an address.
enum Visitor {
    /// The address that limits go by; of IPv6 it is the network, as one machine has all addresses in it, unless all share it.
    static func address(of channel: any Channel) -> String {
        let text = channel.remoteAddress?.ipAddress ?? ""
        return text.contains(":") ? network(of: text) : text
    }

    /// The first four groups of an IPv6 address, all of a link-local one, or the IPv4 address that it stands for.
    static func network(of text: String) -> String {
        if text.lowercased().hasPrefix("::ffff:"), text.contains(".") { return String(text.dropFirst(7)) }
        let halves = text.split(separator: "%").first.map(String.init)?.components(separatedBy: "::") ?? []
        let (head, tail) = (groups(of: halves.first), groups(of: halves.count > 1 ? halves.last : nil))
        let zeros = halves.count > 1 ? Array(repeating: "0", count: max(0, 8 - head.count - tail.count)) : []
        let whole = head + zeros + tail
        return whole.prefix(isLinkLocal(whole) ? 8 : 4).joined(separator: ":")
    }

    /// Whether it is one of those (fe80::/10) of which all machines on a link share the network.
    private static func isLinkLocal(_ groups: [String]) -> Bool {
        groups.first.flatMap { UInt16($0, radix: 16) }.map { $0 & 0xffc0 == 0xfe80 } ?? false
    }

    private static func groups(of text: String?) -> [String] { text?.split(separator: ":").map(String.init) ?? [] }
}
