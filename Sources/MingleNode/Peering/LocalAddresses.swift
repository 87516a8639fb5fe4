// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix

/// The addresses at which others on the LAN may reach this machine.
enum LocalAddresses {
    /// Interfaces that lead to containers and virtual machines, not to people.
    private static let ignoredPrefixes = ["docker", "veth", "br-", "virbr", "lo"]

    /// Up to four IPv4 addresses, as `host:port`.
    static func hints(port: Int) -> [String] { hosts().map { "\($0):\(port)" } }

    /// Up to four IPv4 addresses.
    static func hosts() -> [String] {
        let hosts = devices().compactMap { device -> String? in
            guard case .v4? = device.address, let host = device.address?.ipAddress, !host.hasPrefix("169.254.")
            else { return nil }
            return host
        }
        return Array(hosts.prefix(4))
    }

    /// Up to four IPv6 addresses, each with its interface: nodes on the same network reach even a link-local one by
    /// mDNS.
    static func hosts6() -> [String] {
        let hosts = devices().compactMap { device -> String? in
            guard case .v6? = device.address, let host = device.address?.ipAddress, host != "::1" else { return nil }
            return "\(host.prefix { $0 != "%" })%\(device.name)"
        }
        return Array(hosts.prefix(4))
    }

    /// The interfaces that lead to people.
    private static func devices() -> [NIONetworkDevice] {
        ((try? System.enumerateDevices()) ?? []).filter { device in
            !ignoredPrefixes.contains { device.name.hasPrefix($0) }
        }
    }

    /// Splits `host:port`, where an IPv6 host stands in brackets; nil for anything else.
    static func split(_ address: String) -> (host: String, port: Int)? {
        guard let colon = address.lastIndex(of: ":"), let port = Int(address[address.index(after: colon)...]),
            (1...65535).contains(port)
        else { return nil }
        var host = String(address[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        return host.isEmpty || host.contains("/") ? nil : (host, port)
    }
}
