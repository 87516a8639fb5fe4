// SPDX-License-Identifier: Apache-2.0

package import MingleAPI
import MingleNode
import NIOCore

/// Where visitors find a door's page: a value without any I/O.
package struct PosterPlace: Equatable, Sendable {
    /// Where the page listens.
    let listen: ListeningAddress
    /// Names and addresses that its operator gave, which come first.
    let hosts: [String]

    /// Takes what the operator said.
    ///
    /// - Parameter hosts: As ``readHost(_:)`` reads them.
    package init(_ listen: ListeningAddress, hosts: [String]) { (self.listen, self.hosts) = (listen, hosts) }

    /// Whether it moves with the addresses of the machine.
    var isMoving: Bool { listen.isEverywhere && hosts.isEmpty }

    /// Every address of the page, the best first.
    ///
    /// - Parameters:
    ///   - path: What stands behind the host.
    ///   - machine: The addresses that the machine has.
    func addresses(_ path: String, machine: [String]) -> [String] {
        let own = listen.isEverywhere ? machine : [listen.host]
        let known = hosts + (own.isEmpty ? ["127.0.0.1"] : own)
        let port = listen.port == 80 ? "" : ":\(listen.port)"
        return known.map { host in "http://\(host.contains(":") ? "[\(host)]" : host)\(port)\(path)" }
    }

    /// Reads a name or an address by which phones find the machine.
    ///
    /// - Throws: `API.Problem`: how it is written.
    package static func readHost(_ text: String) throws(API.Problem) -> String {
        let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
        let address = isBracketed ? String(text.dropFirst().dropLast()) : text
        if !address.contains("%"), let parsed = try? SocketAddress(ipAddress: address, port: 0),
            !isBracketed || parsed.protocol == .inet6
        {
            return address
        }
        // A dot at the end is a name's as well, but no browser says it.
        let name = text.hasSuffix(".") ? text.dropLast() : text[...]
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard name.utf8.count <= 253, labels.allSatisfy(isLabel), labels.last?.contains(where: \.isLetter) ?? false
        else {
            throw API.Problem(
                .badRequest,
                "Not the name or address of a machine: '\(text)'. Write it as party.local or 192.168.1.5, without http:// and "
                    + "port."
            )
        }
        return name.lowercased()
    }

    /// Whether it is letters, digits and hyphens, which do not stand at its ends.
    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
            && label.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "-")
            }
    }
}
