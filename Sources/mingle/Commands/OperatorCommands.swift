// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleNode
import NIOHTTP1

/// Lists peers.
struct PeersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "peers", abstract: "See which nodes are connected.")
    @OptionGroup var options: ClientOptions

    func run() async throws {
        let peers: API.Envelope.Peers = try await options.client.get(options.path("peers"))
        try options.show(peers) { peers in
            guard !peers.peers.isEmpty else {
                return "Nobody is connected. `mingle doctor` says what may stand in the way."
            }
            return Table.text(
                peers.peers.map { peer in
                    [
                        peer.person?.name ?? "?", peer.address, peer.direction == "in" ? "came" : "dialled", peer.state,
                        "\(peer.bytesIn >> 10) KiB in", "\(peer.bytesOut >> 10) KiB out",
                    ]
                }
            )
        }
    }
}

/// Shows how the node is.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "status", abstract: "See how the node is.")
    @OptionGroup var options: ClientOptions

    func run() async throws {
        let status: API.Status = try await options.client.get(options.path("status"))
        let locked = options.json || status.relay != nil ? nil : await locked()
        try options.show(status) { status in
            if let relay = status.relay { return RelayReport.text(relay, status) }
            let state =
                status.current.map { event in
                    let rest =
                        event.standing
                        ?? (status.sync.blobsWaiting > 0
                            ? "\(status.sync.blobsWaiting) picture files on the way" : locked ?? "everything here")
                    return "\(event.title): \(status.sync.peers) connected, \(rest)"
                } ?? Self.absence(of: status)
            let rows =
                [["you", status.name ?? "no name yet"], ["records", "\(status.sync.records)"]]
                + (status.current?.openness.map { [["nearby", $0]] } ?? [])
                + Self.reports(status.current?.reports ?? 0) + Self.requests(status.current?.requests ?? 0)
                + Self.waiting(status.current?.waiting ?? 0)
                + RelayReport.shortage(status.sync.shortage)
                + [
                    ["discovery", status.discovery.state], ["free", "\(status.disk.freeBytes >> 20) MiB"],
                    ["version", status.version],
                ]
            return ([state] + status.warnings.map { "! \($0)" } + [Table.text(rows)]).joined(separator: "\n")
        }
    }

    /// What is here and cannot be read, in words; nil if nothing is, or the node shows no feed, as a showcase's operator has none.
    private func locked() async -> String? {
        let feed: API.Envelope.Feed? = try? await options.client.get(options.path("feed"))
        return feed?.locked.map { "\($0.words): see mingle feed" }
    }

    /// A line for whom somebody asks to connect.
    private static func requests(_ count: Int) -> [[String]] {
        count == 0 ? [] : [["requests", "\(count) to answer: mingle connections"]]
    }

    /// A line for a host by whose word somebody may come in.
    private static func waiting(_ count: Int) -> [[String]] {
        count == 0 ? [] : [["waiting", "\(count) to let in: mingle people"]]
    }

    /// A line for a moderator who has something to decide.
    private static func reports(_ count: Int) -> [[String]] {
        count == 0 ? [] : [["reported", "\(count) to decide: mingle reports"]]
    }

    private static func absence(of status: API.Status) -> String {
        status.unopened.isEmpty
            ? "No event yet. Start one with: mingle event create TITLE, or join one: mingle join LINK"
            : "Your event could not be opened."
    }
}

/// Looks for what stands in the way.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Find out what stands in the way, and how to mend it."
    )
    @OptionGroup var options: ClientOptions

    func run() async throws {
        let doctor: API.Envelope.Doctor = try await options.client.get("doctor")
        try options.show(doctor) { doctor in
            doctor.checks.map { check in
                "\(Self.mark(check.status)) \(check.id): \(check.detail)" + (check.fix.map { "\n    → \($0)" } ?? "")
            }.joined(separator: "\n")
        }
        if doctor.checks.contains(where: { $0.status == "fail" }) { throw ExitCode(1) }
    }

    private static func mark(_ status: String) -> String {
        ["pass": "ok  ", "warn": "warn", "fail": "FAIL", "skip": "skip"][status] ?? status
    }
}

/// Prints every visible record.
struct DumpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump",
        abstract: "Print every visible record on a line, sorted: equal on equal replicas."
    )
    @OptionGroup var options: ClientOptions
    @Flag(help: "The canonical form; the only one there is.") var canonical = false

    func run() async throws {
        var client = options.client
        // All of a large event is worked out before the first line comes.
        client.patience = .seconds(600)
        let data = try await client.bytes(.GET, options.path("dump"))
        if options.json {
            let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
            return try options.show(["records": lines]) { _ in "" }
        }
        try StandardOutput.write(data)
    }
}

/// Prints a shell's completions.
struct CompletionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completion",
        abstract: "Print the completions for bash, zsh or fish."
    )
    @Argument(help: "bash, zsh or fish.") var shell: String

    func run() throws {
        guard let shell = CompletionShell(rawValue: shell) else {
            throw ValidationError("'\(shell)' is no shell that completions exist for: bash, zsh or fish.")
        }
        try StandardOutput.print(Mingle.completionScript(for: shell))
    }
}
