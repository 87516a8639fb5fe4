// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleCrypto
import MingleModel
import MingleNode
import MingleWire
import Testing

/// The channel against another implementation: Tests/Python/noise_peer.py, on the PyPI package noiseprotocol.
@Suite(.serialized, .timeLimit(.minutes(5)), .enabled(if: Python.hasNoise, "MINGLE_PYTHON names no Python with noise"))
struct TransportOracleTests {
    private let psk = [UInt8](repeating: 1, count: 32).map { String(format: "%02x", $0) }.joined()

    @Test func `a Python initiator shakes hands and exchanges messages with the node`() async throws {
        let node = try TransportNode()
        let port = try await node.transport.listen(on: 0)
        let python = try Python.run(["initiator", "127.0.0.1", "\(port)", psk])
        let (id, opening) = try await node.nextOpening()
        #expect(try await node.nextMessage() == (.control, Array("hello from python".utf8)))
        #expect(node.transport.send([1, 2, 3], on: .control, to: id) == .accepted)
        #expect(try await node.nextClosing() == .byPeer)
        #expect(python.wait() == ["hash \(Self.hex(opening.handshakeHash))", "received 010203"])
        await node.transport.shutDown()
    }

    @Test func `a Python responder shakes hands and exchanges messages with the node`() async throws {
        let node = try TransportNode()
        let python = try Python.run(["responder", "0", psk])
        let announced = try #require(python.nextLine()?.split(separator: " ").last)
        let port = try #require(Int(announced))
        let id = try await node.transport.dial(host: "127.0.0.1", port: port, event: TransportNode.event(1))
        let (_, opening) = try await node.nextOpening()
        #expect(node.transport.send([4, 5], on: .control, to: id) == .accepted)
        #expect(try await node.nextMessage() == (.control, Array("hello from python".utf8)))
        #expect(try await node.nextClosing() == .byPeer)
        #expect(python.wait() == ["hash \(Self.hex(opening.handshakeHash))", "received 0405"])
        await node.transport.shutDown()
    }

    @Test func `a Python initiator with another psk gets no answer`() async throws {
        let node = try TransportNode()
        let port = try await node.transport.listen(on: 0)
        let python = try Python.run(["initiator", "127.0.0.1", "\(port)", String(psk.reversed())])
        #expect(python.wait() == [])
        #expect(python.exitCode == 1)
        await node.transport.shutDown()
    }

    private static func hex(_ hash: Bytes32) -> String {
        hash.bytes.map { String(format: "%02x", $0) }.joined()
    }
}

/// The interpreter that the environment variable MINGLE_PYTHON names, running the oracle.
final class Python {
    private let process = Process()
    private let output = Pipe()
    private var unread: [UInt8] = []

    /// Whether the interpreter can import the oracle's module.
    static let hasNoise: Bool = {
        guard let path = ProcessInfo.processInfo.environment["MINGLE_PYTHON"] else { return false }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["-c", "import noise"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    /// Starts the oracle.
    static func run(_ arguments: [String]) throws -> Python {
        let python = Python()
        let path = try #require(ProcessInfo.processInfo.environment["MINGLE_PYTHON"])
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        python.process.executableURL = URL(fileURLWithPath: path)
        python.process.arguments = [tests.appendingPathComponent("Python/noise_peer.py").path] + arguments
        python.process.standardOutput = python.output
        python.process.standardError = FileHandle.nullDevice
        try python.process.run()
        return python
    }

    /// Its exit code, once it has ended.
    var exitCode: Int32 { process.terminationStatus }

    /// The next line that it prints; nil at the end.
    func nextLine() -> String? {
        while !unread.contains(0x0A) {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { break }
            unread += more
        }
        guard let end = unread.firstIndex(of: 0x0A) else { return nil }
        defer { unread.removeFirst(end + 1) }
        return String(decoding: unread[..<end], as: UTF8.self)
    }

    /// All lines that are left, once it has ended.
    func wait() -> [String] {
        var lines: [String] = []
        while let line = nextLine() { lines.append(line) }
        process.waitUntilExit()
        return lines
    }
}
