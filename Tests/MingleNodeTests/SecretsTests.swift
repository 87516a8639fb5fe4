// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica
import MingleWire
import NodeTestSupport
import Testing

@testable import MingleNode

struct SecretsTests {
    private let event = TransportNode.event(1).event

    private func secret(_ byte: UInt8) -> Secret { Secret([UInt8](repeating: byte, count: 32)) }

    private func sample() -> Secrets {
        let link = InvitationLink(event: event, psk: secret(1), seed: secret(2), hints: ["192.0.2.7:4781"])
        var secrets = Secrets.joining(link, .system)
        secrets.add(issued: secret(3))
        secrets.add(issued: secret(4))
        return secrets
    }

    /// All secret bytes that there are.
    private func exposed(_ secrets: Secrets) -> [[UInt8]] {
        [secrets.psk, secrets.identity?.seed, secrets.signing.seed, secrets.agreement.secret].compactMap {
            $0?.exposed()
        }
            + (secrets.issued + (secrets.cameBy.map { [$0] } ?? [])).map { $0.exposed() }
    }

    @Test func `keys survive their file`() async throws {
        try await withTemporaryFolder { path in
            let file = path + "/secrets.json"
            for secrets in [sample(), Secrets.founding(.system).secrets] {
                try secrets.write(to: file)
                let read = try Secrets(contentsOf: file)
                #expect(exposed(read) == exposed(secrets))
                #expect(read.hints == secrets.hints && read.foundingSalt == secrets.foundingSalt)
                #expect(read.person == secrets.person && (read.cameBy == nil) == (secrets.cameBy == nil))
                #expect(read.ownDevice(in: event).name == secrets.ownDevice(in: event).name)
                #expect(try read.certificate(in: event).isValid(in: event))
            }
        }
    }

    @Test func `the keys of a linked device survive their file, with no identity and who linked it`() async throws {
        try await withTemporaryFolder { path in
            let file = path + "/secrets.json"
            let person = sample().person
            var secrets = Secrets(linking: person, psk: secret(1), hints: ["192.0.2.7:4781"], randomness: .system)
            #expect(secrets.isUncertified && secrets.linkedBy == nil)
            for certifier in [nil, DeviceName(Blake2b.hash(.device, [7]))] {
                try secrets.write(to: file)
                let read = try Secrets(contentsOf: file)
                #expect(exposed(read) == exposed(secrets) && exposed(read).count == 3)
                #expect(read.identity == nil && read.person == person && read.hints == secrets.hints)
                #expect(read.isUncertified == secrets.isUncertified && read.linkedBy == secrets.linkedBy)
                #expect(read.ownDevice(in: event).name == secrets.ownDevice(in: event).name)
                #expect(throws: SecretsError.self) { try read.certificate(in: event) }
                #expect(throws: SecretsError.self) { try secrets.replaceDevice(.system) }
                if certifier == nil { secrets.noteCertificate(by: DeviceName(Blake2b.hash(.device, [7]))) }
            }
            #expect(!secrets.isUncertified)
        }
    }

    @Test func `the file is for its owner alone, and no other copy is left`() async throws {
        try await withTemporaryFolder { path in
            try sample().write(to: path + "/secrets.json")
            let attributes = try FileManager.default.attributesOfItem(atPath: path + "/secrets.json")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["secrets.json"])
        }
    }

    @Test(arguments: ["", "{}", "null", "[1]", #"{"psk":"a","identity":"a","signing":"a","agreement":"a"}"#])
    func `a damaged file is refused with its name`(text: String) async throws {
        try await withTemporaryFolder { path in
            let file = path + "/secrets.json"
            #expect(throws: DataFolderError.self) { try Secrets(contentsOf: file) }
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            let error = try #require(throws: DataFolderError.self) { try Secrets(contentsOf: file) }
            #expect("\(error)".contains(file))
        }
    }

    @Test func `a file with a shortened key is refused`() async throws {
        try await withTemporaryFolder { path in
            let file = path + "/secrets.json"
            let secrets = sample()
            try secrets.write(to: file)
            let word = Base32.encode(secrets.signing.seed.exposed())
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(text.contains(word))
            try Data(text.replacing(word, with: word.dropLast(4)).utf8).write(to: URL(fileURLWithPath: file))
            #expect(throws: DataFolderError.self) { try Secrets(contentsOf: file) }
        }
    }

    @Test func `no description or dump holds a secret`() {
        let secrets = sample()
        var dumped = ""
        dump(secrets, to: &dumped)
        let texts = [dumped, "\(secrets)", String(reflecting: secrets), "\(secrets.ownDevice(in: event))"]
        #expect(dumped.contains("signing"))
        for bytes in exposed(secrets) {
            let hexadecimal = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            let forms = [
                Base32.encode(bytes), Data(bytes).base64EncodedString(), hexadecimal,
                bytes.map(String.init).joined(separator: ", "), String(bytes.prefix(8).map(String.init).joined()),
            ]
            for text in texts { #expect(!forms.contains { text.lowercased().contains($0.lowercased()) }) }
            // As `dump` writes the elements of an array.
            let list = bytes.map { "- \($0)" }.joined()
            #expect(!dumped.filter { !$0.isWhitespace }.contains(list.filter { !$0.isWhitespace }))
        }
    }

    @Test func `a new device of the same person has keys of its own`() throws {
        var secrets = sample()
        let old = secrets
        try secrets.replaceDevice(.system)
        #expect(secrets.person == old.person && secrets.psk.exposed() == old.psk.exposed())
        #expect(secrets.signing.publicKey != old.signing.publicKey)
        #expect(secrets.agreement.publicKey != old.agreement.publicKey)
        #expect(secrets.ownDevice(in: event).name != old.ownDevice(in: event).name)
        #expect(try secrets.certificate(in: event).isValid(in: event))
    }

    @Test func `who founds an event is proved by its name`() throws {
        let (event, secrets) = Secrets.founding(.system)
        #expect(try secrets.certificate(in: event).isFounding(event))
        #expect(try !sample().certificate(in: event).isFounding(event))
        #expect(Secrets.founding(.system).event != event)
    }
}
