// SPDX-License-Identifier: Apache-2.0

package import MingleCrypto
package import MingleModel

/// Why a text is no invitation.
package enum InvitationLinkError: Error, Equatable {
    /// It does not begin as an invitation does.
    case notAnInvitation
    /// It begins well, but characters are missing, changed or added.
    case damaged
    /// It was made by a version that this node does not know.
    case unknownVersion(UInt8)
}

/// An invitation as people pass it on: a link, or a QR code of it.
///
/// The link is the secret: who has it can come in while the invitation is open.
package struct InvitationLink: Sendable {
    /// What every link for people begins with.
    package static let scheme = "mingle://join/"
    /// What every link for relays begins with.
    package static let relayScheme = "mingle://relay/"
    /// Addresses that a link may carry.
    package static let hintLimit = 4
    private static let version: UInt8 = 1
    private static let checksumLength = 4

    /// The event.
    package let event: EventID
    /// The event's key to the door: keeps scanners out of the handshake and admits nobody.
    package let psk: Secret
    /// What the invitation's keys come from.
    package let seed: Secret
    /// Addresses, as `host:port`, where a member was when the link was made.
    package let hints: [String]
    /// Whether it is for a relay, as far as it says so itself: what counts is what the invitation leads to.
    package let isForRelay: Bool

    /// Makes a link; of more than four hints the first four are kept.
    package init(event: EventID, psk: Secret, seed: Secret, hints: [String], isForRelay: Bool = false) {
        (self.event, self.psk, self.seed, self.isForRelay) = (event, psk, seed, isForRelay)
        self.hints = Array(hints.filter { $0.utf8.count <= 255 }.prefix(Self.hintLimit))
    }

    /// The link's text.
    package var text: String {
        var bytes = [Self.version] + event.bytes + psk.exposed() + seed.exposed()
        bytes.append(UInt8(hints.count))
        for hint in hints {
            bytes.append(UInt8(hint.utf8.count))
            bytes.append(contentsOf: hint.utf8)
        }
        let checksum = Self.checksum(bytes, isForRelay: isForRelay)
        return (isForRelay ? Self.relayScheme : Self.scheme) + Base32.encode(bytes + checksum)
    }

    /// Reads a link, forgiving white space around it and capitals.
    package init(_ text: String) throws(InvitationLinkError) {
        let trimmed = text.filter { !$0.isWhitespace }
        let scheme = [Self.scheme, Self.relayScheme].first { trimmed.lowercased().hasPrefix($0) }
        guard let scheme else { throw .notAnInvitation }
        isForRelay = scheme == Self.relayScheme
        guard trimmed.utf8.count <= 4096, let bytes = Base32.decode(trimmed.dropFirst(scheme.count)),
            bytes.count > Self.checksumLength
        else { throw .damaged }
        let body = bytes.dropLast(Self.checksumLength)
        let checksum = Self.checksum(Array(body), isForRelay: isForRelay)
        guard checksum == Array(bytes.suffix(Self.checksumLength)) else { throw .damaged }
        guard body[0] == Self.version else { throw .unknownVersion(body[0]) }
        do {
            var reader = ByteReader(body.dropFirst())
            event = EventID(try reader.bytes32())
            psk = Secret(Array(try reader.slice(32)))
            seed = Secret(Array(try reader.slice(32)))
            hints = try Self.hints(from: &reader)
            try reader.finish()
        } catch {
            throw .damaged
        }
    }

    private static func hints(from reader: inout ByteReader) throws(WireError) -> [String] {
        let count: UInt8 = try reader.integer()
        guard count <= hintLimit else { throw .tooLarge("hints") }
        var hints: [String] = []
        for _ in 0..<count {
            let length: UInt8 = try reader.integer()
            guard let hint = String(validating: try reader.slice(Int(length)), as: UTF8.self) else {
                throw .invalid("hint")
            }
            hints.append(hint)
        }
        return hints
    }

    /// Covers the scheme as well: a link for one purpose is damaged as a link for the other.
    private static func checksum(_ bytes: [UInt8], isForRelay: Bool) -> [UInt8] {
        Array(Blake2b.hash(.link, bytes + (isForRelay ? Array("relay".utf8) : [])).bytes.prefix(checksumLength))
    }
}
