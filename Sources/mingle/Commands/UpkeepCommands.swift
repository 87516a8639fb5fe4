// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Glibc
import MingleNode
import NIOHTTP1

/// What is done to stored data: by the node that runs on it, or by this process where none does.
struct UpkeepOptions: ParsableArguments {
    @OptionGroup var data: DataOption

    @Flag(name: .long, help: "Print JSON, whose fields stay stable.")
    var json = false

    /// Asks the node, or else opens the folder, and shows meanwhile how far it is; `path` is where the node says that.
    func perform<Value>(
        _ path: String,
        _ progress: Progress,
        _ ask: (NodeClient) async throws -> Value,
        orOnFolder body: (DataFolder, _ tell: @escaping @Sendable (API.HowFar) -> Void) throws -> Value
    ) async throws -> Value {
        try await progress.shown {
            do {
                let client = NodeClient(dataPath: data.path)
                // Ends with this block.
                async let _: Void = Self.watch(client, path, progress)
                return try await ask(client)
            } catch is NoNodeError {
                // To open a folder makes it one of Mingle's.
                guard DataFolder.isOne(data.path) else {
                    throw API.Problem(
                        .notFound,
                        "There is no data folder of Mingle at \(data.path). Name another with --data DIR."
                    )
                }
                return try body(DataFolder(data.path)) { progress.set($0.done, of: $0.total) }
            }
        }
    }

    /// Asks a node how far it is, where somebody looks.
    private static func watch(_ node: NodeClient, _ path: String, _ progress: Progress) async {
        guard progress.isShown else { return }
        while (try? await Task.sleep(for: .milliseconds(100))) != nil {
            guard let far: API.HowFar = try? await node.get(path) else { continue }
            progress.set(far.done, of: far.total)
        }
    }

    /// Prints a value as JSON, or as `text` says.
    func show(_ value: some Encodable, _ text: @autoclosure () -> String) throws {
        try StandardOutput.print(json ? String(decoding: try API.encode(value), as: UTF8.self) : text())
    }
}

/// Which of the stored events is meant.
struct StoredEventOption: ParsableArguments {
    @Option(help: "The event's id; all events where none is named.")
    var event: String?

    /// A path of the API that concerns it.
    func path(_ path: String) -> String { Query.path(path, ["event": event]) }
}

/// Looks at all that is stored.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Look whether all that is stored is as it was written.",
        discussion: """
            Reads every byte: databases, the hashes and signatures of journals, keys, and the parts of pictures; and works all
            records out again in a copy. A node that runs goes on meanwhile. Exits with 15 if anything is damaged; mingle repair
            then drops that and fetches it from others. Exits with 3 if something could not be looked at.
            """
    )
    @OptionGroup var options: UpkeepOptions
    @OptionGroup var one: StoredEventOption

    func run() async throws {
        let found: API.Verification = try await options.perform("verify", Progress("Looking")) {
            try await $0.send(.POST, one.path("verify"))
        } orOnFolder: {
            try $0.verify(event: one.event, tell: $1)
        }
        try options.show(
            found,
            found.events.isEmpty ? "There are no events." : found.events.map(Self.text).joined(separator: "\n")
        )
        if found.events.contains(where: { !$0.damages.isEmpty }) { throw ExitCode(API.Problem.Name.damagedCode) }
        if !found.sound || found.events.contains(where: { !$0.skipped.isEmpty }) { throw Failure.PartlyDone() }
    }

    private static func text(_ event: API.EventVerification) -> String {
        let read = "\(event.headers) deltas, \(event.signatures) signatures, \(event.blobs) blobs"
        let damages = event.damages.map { damage in
            "  \(damage.part)\(damage.name.map { " \($0)" } ?? ""): \(damage.detail)"
        }
        let skipped = event.skipped.map { "  not looked at: \($0)" }
        let state =
            if !event.damages.isEmpty {
                "DAMAGED: run `mingle repair`"
            } else if !event.sound {
                "NOT LOOKED AT"
            } else {
                event.skipped.isEmpty ? "sound" : "sound, as far as it was looked at"
            }
        return (["\(event.id.prefix(8))  \(state)  (\(read))"] + damages + skipped).joined(separator: "\n")
    }
}

/// Drops what is damaged and fetches it again.
struct RepairCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Drop what is damaged, and fetch it again from others.",
        discussion: """
            What can be read and proved of a damaged event is kept; the rest is fetched from other nodes like what they have
            written since. Where it is not certain that all is there that this device ever wrote, the node goes on as a new
            device of yours. Exits with 3 if something is still missing, or an event could not be repaired.
            """
    )
    /// How long nothing may be missing before it is believed.
    private static let settling = Duration.seconds(3)

    @OptionGroup var options: UpkeepOptions
    @OptionGroup var one: StoredEventOption
    @Option(name: .long, help: "How many seconds to wait for what is fetched.")
    var wait = 30

    func validate() throws {
        guard (0...86_400).contains(wait) else { throw ValidationError("--wait takes 0 to 86400 seconds.") }
    }

    func run() async throws {
        var repair: API.Repair = try await options.perform("repair", Progress("Repairing")) {
            try await $0.send(.POST, one.path("repair"))
        } orOnFolder: {
            try $0.repair(event: one.event, tell: $1)
        }
        var isWhole = repair.events.allSatisfy { $0.problem == nil }
        for place in repair.events.indices where repair.events[place].hasLost {
            repair.events[place].missing = try? await missing(of: repair.events[place].id)
            isWhole = isWhole && repair.events[place].missing.map(\.isNothing) ?? false
        }
        try options.show(
            repair,
            repair.events.isEmpty ? "There are no events." : repair.events.map(\.text).joined(separator: "\n")
        )
        if !isWhole { throw ExitCode(3) }
    }

    /// What an event lacks once nothing more comes, or after the time that was given.
    private func missing(of event: String) async throws -> API.Missing {
        let client = NodeClient(dataPath: options.data.path)
        let deadline = ContinuousClock.now + .seconds(wait)
        var wholeSince: ContinuousClock.Instant?
        while true {
            let missing: API.Missing = try await client.get("missing?event=\(event)")
            let peers: API.Envelope.Peers = try await client.get("peers?event=\(event)")
            let (states, now) = (peers.peers.map(\.state), ContinuousClock.now)
            let isWhole = missing.isNothing && !Set(states).isDisjoint(with: ["level", "syncing"])
            wholeSince = isWhole ? wholeSince ?? now : nil
            // Who has just been met may not have told yet what it holds; and it is level only when that is compared again.
            let isSettled = wholeSince.map { states.contains("level") || now - $0 > Self.settling } ?? false
            if isSettled || now >= deadline { return missing }
            try await Task.sleep(for: .milliseconds(300))
        }
    }
}

extension API.EventRepair {
    /// Whether anything is to be fetched again.
    fileprivate var hasLost: Bool {
        deltasLost > 0 || database == "empty" || newDevice || blobsDropped + chunksDropped > 0
    }

    fileprivate var text: String {
        if let problem { return "\(id.prefix(8))  NOT REPAIRED: \(problem)" }
        var lines = ["\(id.prefix(8))  database: \(database)"]
        if database == "rebuilt" { lines.append("  \(deltasSaved) deltas saved, \(deltasLost) lost") }
        if ownDeltasLost > 0 {
            lines.append("  \(ownDeltasLost) of these were written here: what nobody else holds of them is gone")
        }
        if database == "empty" {
            lines.append("  nothing could be read: everything is fetched anew, and what nobody else holds is gone")
        }
        if mutedLost { lines.append("  whom you muted could not all be read: look at the people, and mute them again") }
        if newDevice { lines.append("  this node goes on as a new device of yours") }
        if let kept { lines.append("  the damaged database is kept as \(kept): delete it when nothing is missing") }
        if blobsMended + blobsDropped > 0 {
            lines.append("  blobs: \(blobsMended) mended, \(blobsDropped) dropped, \(chunksDropped) parts to fetch")
        }
        guard hasLost else { return lines.joined(separator: "\n") }
        guard let missing else {
            return (lines + ["  start the node: it fetches what is missing"]).joined(separator: "\n")
        }
        lines.append("  still missing: \(missing.deltas) deltas, \(missing.payloads) payloads, \(missing.blobs) blobs")
        lines += missing.peers.map { peer in
            "    \(peer.person?.name ?? peer.address) has \(peer.deltas) of these deltas and \(peer.blobs) of these blobs"
        }
        return lines.joined(separator: "\n")
    }
}

extension API.Missing {
    fileprivate var isNothing: Bool { deltas + payloads + blobs == 0 }
}
