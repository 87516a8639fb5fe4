// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Logging
import MingleNode

extension BenchCommand {
    /// Measures a relay that many devices are linked to.
    struct Crowd: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let many devices come in by one relay, and share something through it.",
            discussion: """
                The devices are whole nodes, all in this process; the relay is a process of its own, and its memory is what is \
                measured. They share this machine's processors, so times are of little meaning.
                """
        )
        @Option(help: "Devices that are linked to the relay.") var devices = 1000
        @OptionGroup var output: BenchOutput

        /// Seconds, and bytes of the relay's memory.
        private struct Figures: Encodable {
            let devices: Int
            /// Until all had come in and the relay had a connection to each.
            var connected = 0.0
            /// From then until all held the same.
            var level = 0.0
            /// From a new name of one until every other showed it.
            var heard = 0.0
            /// Resident bytes of the relay at most.
            var peakMemory = 0
            /// What each held then.
            var deltas = 0
        }

        /// Devices that come in at the same time; more from one address are kept at the door.
        private static let comingAtOnce = 8

        func validate() throws {
            try BenchCommand.require(devices, in: 2...1900, "devices")
        }

        func run() async throws {
            OpenFiles.allowMany()
            let figures = try await BenchCommand.inFolder("crowd") { try await measure(in: $0) }
            try output.show(figures) {
                [
                    ["connected after", BenchCommand.text(seconds: figures.connected)],
                    ["level after", BenchCommand.text(seconds: figures.level)],
                    ["a new name was everywhere after", BenchCommand.text(seconds: figures.heard)],
                    ["deltas", "\(figures.deltas)"],
                    ["memory of the relay", "\(figures.peakMemory >> 20) MiB"],
                ]
            }
        }

        private func measure(in folder: String) async throws -> Figures {
            try await withThrowingTaskGroup(of: Void.self) { running in
                defer { running.cancelAll() }
                let founder = try node("founder", in: folder)
                running.addTask { try await founder.run() }
                try await founder.listen()
                _ = try await founder.createEvent(title: "Benchmark")
                let link = try founder.invitation(event: nil).link
                let relayLink = try founder.invite(as: "relay", expires: nil, uses: nil, in: nil).link
                let relay = try BenchedNode(on: folder + "/relay", peer: founder.peerPort, relaying: relayLink)
                defer { relay.stop() }
                let _: Bool = try await relay.wait("for the relay") { client in
                    let status: API.Status? = try? await client.get("status")
                    return status?.relay?.events.first?.state == "relaying" ? true : nil
                }
                let address = "127.0.0.1:\(try relay.peerPort())"
                let crowd = try (1...devices).map { try node("device-\($0)", in: folder, peers: [address]) }
                for device in crowd { running.addTask { try await device.run() } }
                return try await measure(crowd, comingBy: link, through: relay)
            }
        }

        /// A node that is not run yet.
        private func node(_ name: String, in folder: String, peers: [String] = []) throws -> Node {
            var configuration = NodeConfiguration(dataPath: "\(folder)/\(name)", peers: peers, discovers: false)
            configuration.joinTimeout = BenchedNode.patience
            var logger = Logger(label: "mingle")
            logger.logLevel = .critical
            return try Node(configuration, logger: logger)
        }

        private func measure(_ crowd: [Node], comingBy link: String, through relay: BenchedNode) async throws -> Figures
        {
            var figures = Figures(devices: crowd.count)
            let clock = ContinuousClock()
            let start = clock.now
            func elapsed() -> Double { (clock.now - start) / .seconds(1) }
            try await withThrowingTaskGroup(of: Void.self) { coming in
                for (number, device) in crowd.enumerated() {
                    if number >= Self.comingAtOnce { try await coming.next() }
                    coming.addTask { _ = try await device.join(link: link) }
                }
                try await coming.waitForAll()
            }
            figures.connected = try await relay.wait("for connections", pause: .milliseconds(100)) { client in
                let status: API.Status = try await client.get("status")
                // The founder's is one more.
                return status.relay?.connections ?? 0 > crowd.count ? elapsed() : nil
            }
            figures.deltas = try await relay.wait("until all hold the same", pause: .milliseconds(500)) { client in
                let status: API.Status = try await client.get("status")
                let held = try crowd.map { try $0.status(event: nil).sync.records }
                guard let deltas = status.relay?.events.first?.deltas, held.allSatisfy({ $0 == deltas }) else {
                    return nil
                }
                return deltas
            }
            figures.level = elapsed() - figures.connected
            let said = elapsed()
            _ = try crowd[0].rename(to: "Heard by all", event: nil)
            figures.heard = try await relay.wait("for a name", pause: .milliseconds(50)) { _ in
                let isHeard = try crowd.allSatisfy { device in
                    try device.people(event: nil).people.contains { $0.name == "Heard by all" }
                }
                return isHeard ? elapsed() - said : nil
            }
            figures.peakMemory = try relay.peakMemory()
            return figures
        }
    }
}
