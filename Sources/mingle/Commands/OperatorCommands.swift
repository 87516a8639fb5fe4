// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleAPI
import MingleClient
import MingleCommandLine
import MingleModel
import MingleNode
import NIOHTTP1

/// Lists connected nodes.
struct PeersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "peers", abstract: "List the connected nodes.")
    @OptionGroup var options: ClientOptions

    func run() async throws {
        let peers: API.Envelope.Peers = try await options.client.get(options.path("peers"))
        try options.show(peers) { peers in
            guard !peers.peers.isEmpty else {
                return "No node is connected. To find out why: mingle doctor"
            }
            return Table.text(
                peers.peers.map { peer in
                    [
                        peer.person?.name ?? "?", peer.address, peer.direction == "in" ? "incoming" : "outgoing",
                        Self.words[peer.state] ?? peer.state,
                        "\(peer.bytesIn >> 10) KiB in", "\(peer.bytesOut >> 10) KiB out",
                    ]
                }
            )
        }
    }

    private static let words = [
        "greeting": "connecting", "being_let_in": "waiting to be let in", "in_sync": "in sync",
        "withholds_journal": "does not send what it has", "withholds_payloads": "does not send what it has",
        "stalled": "does not answer",
    ]
}

/// Shows the state of the node.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "status", abstract: "Show the state of the node.")
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
                            ? "waiting for \(status.sync.blobsWaiting.counted("picture file"))"
                            : locked ?? "up to date")
                    return "\(event.title): \(status.sync.peers) connected, \(rest)"
                } ?? Self.absence(of: status)
            let rows =
                [
                    ["you", status.name ?? "no name yet: mingle profile --name NAME"],
                    ["records", "\(status.sync.records)"],
                ]
                + (status.current?.openness.map { [["nearby", $0]] } ?? [])
                + Self.reports(status.current?.reports ?? 0) + Self.requests(status.current?.requests ?? 0)
                + Self.waiting(status.current?.waiting ?? 0)
                + RelayReport.shortage(status.sync.shortage)
                + [
                    ["discovery", status.discovery.state], ["free", "\(status.disk.freeBytes >> 20) MiB"],
                ]
                + RelayReport.backup(status)
                + [["version", status.version]]
            let warnings = status.warnings.map { "! \($0.onTerminal())" }
            return ([state] + warnings + [Table.text(rows)]).joined(separator: "\n")
        }
    }

    /// Posts that are here but locked; nil if there are none, or if the node has no news, like a relay.
    private func locked() async -> String? {
        let news: API.Envelope.News? = try? await options.client.get(options.path("news"))
        return news?.locked.map { "\($0.words): see mingle news" }
    }

    /// A row for requests to connect.
    private static func requests(_ count: Int) -> [[String]] {
        count == 0 ? [] : [["requests", "\(count) to answer: mingle connections"]]
    }

    /// A row for people who wait for a host.
    private static func waiting(_ count: Int) -> [[String]] {
        count == 0 ? [] : [["waiting", "\(count) to let in: mingle people"]]
    }

    /// A row for reports that wait for a moderator.
    private static func reports(_ count: Int) -> [[String]] {
        count == 0 ? [] : [["reported", "\(count) to decide: mingle reports"]]
    }

    private static func absence(of status: API.Status) -> String {
        status.unopened.isEmpty
            ? "No event yet. Create one: mingle event create TITLE, or join one: mingle join LINK"
            : "Your event cannot be opened."
    }
}

/// Checks the node for problems.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check the node for problems, and show how to fix them."
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
        abstract: "Print everything that you can see, one line each, sorted. Nodes in sync print the same."
    )
    @OptionGroup var options: ClientOptions

    func run() async throws {
        var client = try options.client
        // The node builds the whole dump before it sends the first line.
        client.patience = .seconds(600)
        let data = try await client.bytes(.GET, options.path("dump"))
        if options.json {
            let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
            return try options.show(["records": lines]) { _ in "" }
        }
        try StandardOutput.print(json: data.last == UInt8(ascii: "\n") ? data.dropLast() : data)
    }
}

/// Prints shell completions.
struct CompletionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completion",
        abstract: "Print shell completions for bash, zsh or fish."
    )
    @Argument(help: "Shell: bash, zsh or fish.", completion: .list(["bash", "zsh", "fish"])) var shell: String

    func run() throws {
        guard let shell = CompletionShell(rawValue: shell) else {
            throw ValidationError("Not a supported shell: '\(shell)'. Use bash, zsh or fish.")
        }
        // Its tabs are part of it.
        try StandardOutput.write(Data("\(Mingle.completionScript(for: shell))\n".utf8))
    }
}
