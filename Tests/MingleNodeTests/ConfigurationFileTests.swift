// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import NodeTestSupport
import Synchronization
import Testing

@testable import MingleNode

/// Settings in files, and logs.
struct ConfigurationFileTests {
    private func read(_ text: String) async throws -> ConfigurationFile {
        try await withTemporaryFolder { folder in
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/mingle.conf"))
            return try ConfigurationFile(contentsOf: folder + "/mingle.conf")
        }
    }

    @Test func `settings are lines with a key and a value, among remarks and nothing`() async throws {
        let file = try await read(
            "# A remark\n\npeer-port = 4782\n  peer=192.0.2.7:1  \r\npeer = [::1]:2\nlink = a=b\n"
        )
        #expect(file.entries.map(\.key) == ["peer-port", "peer", "peer", "link"])
        #expect(file.entries.map(\.value) == ["4782", "192.0.2.7:1", "[::1]:2", "a=b"])
        #expect(file.entries.map(\.line) == [3, 4, 5, 6])
        #expect(try await read("").entries.isEmpty)
    }

    @Test(arguments: ["peer-port", "= 4", "peer-port =", "--port = 4", "Port = 4", "peer port = 4"])
    func `what is no setting is refused with its line`(text: String) async throws {
        let error = try await #require(throws: ConfigurationError.self) { try await read("# One\n\(text)\n") }
        #expect("\(error)".contains("mingle.conf, line 2: ") && "\(error)".contains("KEY = VALUE"))
    }

    @Test(arguments: ["", "Link = ", "the link = "])
    func `a link that stands in the wrong place is not repeated`(before: String) async throws {
        let error = try await #require(throws: ConfigurationError.self) {
            try await read(before + "mingle://relay/SECRET")
        }
        #expect("\(error)".contains("line 1") && "\(error)".contains("link =") && !"\(error)".contains("SECRET"))
    }

    @Test func `a value is repeated in a message unless a link may stand in it`() {
        #expect(ConfigurationFile.quoted("loud") == "'loud'")
        for link in ["mingle://relay/SECRET", "x mingle:SECRET", String(repeating: "S", count: 61)] {
            #expect(!ConfigurationFile.quoted(link).contains("S"))
        }
    }

    @Test func `a key that stands on two lines is refused with both, unless it may be repeated`() async throws {
        let file = try await read("port = 1\npeer = a:1\n# One\nport = 2\npeer = a:2\n")
        let error = try #require(throws: ConfigurationError.self) { try file.requireOnce(but: ["peer"]) }
        #expect("\(error)".contains("line 4: ") && "\(error)".contains("'port'") && "\(error)".contains("line 1"))
        try file.requireOnce(but: ["peer", "port"])
    }

    @Test func `a section has the keys of a command, and those before the first section are for every command`()
        async throws
    {
        let file = try await read(
            "peer = a:1\nlog-level = info\nport = 1\n[run]\nport = 2\npeer = a:2\n[ relay ]\nport = 3\n"
        )
        #expect(file.sections.map(\.name) == ["run", "relay"] && file.sections.map(\.line) == [4, 7])
        func values(_ section: String) -> [String] { file.entries(of: section, repeatable: ["peer"]).map(\.value) }
        #expect(values("run") == ["a:1", "info", "2", "a:2"])
        #expect(values("relay") == ["a:1", "info", "3"])
        #expect(values("door") == ["a:1", "info", "1"])
        try file.requireOnce(but: ["peer"])
    }

    @Test(arguments: ["[run", "[]", "[Run]", "[run] port = 1"])
    func `what is no section is refused with its line`(text: String) async throws {
        let error = try await #require(throws: ConfigurationError.self) { try await read("# One\n\(text)\n") }
        #expect("\(error)".contains("mingle.conf, line 2: Not a section."))
    }

    @Test(arguments: ["nohost", "a:0", "a:99999", ":1", "a b:1x", "[::1]", "http://a:1"])
    func `what is no address of a peer is told from one`(text: String) {
        #expect(!Node.isPeerAddress(text))
        for address in ["a:1", "192.0.2.7:4781", "[::1]:65535"] { #expect(Node.isPeerAddress(address)) }
    }

    @Test func `a file that is not there, is no text or is too long is refused with its name`() async throws {
        #expect(throws: ConfigurationError.self) { try ConfigurationFile(contentsOf: "/nowhere/mingle.conf") }
        let long = try await #require(throws: ConfigurationError.self) {
            try await read(String(repeating: "# A remark\n", count: 10_000))
        }
        #expect("\(long)".contains("64 KiB"))
    }

    @Test func `the nearest key is named, and none where none is near`() {
        let keys = ["peer-port", "port", "peer", "log-level", "log-format"]
        #expect(ConfigurationFile.nearest(to: "peer-prot", among: keys) == "peer-port")
        #expect(ConfigurationFile.nearest(to: "loglevel", among: keys) == "log-level")
        #expect(ConfigurationFile.nearest(to: "pear", among: keys) == "peer")
        #expect(ConfigurationFile.nearest(to: "bandwidth", among: keys) == nil)
        #expect(ConfigurationFile.nearest(to: "port", among: []) == nil)
    }
}

struct StructuredLogTests {
    /// What loggers wrote.
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    @Test func `a line of text stays one, whatever is in it`() {
        let (lines, settings) = (Lines(), LogSettings(level: .notice, format: .text))
        let logger = Logger(label: "test") { _ in StructuredLog(settings, write: { lines.add($0) }) }
        logger.notice("two\nlines", metadata: ["b": "2", "a": "1\r\n2"])
        logger.info("not written")
        #expect(lines.all.count == 1 && lines.all[0].hasSuffix("Z notice two lines a=1 2 b=2\n"))
    }

    // Reasons for which others do not let this node in are told in the log, and a terminal may show it.
    @Test func `a line of text drives no terminal, and turns round nothing`() {
        let (lines, settings) = (Lines(), LogSettings(level: .notice, format: .text))
        let logger = Logger(label: "test") { _ in StructuredLog(settings, write: { lines.add($0) }) }
        logger.notice("a\u{1b}]0;x\u{7}b", metadata: ["reason": "\u{9b}2J\u{202e}gnp\u{2066}\u{2028}"])
        #expect(lines.all.count == 1 && lines.all[0].hasSuffix("Z notice a ]0;x b reason= 2J gnp  \n"))
    }

    @Test func `a line of JSON is an object with time, level, message and what belongs to it`() throws {
        let (lines, settings) = (Lines(), LogSettings(level: .debug, format: .json))
        let logger = Logger(label: "test") { _ in StructuredLog(settings, write: { lines.add($0) }) }
        logger.error("a \"quote\"\n", metadata: ["event": "abc"])
        let object = try JSONDecoder().decode([String: String].self, from: Data(lines.all[0].utf8))
        #expect(object["message"] == "a \"quote\"\n" && object["level"] == "error" && object["event"] == "abc")
        #expect(object["time"]?.hasSuffix("Z") == true && object.count == 4)
        #expect(lines.all[0].filter(\.isNewline).count == 1)
    }

    @Test func `a level and a form that are set later hold for all loggers, but for their floors`() {
        let (lines, settings) = (Lines(), LogSettings(level: .error, format: .text))
        let node = Logger(label: "node") { _ in StructuredLog(settings, write: { lines.add($0) }) }
        let web = Logger(label: "web") { _ in StructuredLog(settings, floor: .critical, write: { lines.add($0) }) }
        node.info("one")
        settings.level = .debug
        settings.format = .json
        node.info("two")
        web.error("three")
        #expect(lines.all.count == 1 && lines.all[0].contains(#""message":"two""#))
    }
}
