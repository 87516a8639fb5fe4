// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Logging
package import MingleAPI
import MingleModel
package import MingleNode
import MinglePeering
import ServiceLifecycle

/// The door beside a person's node, in the folder `door` of the node's data folder: opened on demand, and again after a
/// restart until it is closed.
package actor HostedDoor: Service {
    /// A door that runs.
    private struct Running {
        let opened: OpenedDoor
        let listen: ListeningAddress
        let code: DoorCode
        let node: Node
        let task: Task<Void, any Error>
    }

    /// Where phones reach a door that nobody gave an address.
    package static let usualAddress = "0.0.0.0:8080"
    /// How long opening waits until the owner's node has let the door in.
    private static let patience = Duration.seconds(10)

    private let owner: Node
    private let folder: String
    private let logger: Logger
    private let serverLogger: Logger
    private let reopens: Bool
    private var running: Running?
    private var isChanging = false

    /// A door beside `owner`, which keeps its data in `folder`.
    ///
    /// - Parameter reopens: Whether what was open at the last stop opens by itself, and nobody opens it at the start.
    package init(of owner: Node, in folder: String, reopens: Bool, logger: Logger, serverLogger: Logger) {
        (self.owner, self.folder, self.logger, self.serverLogger) = (owner, folder + "/door", logger, serverLogger)
        self.reopens = reopens
    }

    /// Opens what was open at the last stop, and closes the servers at the end.
    package func run() async throws {
        if reopens, running == nil, let opened = owner.openedDoor {
            do { try await start(opened, link: nil) } catch {
                owner.warn("The door for phones did not start: \((error as? API.Problem)?.detail ?? "\(error)")")
            }
        }
        try? await gracefulShutdown()
        running?.task.cancel()
        _ = await running?.task.result
        running = nil
    }

    /// Opens the door of an event, or opens it anew under other terms.
    ///
    /// - Throws: `API.Problem` where the person may not let phones in, or the address is taken.
    package func open(_ new: API.NewDoor, event: String?) async throws -> API.Door {
        try beginChange()
        defer { isChanging = false }
        try new.wifi?.requireValid()
        let event = try owner.id(of: event)
        let known = owner.openedDoor
        if let known, known.event != event {
            throw API.Problem(.conflict, "The door of this node belongs to another event. Close it there first.")
        }
        let new = new.over(known?.terms)
        let made = known == nil ? try owner.invite(expires: nil, uses: nil, isForDoor: true, in: event) : nil
        await stop()
        let opened = OpenedDoor(event: event, terms: new)
        do {
            try await start(opened, link: made?.link)
            try owner.remember(door: opened)
        } catch {
            await stop()
            // Nothing is left of a door that did not open, and one that was open is open again.
            if let made {
                _ = try? owner.closeInvitation(made.id, event: event)
                try? FileManager.default.removeItem(atPath: folder)
            }
            if let known { try? await start(known, link: nil) }
            throw error
        }
        return try await shown()
    }

    /// Ends the door for everybody, and deletes its folder.
    package func close(isForced: Bool) async throws -> API.Door {
        try beginChange()
        defer { isChanging = false }
        guard let running else { throw API.Problem(.notFound, "This node has no open door.") }
        let door = try owner.closeDoor(running.node.doorPerson ?? "", isForced: isForced, event: running.opened.event)
        await stop()
        try owner.remember(door: nil)
        try? FileManager.default.removeItem(atPath: folder)
        return door
    }

    /// Whether a person of the event is this door.
    package func isThis(_ person: String) -> Bool { running?.node.doorPerson == person }

    /// Gives the door a new code: the old one lets nobody in any more.
    package func renewCode() async throws -> API.Door {
        try beginChange()
        defer { isChanging = false }
        guard let opened = running?.opened else { throw API.Problem(.notFound, "This node has no open door.") }
        await stop()
        try await start(opened, link: nil, isNewCode: true)
        return try await shown()
    }

    /// How it is with the door beside this node; nil where there is none.
    package var own: API.OwnDoor? {
        guard let running else { return nil }
        let place = PosterPlace(running.listen, hosts: [])
        let addresses = place.addresses(DoorServer.path(of: running.code), machine: Node.localHosts())
        let terms = running.opened.terms
        return API.OwnDoor(
            addresses: addresses,
            held: terms.held ?? false,
            dropOnly: terms.dropOnly ?? false,
            wifi: terms.wifi?.ssid
        )
    }

    /// The Wi-Fi that the poster leads to.
    package var wifi: API.Wifi? { running?.opened.terms.wifi }

    // MARK: - Steps

    private func beginChange() throws {
        guard !isChanging else { throw API.Problem(.conflict, "The door is being opened or closed. Wait a moment.") }
        isChanging = true
    }

    private func shown() async throws -> API.Door {
        guard let running, let person = running.node.doorPerson else {
            throw API.Problem(.notFound, "This node has no open door.")
        }
        let doors = try owner.doors(event: running.opened.event).doors
        guard var door = doors.first(where: { $0.person.id == person }) else {
            throw API.Problem(
                .unavailable,
                "The door has started, and nobody has let it in yet. Try again in a moment."
            )
        }
        door.own = own
        return door
    }

    private func start(_ opened: OpenedDoor, link: String?, isNewCode: Bool = false) async throws {
        let listen = try ListeningAddress(reading: opened.terms.listen ?? Self.usualAddress)
        try await listen.requireFree("--open", machine: Node.localHosts())
        var configuration = NodeConfiguration(
            dataPath: folder,
            peers: ["127.0.0.1:\(owner.peerPort)"],
            discovers: false
        )
        (configuration.isDoor, configuration.tellsNearby) = (true, false)
        let node = try Node(configuration, logger: logger)
        try await node.show(by: link.map { try Node.readDoorLink($0) }, named: opened.terms.name)
        let code = try node.doorCode(isNew: isNewCode)
        let terms = DoorTerms(holdsBack: opened.terms.held ?? false, isDropOnly: opened.terms.dropOnly ?? false)
        let server = DoorServer(try Door(node, terms), code: code, names: [], logger: serverLogger)
        try? FileManager.default.removeItem(atPath: node.socketPath)
        try await node.listen()
        let services: [any Service] = [
            server.operatorServer(), server.guestServer(host: listen.host, port: listen.port),
        ]
        let task = Task {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await node.run() }
                for service in services { group.addTask { try await service.run() } }
                defer { group.cancelAll() }
                try await group.next()
            }
        }
        running = Running(opened: opened, listen: listen, code: code, node: node, task: task)
        try await waitUntilOpen(node)
    }

    /// Waits until the owner's node has let the door in, and knows that it is one.
    private func waitUntilOpen(_ node: Node) async throws {
        let owner = owner
        let isOpen: @Sendable () -> Bool = {
            guard case .open? = try? node.doorState(), let person = node.doorPerson else { return false }
            let doors = try? owner.doors(event: node.doorEvent).doors
            return doors?.contains { $0.person.id == person } ?? false
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = await owner.changes.wait(until: isOpen) }
            group.addTask { try await Task.sleep(for: Self.patience) }
            try await group.next()
            group.cancelAll()
        }
    }

    private func stop() async {
        running?.task.cancel()
        _ = await running?.task.result
        running = nil
    }
}
