// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleCommandLine
import MingleNode
import MingleWeb
import ServiceLifecycle

/// Opens the door that `mingle run --open` asks for as soon as the node has an event, and says where phones find it.
struct Opening: Service {
    private let door: HostedDoor
    private let node: Node
    private let address: ListeningAddress?

    /// - Parameter address: Where phones reach the door; nil: none is asked for.
    init(_ door: HostedDoor, of node: Node, at address: ListeningAddress?) {
        (self.door, self.node, self.address) = (door, node, address)
    }

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            let node = node
            if let address {
                _ = await node.changes.wait { (try? node.id(of: nil)) != nil }
                try await open(at: address)
            }
            try await gracefulShutdown()
        }
    }

    private func open(at address: ListeningAddress) async throws {
        do {
            var terms = node.openedDoor?.terms ?? API.NewDoor()
            terms.listen = "\(address)"
            let opened = try await door.open(terms, event: node.openedDoor?.event)
            let lines = ["Phones take part at:"] + (opened.own?.addresses ?? []).map { "  \($0)" }
            try? StandardOutput.print(lines.joined(separator: "\n"))
        } catch let problem as API.Problem {
            node.warn("The door for phones did not open: \(problem.detail)")
            try? StandardOutput.print("The door for phones did not open: \(problem.detail)")
        }
    }
}
