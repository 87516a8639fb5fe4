// SPDX-License-Identifier: Apache-2.0

/// One network path on which a name was seen.
package struct Sighting: Sendable, Hashable {
    /// The versions of the internet protocol, the better one first.
    package enum Family: Sendable, Hashable {
        /// IPv4.
        case v4
        /// IPv6.
        case v6
    }

    /// The interface's number.
    package var interface: Int32

    /// Which protocol carried the announcement, and so which address is asked for.
    package var family: Family

    /// Describes a path.
    package init(interface: Int32, family: Family) {
        self.interface = interface
        self.family = family
    }

    /// Linux gives the loopback interface this number in every network namespace.
    package var isLoopback: Bool { interface == 1 }

    /// The order of trying: IPv4, IPv6, loopback.
    package var rank: Int32 { (isLoopback ? 2 : 0) + (family == .v4 ? 0 : 1) }
}

/// What the network answered about a name, unchecked.
package struct Resolution: Sendable, Equatable {
    /// The address: four bytes or sixteen.
    package var address: [UInt8]

    /// The same address as text, without a scope.
    package var addressText: String

    /// The TCP port.
    package var port: UInt16

    /// The strings of the TXT record.
    package var text: [[UInt8]]

    /// Describes an answer.
    package init(address: [UInt8], addressText: String, port: UInt16, text: [[UInt8]] = []) {
        self.address = address
        self.addressText = addressText
        self.port = port
        self.text = text
    }

    /// The endpoint that this answer names, or nil if no honest node gives such an answer.
    package func endpoint(name: String, event: String, sighting: Sighting) -> Endpoint? {
        guard port != 0, isNode(loopbackIsRight: sighting.isLoopback) else { return nil }
        let host = isLinkLocalV6 ? "\(addressText)%\(sighting.interface)" : addressText
        return Endpoint(name: name, event: event, host: host, port: port, text: TextRecord.read(text))
    }

    // An answer from the network must not point us at our own services, at groups or at nothing.
    private func isNode(loopbackIsRight: Bool) -> Bool {
        switch address.count {
        case 4: address[0] == 127 ? loopbackIsRight : (1...223).contains(address[0])
        case 16 where address.dropLast().allSatisfy { $0 == 0 }: loopbackIsRight && address[15] == 1
        case 16: address[0] != 0xff && address.prefix(10).contains { $0 != 0 }
        default: false
        }
    }

    private var isLinkLocalV6: Bool { address.count == 16 && address[0] == 0xfe && address[1] & 0xc0 == 0x80 }
}

/// The strings of a TXT record as key and value (RFC 6763 §6).
enum TextRecord {
    private static let longestString = 255
    private static let longestRecord = 1_300

    static func read(_ strings: [[UInt8]]) -> [String: String] {
        var pairs: [String: String] = [:]
        for string in bounded(strings) {
            let parts = string.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let key = String(validating: parts[0], as: UTF8.self)?.lowercased(), !key.isEmpty,
                let value = String(validating: parts.dropFirst().first ?? [], as: UTF8.self)
            else { continue }
            // The first of several counts, says the RFC.
            if pairs[key] == nil { pairs[key] = value }
        }
        return pairs
    }

    static func write(_ pairs: [String: String]) -> [[UInt8]] {
        bounded(pairs.sorted { $0.key < $1.key }.map { Array("\($0.key)=\($0.value)".utf8) })
    }

    private static func bounded(_ strings: [[UInt8]]) -> [[UInt8]] {
        var room = longestRecord
        var kept: [[UInt8]] = []
        for string in strings where !string.isEmpty && string.count <= longestString && string.count < room {
            room -= string.count + 1
            kept.append(string)
        }
        return kept
    }
}
