// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Glibc
import MingleAPI
import MingleClient
import MingleCommandLine
import MingleModel
import MingleNode
import NIOHTTP1

/// Options of commands on stored data, which the running node does, or this process if no node runs.
struct UpkeepOptions: ParsableArguments {
    @OptionGroup var data: DataOption

    @Flag(name: .long, help: "Print JSON. Its fields are stable.")
    var json = false

    /// Asks the running node, or works on the folder itself, and shows the progress.
    ///
    /// - Parameters:
    ///   - path: where the node's API reports the progress.
    ///   - keys: asked for the passphrase of encrypted keys, if no node runs.
    func perform<Value>(
        _ path: String,
        _ progress: Progress,
        _ keys: PassphraseSource,
        _ ask: (NodeClient) async throws -> Value,
        orOnFolder body: (DataFolder, _ tell: @escaping @Sendable (API.HowFar) -> Void) throws -> Value
    ) async throws -> Value {
        let folder = try data.nodePath
        return try await progress.shown {
            do {
                let client = NodeClient(dataPath: folder)
                // Cancelled at the end of this block.
                async let _: Void = Self.watch(client, path, progress)
                return try await ask(client)
            } catch is NoNodeError {
                // Opening a folder would turn it into a data folder.
                guard DataFolder.isOne(folder) else { throw Self.notAFolder(folder) }
                let passphrase = try keys.passphrase(of: folder)
                return try body(DataFolder(folder, passphrase: passphrase)) { progress.set($0.done, of: $0.total) }
            }
        }
    }

    /// The problem with a folder that no node has used.
    static func notAFolder(_ path: String) -> API.Problem {
        API.Problem(.notFound, "\(path) is not a Mingle data folder. Name another one: --data DIR")
    }

    /// Shows the progress of a node, if progress is shown at all.
    private static func watch(_ node: NodeClient, _ path: String, _ progress: Progress) async {
        guard progress.isShown else { return }
        while (try? await Task.sleep(for: .milliseconds(100))) != nil {
            guard let far: API.HowFar = try? await node.get(path) else { continue }
            progress.set(far.done, of: far.total)
        }
    }

    /// Prints a value as JSON with --json, else the text.
    func show(_ value: some Encodable, _ text: @autoclosure () -> String) throws {
        if json { try StandardOutput.print(json: API.encode(value)) } else { try StandardOutput.print(text()) }
    }
}

/// The option for one of the stored events.
struct StoredEventOption: ParsableArguments {
    @Option(help: "Event id. Default: all events.", completion: Offers.events)
    var event: String?

    /// A path of the API for this event, or for all.
    func path(_ path: String) -> String { Query.path(path, ["event": event]) }
}

/// Checks stored data for damage.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check all stored data for damage.",
        discussion: """
            Reads every byte of databases, keys and pictures, checks all hashes and signatures, and computes all \
            records again in a copy. A running node keeps working.

            Exits with 15 if anything is damaged: mingle repair drops it and fetches it from other nodes. Exits with 3 \
            if something could not be checked.
            """
    )
    @OptionGroup var options: UpkeepOptions
    @OptionGroup var one: StoredEventOption
    @OptionGroup var keys: KeysPassphraseOption

    func run() async throws {
        let found: API.Verification = try await options.perform("verify", Progress("Checking"), keys.source) {
            try await $0.send(.POST, one.path("verify"))
        } orOnFolder: {
            try $0.verify(event: one.event, tell: $1)
        }
        try options.show(
            found,
            found.events.isEmpty ? "No events." : found.events.map(Self.text).joined(separator: "\n")
        )
        if found.events.contains(where: { !$0.damages.isEmpty }) { throw ExitCode(API.Problem.Name.damagedCode) }
        if !found.sound || found.events.contains(where: { !$0.skipped.isEmpty }) { throw Failure.PartlyDone() }
    }

    private static func text(_ event: API.EventVerification) -> String {
        let read = [
            event.headers.counted("change"), event.signatures.counted("signature"),
            event.blobs.counted("picture file"),
        ].joined(separator: ", ")
        let damages = event.damages.map { damage in
            "  \(damage.part)\(damage.name.map { " \($0)" } ?? ""): \(damage.detail)"
        }
        let skipped = event.skipped.map { "  not checked: \($0)" }
        let state =
            if !event.damages.isEmpty {
                "DAMAGED: run `mingle repair`"
            } else if !event.sound {
                "NOT CHECKED"
            } else {
                event.skipped.isEmpty ? "no damage" : "no damage in what was checked"
            }
        return (["\(event.id.prefix(8))  \(state)  (\(read))"] + damages + skipped).joined(separator: "\n")
    }
}

/// Drops damaged data and fetches it again.
struct RepairCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Drop damaged data and fetch it again from other nodes.",
        discussion: """
            Keeps what can be read and verified of a damaged event, and fetches the rest from other nodes. If \
            something that this device wrote may be lost, the node continues as a new device of yours.

            Exits with 3 if something is still missing, or if an event could not be repaired.
            """
    )
    /// How long nothing must be missing before the repair counts as complete.
    private static let settling = Duration.seconds(3)

    @OptionGroup var options: UpkeepOptions
    @OptionGroup var one: StoredEventOption
    @OptionGroup var keys: KeysPassphraseOption
    @Option(name: .long, help: "Seconds to wait for missing data.")
    var wait = 30

    func validate() throws {
        guard (0...86_400).contains(wait) else { throw ValidationError("Not a valid --wait. Use 0 to 86400 seconds.") }
    }

    func run() async throws {
        var repair: API.Repair = try await options.perform("repair", Progress("Repairing"), keys.source) {
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
            repair.events.isEmpty ? "No events." : repair.events.map(\.text).joined(separator: "\n")
        )
        if !isWhole { throw ExitCode(3) }
    }

    /// What an event lacks when nothing more arrives, or after `wait` seconds.
    private func missing(of event: String) async throws -> API.Missing {
        let client = NodeClient(dataPath: try options.data.nodePath)
        let deadline = ContinuousClock.now + .seconds(wait)
        var wholeSince: ContinuousClock.Instant?
        while true {
            let missing: API.Missing = try await client.get("missing?event=\(event)")
            let peers: API.Envelope.Peers = try await client.get("peers?event=\(event)")
            let (states, now) = (peers.peers.map(\.state), ContinuousClock.now)
            let isWhole = missing.isNothing && !Set(states).isDisjoint(with: ["in_sync", "syncing"])
            wholeSince = isWhole ? wholeSince ?? now : nil
            // A new peer may not have reported its data yet, and is in sync only after the next comparison.
            let isSettled = wholeSince.map { states.contains("in_sync") || now - $0 > Self.settling } ?? false
            if isSettled || now >= deadline { return missing }
            try await Task.sleep(for: .milliseconds(300))
        }
    }
}

extension API.EventRepair {
    /// Whether anything must be fetched again.
    fileprivate var hasLost: Bool {
        deltasLost > 0 || database == "empty" || newDevice || blobsDropped + chunksDropped > 0
    }

    fileprivate var text: String {
        if let problem { return "\(id.prefix(8))  NOT REPAIRED: \(problem)" }
        var lines = ["\(id.prefix(8))  database: \(database)"]
        if database == "rebuilt" { lines.append("  \(deltasSaved.counted("change")) saved, \(deltasLost) lost") }
        if ownDeltasLost > 0 {
            lines.append(
                "  \(ownDeltasLost) of these were made on this device: they are lost unless another node has them"
            )
        }
        if database == "empty" {
            lines.append("  nothing could be read: everything is fetched again; what no other node has is lost")
        }
        if mutedLost { lines.append("  some muted people could not be read: check mingle people, and mute them again") }
        if newDevice { lines.append("  this node continues as a new device of yours") }
        if let kept { lines.append("  the damaged database is kept as \(kept): delete it when nothing is missing") }
        if blobsMended + blobsDropped > 0 {
            lines.append(
                "  picture files: \(blobsMended) repaired, \(blobsDropped) dropped, \(chunksDropped) parts to fetch"
            )
        }
        guard hasLost else { return lines.joined(separator: "\n") }
        guard let missing else {
            return (lines + ["  start the node to fetch what is missing"]).joined(separator: "\n")
        }
        lines.append(
            "  still missing: \(missing.deltas.counted("change")), the content of \(missing.payloads) more, "
                + missing.blobs.counted("picture file")
        )
        lines += missing.peers.map { peer in
            "    \(peer.person?.name ?? peer.address) has \(peer.deltas) of these changes, \(peer.blobs) of these files"
        }
        return lines.joined(separator: "\n")
    }
}

extension API.Missing {
    fileprivate var isNothing: Bool { deltas + payloads + blobs == 0 }
}
