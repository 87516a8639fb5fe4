// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
package import MingleNode
import ServiceLifecycle

/// Says where visitors look once there is something to see, and what becomes of it; ends the start if there never will be.
package struct DoorPoster: Service {
    /// What is around it.
    package struct Surroundings: Sendable {
        /// Whether the lines go to a terminal, where the code may stand; else they may go to a log, which has none.
        let isTerminal: Bool
        /// The addresses that the machine has now, the likeliest first.
        let machine: @Sendable () -> [String]
        /// When to look at them again.
        let ticks: @Sendable () -> AsyncStream<Void>
        /// Says lines to the operator.
        let say: @Sendable ([String]) -> Void

        /// Takes all of it.
        package init(
            isTerminal: Bool,
            machine: @escaping @Sendable () -> [String],
            ticks: @escaping @Sendable () -> AsyncStream<Void>,
            say: @escaping @Sendable ([String]) -> Void
        ) {
            (self.isTerminal, self.machine, self.ticks, self.say) = (isTerminal, machine, ticks, say)
        }
    }

    private let node: Node
    private let code: DoorCode
    private let place: PosterPlace
    private let around: Surroundings

    /// Puts up the poster of the event that `node` shows to visitors who know `code`.
    package init(_ node: Node, code: DoorCode, at place: PosterPlace, _ around: Surroundings) {
        (self.node, self.code, self.place, self.around) = (node, code, place, around)
    }

    /// Waits for the event, and then keeps the poster right until the node stops.
    package func run() async throws {
        let title = try await cancelWhenGracefulShutdown { try await node.awaitDoor(tell) }
        guard title != nil else { return }
        try await cancelWhenGracefulShutdown { try await keepRight() }
    }

    private func keepRight() async throws {
        var notices = PosterNotices(place, path: DoorServer.path(of: code))
        var (isUp, hasFailed) = (false, false)
        for await _ in node.looks(also: around.ticks()) {
            guard let state = try? node.doorState() else { continue }
            let before = notices
            do {
                for step in notices.steps(for: state, machine: around.machine()) { try take(step) }
                (isUp, hasFailed) = (true, false)
            } catch  where isUp {
                // The page is there all the same, and the next look tries again.
                notices = before
                if !hasFailed {
                    around.say(["The poster was not written: \((error as? API.Problem)?.detail ?? "\(error)")"])
                }
                hasFailed = true
            }
        }
    }

    private func take(_ step: PosterNotices.Step) throws {
        switch step {
        case .putUp(let title, let addresses):
            try write(addresses)
            var lines = ["Phones take part in \(title) by this code."]
            if place.isMoving, around.machine().isEmpty {
                lines.append(
                    "This machine has no network yet, so nobody else can open the page. The address appears here once it has."
                )
            }
            around.say(lines + (try words(for: addresses)) + ["Stop with Ctrl-C."])
        case .move(let addresses):
            try write(addresses)
            let lines = [
                "This machine has another address now. Codes that were printed before do not work. Print the new one."
            ]
            around.say(lines + (try words(for: addresses)))
        case .amend(let addresses): try write(addresses)
        case .takeDown: node.takeDownPoster()
        case .say(let words): around.say([words])
        }
    }

    private func write(_ addresses: [String]) throws {
        guard let best = addresses.first else { return }
        try node.note(address: addresses.joined(separator: "\n"), picture: QRCode(best.uppercased()).svg)
    }

    private func words(for addresses: [String]) throws -> [String] {
        let files = node.posterFiles.joined(separator: " and ")
        guard around.isTerminal, let best = addresses.first else {
            return ["The code and the address are in \(files), which only this user can read."]
        }
        return [try QRCode(best.uppercased()).terminalText] + addresses + [
            "Everybody with this address sees the event, and can take part. To print it: \(files)"
        ]
    }

    private func tell(_ state: DoorState) {
        switch state {
        case .looking: around.say(["Looking for a participant of the event…"])
        case .asking(let who, let fingerprint):
            around.say([
                "\(who) has to let this door in. In the list of people it has this fingerprint: \(fingerprint)"
            ])
        case .nameless: around.say([DoorState.waitingForName])
        case .raised(let level, _):
            around.say(["This door is \(level) now. It shows nothing until a host puts it back."])
        case .refused, .open, .out: break
        }
    }
}
