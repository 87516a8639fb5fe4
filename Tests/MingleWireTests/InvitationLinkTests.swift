// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleCrypto
import MingleModel
import MingleWire
import TestSupport
import Testing

extension InvitationLink {
    /// All that it says, with its secrets laid open.
    fileprivate struct Contents: Equatable {
        let event: EventID
        let psk, seed: [UInt8]
        let hints: [String]
    }

    fileprivate var contents: Contents {
        Contents(event: event, psk: psk.exposed(), seed: seed.exposed(), hints: hints)
    }
}

struct InvitationLinkTests {
    private func link(hints: [String] = ["192.0.2.7:4781"]) -> InvitationLink {
        InvitationLink(
            event: Sample.eventID(1),
            psk: Secret([UInt8](repeating: 2, count: 32)),
            seed: Secret([UInt8](repeating: 3, count: 32)),
            hints: hints
        )
    }

    /// A link whose body and checksum are right but hold what the test wants.
    private func crafted(version: UInt8 = 1, rest: [UInt8]? = nil, hints: [UInt8] = [0]) -> String {
        let names = [1, 2, 3].flatMap { [UInt8](repeating: $0, count: 32) }
        let body = [version] + (rest ?? names + hints)
        return InvitationLink.scheme + Base32.encode(body + Blake2b.hash(.link, body).bytes.prefix(4))
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func `a link survives its text`(seed: UInt64) throws {
        var numbers = SplitMix(seed: seed)
        let hints = (0..<Int.random(in: 0...4, using: &numbers)).map { _ in
            String(repeating: "é", count: Int.random(in: 0...127, using: &numbers)) + ":1"
        }.filter { $0.utf8.count <= 255 }
        let link = InvitationLink(
            event: EventID(numbers.bytes32()),
            psk: Secret(numbers.bytes32().bytes),
            seed: Secret(numbers.bytes32().bytes),
            hints: hints
        )
        #expect(try InvitationLink(link.text).contents == link.contents)
        #expect(link.hints == hints)
    }

    @Test func `a link for a relay says so, and is otherwise the same`() throws {
        let link = link()
        let other = InvitationLink(
            event: link.event,
            psk: link.psk,
            seed: link.seed,
            hints: link.hints,
            isForRelay: true
        )
        #expect(other.text.hasPrefix("mingle://relay/") && !link.isForRelay)
        let read = try InvitationLink(other.text.uppercased())
        #expect(read.isForRelay && read.contents == link.contents)
        #expect(try !InvitationLink(link.text).isForRelay)
        let changed = other.text.replacing("mingle://relay/", with: "mingle://join/")
        #expect(throws: InvitationLinkError.damaged) { try InvitationLink(changed) }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `a link for a further device says whose, and survives its text`(seed: UInt64) throws {
        var numbers = SplitMix(seed: seed)
        let person = PersonID(numbers.bytes32())
        let hints = seed % 2 == 0 ? [] : ["192.0.2.7:4781", "[fe80::1%eth0]:4781"]
        let link = deviceLink(of: person, hints: hints)
        #expect(link.text.hasPrefix("mingle://device/") && !link.isForRelay)
        for text in [link.text, link.text.uppercased()] {
            let read = try InvitationLink(text)
            #expect(read.kind == .device(of: person) && read.contents == link.contents)
        }
        #expect(try InvitationLink(self.link().text).kind == .people)
    }

    @Test func `no link passes for one of another kind`() {
        let link = link()
        let relay = InvitationLink(event: link.event, psk: link.psk, seed: link.seed, hints: [], isForRelay: true)
        let texts = [link.text, relay.text, deviceLink(of: PersonID(.all(9))).text]
        let schemes = ["mingle://join/", "mingle://relay/", "mingle://device/"]
        for (text, own) in zip(texts, schemes) {
            for scheme in schemes where scheme != own {
                let changed = text.replacing(own, with: scheme)
                #expect(throws: InvitationLinkError.damaged) { try InvitationLink(changed) }
            }
        }
    }

    @Test func `a link for a further device that lacks the person, or has any other byte changed, is damaged`() {
        let text = deviceLink(of: PersonID(.all(9))).text
        let names = [1, 2, 3].flatMap { [UInt8](repeating: $0, count: 32) }
        let body = [1] + names + [0]
        let sum = Blake2b.hash(.link, body + Array("device".utf8)).bytes.prefix(4)
        let short = InvitationLink.deviceScheme + Base32.encode(body + sum)
        #expect(throws: InvitationLinkError.damaged) { try InvitationLink(short) }
        for index in InvitationLink.deviceScheme.count..<text.count {
            var changed = Array(text)
            changed[index] = changed[index] == "a" ? "b" : "a"
            #expect(throws: InvitationLinkError.damaged) { try InvitationLink(String(changed)) }
        }
    }

    private func deviceLink(of person: PersonID, hints: [String] = []) -> InvitationLink {
        let link = link()
        return InvitationLink(
            event: link.event,
            psk: link.psk,
            seed: link.seed,
            hints: hints,
            kind: .device(of: person)
        )
    }

    @Test func `the crafted links of these tests are links`() throws {
        #expect(try InvitationLink(crafted()).contents == link(hints: []).contents)
        #expect(
            try InvitationLink(crafted(hints: [1, 3] + Array("h:1".utf8))).contents == link(hints: ["h:1"]).contents
        )
        #expect(crafted() == link(hints: []).text)
    }

    // MARK: - What is forgiven

    @Test func `white space around and within a link is forgiven`() throws {
        let link = link()
        #expect(try InvitationLink("  \n\t\(link.text)\r\n \u{00A0}").contents == link.contents)
        let lines = stride(from: 0, to: link.text.count, by: 30).map { link.text.dropFirst($0).prefix(30) }
        #expect(try InvitationLink(lines.joined(separator: "\n    ")).contents == link.contents)
    }

    @Test func `capitals are forgiven`() throws {
        let link = link()
        #expect(try InvitationLink(link.text.uppercased()).contents == link.contents)
        #expect(try InvitationLink(link.text.capitalized).contents == link.contents)
    }

    // MARK: - What is not

    @Test(
        arguments: [
            "", " ", "mingle", "mingle://join", "mingle://", "mingle://leave/", "https://join/", "mingle:join/",
            "xmingle://join/", "mıngle://join/", "Join me here: mingle://join/",
        ]
    )
    func `what does not begin as an invitation is none`(text: String) {
        #expect(throws: InvitationLinkError.notAnInvitation) { try InvitationLink(text) }
        #expect(throws: InvitationLinkError.notAnInvitation) { try InvitationLink(text + " ") }
    }

    @Test func `a link of another scheme is none, whatever comes behind it`() {
        let body = link().text.dropFirst(InvitationLink.scheme.count)
        for scheme in ["https://join/", "mingle://leave/", "web+mingle://join/", ""] {
            #expect(throws: InvitationLinkError.notAnInvitation) { try InvitationLink(scheme + body) }
        }
    }

    @Test func `any one changed character is found`() {
        let text = Array(link().text)
        var numbers = SplitMix(seed: 1)
        for index in InvitationLink.scheme.count..<text.count {
            var changed = text
            let others = "abcdefghijklmnopqrstuvwxyz234567".filter { $0 != text[index] }
            changed[index] = others.randomElement(using: &numbers) ?? "a"
            #expect(throws: InvitationLinkError.damaged) { try InvitationLink(String(changed)) }
        }
    }

    @Test func `any one missing or added character is found, and so are two that changed places`() {
        let text = Array(link().text)
        for index in InvitationLink.scheme.count..<text.count {
            var (missing, added, swapped) = (text, text, text)
            missing.remove(at: index)
            added.insert("q", at: index)
            #expect(throws: InvitationLinkError.damaged) { try InvitationLink(String(missing)) }
            #expect(throws: InvitationLinkError.damaged) { try InvitationLink(String(added)) }
            guard index + 1 < text.count, text[index] != text[index + 1] else { continue }
            swapped.swapAt(index, index + 1)
            #expect(throws: InvitationLinkError.damaged) { try InvitationLink(String(swapped)) }
        }
    }

    @Test func `every truncation behind the scheme is found`() {
        let text = link().text
        for count in InvitationLink.scheme.count..<text.count {
            #expect(throws: InvitationLinkError.damaged) { try InvitationLink(String(text.prefix(count))) }
        }
    }

    @Test(arguments: ["0", "1", "8", "=", "ä", "/", "?", "\u{200B}", "-"])
    func `a character that no link has is found`(character: String) {
        #expect(throws: InvitationLinkError.damaged) { try InvitationLink(link().text + character) }
    }

    @Test(arguments: [0, 2, 255] as [UInt8])
    func `a link of an unknown version says which`(version: UInt8) {
        #expect(throws: InvitationLinkError.unknownVersion(version)) { try InvitationLink(crafted(version: version)) }
        // What stands in it is that version's business.
        #expect(throws: InvitationLinkError.unknownVersion(version)) {
            try InvitationLink(crafted(version: version, rest: [1, 2, 3]))
        }
    }

    @Test func `a body with a right checksum is still read with care`() {
        let bodies: [[UInt8]] = [
            [5, 0, 0, 0, 0, 0], [1], [1, 9, 1, 2], [1, 1, 0xFF], [0, 0], [2, 0],
        ]
        for hints in bodies {
            #expect(throws: InvitationLinkError.damaged) { try InvitationLink(crafted(hints: hints)) }
        }
        for count in [0, 1, 32, 95, 96] {
            let rest = [UInt8](repeating: 1, count: count)
            #expect(throws: InvitationLinkError.damaged) { try InvitationLink(crafted(rest: rest)) }
        }
    }

    @Test func `a text that is much too long is not even read`() {
        let text = crafted(rest: [UInt8](repeating: 1, count: 5000))
        #expect(throws: InvitationLinkError.damaged) { try InvitationLink(text) }
    }

    // MARK: - Hints

    @Test func `of more than four hints the first four are kept`() throws {
        let link = link(hints: (1...6).map { "h\($0):1" })
        #expect(link.hints == ["h1:1", "h2:1", "h3:1", "h4:1"])
        #expect(try InvitationLink(link.text).contents == link.contents)
    }

    @Test func `a hint that is too long is left out and takes nobody's place`() throws {
        let fits = String(repeating: "h", count: 255)
        let link = link(hints: [fits + "h", fits, "a", "b", "c", "d"])
        #expect(link.hints == [fits, "a", "b", "c"])
        #expect(try InvitationLink(link.text).contents == link.contents)
    }

    @Test func `the largest link is still read`() throws {
        let link = link(hints: (0..<4).map { _ in String(repeating: "h", count: 255) })
        #expect(link.text.utf8.count <= 4096)
        #expect(try InvitationLink(link.text).contents == link.contents)
    }

    // MARK: - Keys

    @Test func `a seed yields the same keys everywhere, and another seed others`() {
        let seed = Secret([UInt8](repeating: 3, count: 32))
        let keys = InvitationKeys(seed: seed)
        let again = InvitationKeys(seed: link().seed)
        let other = InvitationKeys(seed: Secret([UInt8](repeating: 4, count: 32)))
        #expect(keys.id == again.id && keys.agreement.publicKey == again.agreement.publicKey)
        #expect(keys.id != other.id && keys.agreement.publicKey != other.agreement.publicKey)
        #expect(keys.id.raw == keys.signing.publicKey)
        #expect(keys.signing.seed.exposed() != keys.agreement.secret.exposed())
        #expect(keys.signing.seed.exposed() != seed.exposed())
    }
}
