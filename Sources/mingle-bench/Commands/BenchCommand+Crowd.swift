// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Logging
import MingleAPI
import MingleClient
import MingleCommandLine
import MingleNode

extension BenchCommand {
    /// Measures a relay that many devices are linked to.
    struct Crowd: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let many devices come in by one relay, and share something through it.",
            discussion: """
                The relay is a process of its own, and its memory is what is measured. The devices are all in this process: some \
                are whole nodes; the others have keys, an admission, a connection and an engine each, ask the relay for \
                everything as nodes do, and share one store for what they get. All share this machine's processors, so \
                times are of little meaning.
                """
        )
        @Option(help: "Devices that are linked to the relay.") var devices = 1000
        @Option(help: "Of these, whole nodes.") var whole = 50
        @OptionGroup var output: BenchOutput

        /// Seconds, and bytes of the relay's memory.
        private struct Figures: Encodable {
            let devices: Int
            let wholeNodes: Int
            /// Until all had come in and the relay had a connection to each.
            var connected = 0.0
            /// From then until all held the same.
            var inSync = 0.0
            /// From a new name of one until it was everywhere.
            var heard = 0.0
            /// From as many new names at once as there are whole nodes until all were everywhere.
            var allHeard = 0.0
            /// The relay's computing for these, in seconds.
            var relayProcessor = 0.0
            /// Resident bytes of the relay at most.
            var peakMemory = 0
            /// What each held before the name.
            var deltas = 0
        }

        /// Devices that come in at the same time; more from one address are kept at the door.
        private static let comingAtOnce = 8
        private static let name = "Heard by all"

        func validate() throws {
            try BenchCommand.require(devices, in: 2...1900, "devices")
            try BenchCommand.require(whole, in: 1...1900, "whole nodes")
        }

        func run() async throws {
            OpenFiles.allowMany()
            let figures = try await BenchCommand.inFolder("crowd") { try await measure(in: $0) }
            try output.show(figures) {
                [
                    ["devices", "\(figures.devices), of which \(figures.wholeNodes) whole nodes"],
                    ["connected after", BenchCommand.text(seconds: figures.connected)],
                    ["in sync after", BenchCommand.text(seconds: figures.inSync)],
                    ["a new name was everywhere after", BenchCommand.text(seconds: figures.heard)],
                    [
                        "\(figures.wholeNodes) at once after",
                        "\(BenchCommand.text(seconds: figures.allHeard)), \(BenchCommand.text(seconds: figures.relayProcessor)) of "
                            + "the relay's computing",
                    ],
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
                _ = try await founder.createEvent(API.Envelope.NewEvent(title: "Benchmark"))
                let link = try founder.invitation(event: nil).link
                let relayLink = try founder.invite(as: "relay", expires: nil, uses: nil, in: nil).link
                let relay = try BenchedNode(on: folder + "/relay", peer: founder.peerPort, relaying: relayLink)
                defer { relay.stop() }
                let _: Bool = try await relay.wait("for the relay") { client in
                    let status: API.Status? = try? await client.get("status")
                    return status?.relay?.events.first?.state == "relaying" ? true : nil
                }
                let crowd = try crowd(in: folder, link: link, relayPort: relay.peerPort())
                for device in crowd { running.addTask { try await device.run() } }
                return try await measure(crowd, comingBy: link, through: relay)
            }
        }

        /// The devices, of which none runs yet; whole nodes come between the others.
        private func crowd(in folder: String, link: String, relayPort: Int) throws -> [CrowdDevice] {
            let store = try LightStore(for: link, folder: folder + "/light")
            return try (0..<devices).map { number in
                let isWhole = number * whole / devices != (number + 1) * whole / devices
                guard isWhole else { return .light(try LightDevice(store), store) }
                return .whole(try node("device-\(number)", in: folder, peers: ["127.0.0.1:\(relayPort)"]))
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

        private func measure(
            _ crowd: [CrowdDevice],
            comingBy link: String,
            through relay: BenchedNode
        ) async throws -> Figures {
            let nodes = crowd.compactMap { if case .whole(let node) = $0 { node } else { nil } }
            var figures = Figures(devices: crowd.count, wholeNodes: nodes.count)
            let clock = ContinuousClock()
            let start = clock.now
            func elapsed() -> Double { (clock.now - start) / .seconds(1) }
            try await comeIn(crowd, by: link, relayPort: relay.peerPort())
            figures.connected = try await relay.wait("for connections", pause: .milliseconds(100)) { client in
                try await relayed(by: client).connections > crowd.count ? elapsed() : nil
            }
            var (rest, known) = (crowd, 0)
            figures.deltas = try await relay.wait("until all hold the same", pause: .milliseconds(500)) { client in
                let deltas = try await relayed(by: client).events.first?.deltas ?? 0
                if deltas != known { (rest, known) = (crowd, deltas) }
                rest = try await rest.lacking { try await $0.holds(deltas: deltas) }
                return rest.isEmpty ? deltas : nil
            }
            figures.inSync = elapsed() - figures.connected
            let said = elapsed()
            _ = try await nodes[0].rename(to: Self.name, event: nil)
            rest = crowd
            figures.heard = try await relay.wait("for a name", pause: .milliseconds(50)) { _ in
                rest = try await rest.lacking { try await $0.shows(name: Self.name, deltas: figures.deltas + 1) }
                return rest.isEmpty ? elapsed() - said : nil
            }
            try await sayAtOnce(nodes, heardBy: crowd, through: relay, &figures)
            guard try await relayed(by: relay.client).connections > crowd.count else {
                throw BenchError("Links to the relay ended before everybody had heard all.")
            }
            figures.peakMemory = try relay.peakMemory()
            return figures
        }

        /// Lets each whole node take a name at once, until everybody holds all.
        private func sayAtOnce(
            _ nodes: [Node],
            heardBy crowd: [CrowdDevice],
            through relay: BenchedNode,
            _ figures: inout Figures
        ) async throws {
            let deltas = figures.deltas + 1 + nodes.count
            let (clock, before) = (ContinuousClock(), try relay.processorTime())
            let start = clock.now
            for (number, node) in nodes.enumerated() {
                _ = try await node.rename(to: "\(Self.name) \(number)", event: nil)
            }
            var rest = crowd
            figures.allHeard = try await relay.wait("for all names", pause: .milliseconds(50)) { _ in
                rest = try await rest.lacking { try await $0.holds(deltas: deltas) }
                return rest.isEmpty ? (clock.now - start) / .seconds(1) : nil
            }
            figures.relayProcessor = try relay.processorTime() - before
        }

        private func relayed(by client: NodeClient) async throws -> API.Relay {
            let status: API.Status = try await client.get("status")
            guard let relay = status.relay else { throw BenchError("The relay says that it is none.") }
            return relay
        }

        /// Lets all come in, and says on the way how many have.
        private func comeIn(_ crowd: [CrowdDevice], by link: String, relayPort: Int) async throws {
            try await withThrowingTaskGroup(of: Void.self) { coming in
                for (number, device) in crowd.enumerated() {
                    if number >= Self.comingAtOnce { try await coming.next() }
                    coming.addTask { try await device.join(link: link, relayPort: relayPort) }
                    guard number > 0, number.isMultiple(of: 100) else { continue }
                    FileHandle.standardError.write(Data("\(number) devices came in …\n".utf8))
                }
                try await coming.waitForAll()
            }
        }
    }
}

extension [CrowdDevice] {
    /// Those of which something is not true yet.
    fileprivate func lacking(_ isTrue: (CrowdDevice) async throws -> Bool) async throws -> [CrowdDevice] {
        var rest: [CrowdDevice] = []
        for device in self where try await !isTrue(device) { rest.append(device) }
        return rest
    }
}
