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

/// An invitation, or what brings in a further device of a person's, as people pass it on: a link, or a QR code of it.
///
/// The link is the secret: who has it can come in while the invitation is open, or be a device of the person that it names.
package struct InvitationLink: Sendable {
    /// Whom a link is for, as far as it says so itself.
    package enum Kind: Hashable, Sendable {
        /// Somebody who is to take part. What counts is what the invitation leads to.
        case people
        /// A machine that carries everything and reads nothing.
        case relay
        /// A door: a machine that lets phones take part.
        case door
        /// A further device of a person's: the seed is no invitation's but a secret that one of that person's devices keeps for a while.
        case device(of: PersonID)
    }

    /// What every link for people begins with.
    package static let scheme = "mingle://join/"
    /// What every link for relays begins with.
    package static let relayScheme = "mingle://relay/"
    /// What every link for doors begins with.
    package static let doorScheme = "mingle://door/"
    /// What every link for a further device of a person's begins with.
    package static let deviceScheme = "mingle://device/"
    /// Addresses that a link may carry.
    package static let hintLimit = 4
    private static let version: UInt8 = 1

    /// The event.
    package let event: EventID
    /// The event's key to the door: keeps scanners out of the handshake and admits nobody.
    package let psk: Secret
    /// What the invitation's keys come from; of a device link what a device that asks to be linked shows that it knows.
    package let seed: Secret
    /// Addresses, as `host:port`, where a member was when the link was made.
    package let hints: [String]
    /// Whom it is for.
    package let kind: Kind

    /// Whether it is for a relay.
    package var isForRelay: Bool { kind == .relay }

    /// Makes a link for people or relays; of more than four hints the first four are kept.
    package init(event: EventID, psk: Secret, seed: Secret, hints: [String], isForRelay: Bool = false) {
        self.init(event: event, psk: psk, seed: seed, hints: hints, kind: isForRelay ? .relay : .people)
    }

    /// Makes a link; of more than four hints the first four are kept.
    package init(event: EventID, psk: Secret, seed: Secret, hints: [String], kind: Kind) {
        (self.event, self.psk, self.seed, self.kind) = (event, psk, seed, kind)
        self.hints = Array(hints.filter { $0.utf8.count <= 255 }.prefix(Self.hintLimit))
    }

    /// The link's text.
    package var text: String {
        var bytes = [Self.version] + event.bytes + psk.exposed() + seed.exposed()
        if case .device(let person) = kind { bytes += person.bytes }
        bytes.append(UInt8(hints.count))
        for hint in hints {
            bytes.append(UInt8(hint.utf8.count))
            bytes.append(contentsOf: hint.utf8)
        }
        let form = kind.form
        return form.scheme + Base32.encode(bytes + form.checksum(bytes))
    }

    /// Reads a link, forgiving white space around it and capitals.
    package init(_ text: String) throws(InvitationLinkError) {
        let trimmed = text.filter { !$0.isWhitespace }
        let form = Form.allCases.first { trimmed.lowercased().hasPrefix($0.scheme) }
        guard let form else { throw .notAnInvitation }
        guard trimmed.utf8.count <= 4096, let bytes = Base32.decode(trimmed.dropFirst(form.scheme.count)),
            bytes.count > Form.checksumLength
        else { throw .damaged }
        let body = bytes.dropLast(Form.checksumLength)
        guard form.checksum(Array(body)) == Array(bytes.suffix(Form.checksumLength)) else { throw .damaged }
        guard body[0] == Self.version else { throw .unknownVersion(body[0]) }
        do {
            var reader = ByteReader(body.dropFirst())
            event = EventID(try reader.bytes32())
            psk = Secret(Array(try reader.slice(32)))
            seed = Secret(Array(try reader.slice(32)))
            kind =
                switch form {
                case .people: .people
                case .relay: .relay
                case .door: .door
                case .device: .device(of: PersonID(try reader.bytes32()))
                }
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
}

/// How a link of a kind is told from others before it is read.
private enum Form: CaseIterable {
    case people
    case relay
    case door
    case device

    static let checksumLength = 4

    var scheme: String {
        switch self {
        case .people: InvitationLink.scheme
        case .relay: InvitationLink.relayScheme
        case .door: InvitationLink.doorScheme
        case .device: InvitationLink.deviceScheme
        }
    }

    /// Covers the scheme as well: a link for one purpose is damaged as a link for another.
    func checksum(_ bytes: [UInt8]) -> [UInt8] {
        let word =
            switch self {
            case .people: ""
            case .relay: "relay"
            case .door: "door"
            case .device: "device"
            }
        return Array(Blake2b.hash(.link, bytes + Array(word.utf8)).bytes.prefix(Self.checksumLength))
    }
}

extension InvitationLink.Kind {
    fileprivate var form: Form {
        switch self {
        case .people: .people
        case .relay: .relay
        case .door: .door
        case .device: .device
        }
    }
}
