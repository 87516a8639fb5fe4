// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleEvent
import MingleNode

/// One of the devices that a relay is measured with.
enum CrowdDevice: Sendable {
    /// A node as people run it.
    case whole(Node)
    /// One that leaves what it gets to a store which all such share.
    case light(LightDevice, LightStore)

    /// Runs until cancelled.
    func run() async throws {
        switch self {
        case .whole(let node): try await node.run()
        case .light(let device, _): await device.run()
        }
    }

    /// Comes to the event by a link, through a relay on this machine.
    func join(link: String, relayPort: Int) async throws {
        switch self {
        case .whole(let node): _ = try await node.join(link: link)
        case .light(let device, _): try await device.join(port: relayPort, timeout: BenchedNode.patience)
        }
    }

    /// Whether it holds so many deltas.
    func holds(deltas: Int) async throws -> Bool {
        switch self {
        case .whole(let node): try node.status(event: nil).sync.records == deltas
        case .light(let device, _): await device.heldDeltas == deltas
        }
    }

    /// Whether it holds so many deltas, and somebody in them is called so.
    func shows(name: String, deltas: Int) async throws -> Bool {
        switch self {
        case .whole(let node): try node.service(nil).people().people.contains { $0.name == name }
        case .light(let device, let store): try await device.heldDeltas == deltas && store.shows(name: name)
        }
    }
}
