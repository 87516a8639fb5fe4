// SPDX-License-Identifier: Apache-2.0

@testable import MingleCrypto
@testable import MingleModel
@testable import MingleWire

/// Invitation links, base32, and ids as text; with the right checksum too, which no fuzzer would guess.
///
/// A text that is read is the only one of its link but for capitals and white space, and the same holds of ids.
enum LinkTarget: FuzzTarget {
    static func run(_ input: inout FuzzInput) throws {
        switch input.byte() % 4 {
        case 0: try link(String(decoding: input.rest(), as: UTF8.self))
        case 1:
            let body = input.rest()
            let checksum = Blake2b.hash(.link, body).bytes.prefix(4)
            try link(InvitationLink.scheme + Base32.encode(body + checksum))
        case 2:
            let body = input.rest()
            let checksum = Blake2b.hash(.link, body + Array("device".utf8)).bytes.prefix(4)
            try link(InvitationLink.deviceScheme + Base32.encode(body + checksum))
        default: word(String(decoding: input.rest(), as: UTF8.self))
        }
    }

    private static func link(_ text: String) throws {
        let link = try InvitationLink(text)
        require(link.text == text.filter { !$0.isWhitespace }.lowercased(), "a link has one form")
        require(link.hints.count <= InvitationLink.hintLimit, "a link has few hints")
        require(link.text.utf8.count <= 4096, "a link is short")
        require((try? InvitationLink(link.text.uppercased()).text) == link.text, "capitals make no difference")
    }

    private static func word(_ text: String) {
        if let bytes = Base32.decode(text) {
            require(Base32.encode(bytes) == text.lowercased(), "base32 has one form")
            require(Base32.decode(Base32.encode(bytes)) == bytes, "base32 is read as it was written")
        }
        if let reference = Reference(text) {
            require(reference.description == text.lowercased(), "a reference has one form")
        }
        if let name = BlobName(text: text) { require(name.description == text.lowercased(), "a name has one form") }
    }

    static var seeds: [[UInt8]] {
        let raw = Blake2b.hash(.event, [1])
        let link = { (hints: [String]) in
            InvitationLink(event: EventID(raw), psk: Secret(raw.bytes), seed: Secret(raw.bytes), hints: hints)
        }
        let text = link(["10.0.0.7:4781", "[fe80::1]:4781"]).text
        let body = Base32.decode(text.dropFirst(InvitationLink.scheme.count)) ?? []
        let device = InvitationLink(
            event: EventID(raw),
            psk: Secret(raw.bytes),
            seed: Secret(raw.bytes),
            hints: ["10.0.0.7:4781"],
            kind: .device(of: PersonID(raw))
        )
        let deviceBody = Base32.decode(device.text.dropFirst(InvitationLink.deviceScheme.count)) ?? []
        let reference = Reference(device: 1, journal: .content, sequence: 2, hash: 3)
        return [
            joined([0], Array(link([]).text.utf8)), joined([0], Array(" \(text.uppercased())\n".utf8)),
            joined([1], body.dropLast(4)), joined([3], Array("\(reference)".utf8)),
            joined([3], Array("\(EventID(raw))".utf8)), joined([2], deviceBody.dropLast(4)),
        ]
    }
}
