// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import MingleNode
import MingleWeb
import ServiceLifecycle

/// Says where visitors look once there is something to see, and ends the start if there never will be.
struct ShowcasePoster: Service {
    let node: Node
    /// What stands behind the host in the address.
    let path: String
    let listen: ListeningAddress
    let hosts: [String]

    func run() async throws {
        let title = try await cancelWhenGracefulShutdown { try await node.awaitShowcase(Self.tell) }
        guard let title else { return }
        try put(up: title)
        try await gracefulShutdown()
    }

    /// Every address of the page, the best first.
    var addresses: [String] {
        let machine = listen.isEverywhere ? Node.localHosts() : [listen.host]
        let known = hosts + (machine.isEmpty ? ["127.0.0.1"] : machine)
        return known.map { host in
            "http://\(host.contains(":") ? "[\(host)]" : host)\(listen.port == 80 ? "" : ":\(listen.port)")\(path)"
        }
    }

    private func put(up title: String) throws {
        let addresses = addresses
        guard let first = addresses.first else { return }
        let code = try QRCode(first)
        try node.note(address: addresses.joined(separator: "\n"), picture: code.svg)
        let folder = URL(fileURLWithPath: node.socketPath).deletingLastPathComponent().path
        let files = "\(folder)/showcase.svg and \(folder)/showcase.txt"
        var lines = ["Mingle shows \(title) to whoever scans the code."]
        if listen.isEverywhere, hosts.isEmpty, Node.localHosts().isEmpty {
            lines.append("This machine is on no network yet, so nobody else can: start this again once it is.")
        }
        // The code lets people in, so where this is no terminal, it may be a log, which has none.
        if isatty(STDOUT_FILENO) == 1 {
            lines += [code.terminalText] + addresses
            lines.append("Whoever has this address sees what everybody at the event sees. To print it: \(files)")
        } else {
            lines.append("The code and the address are in \(files), for this user's eyes only.")
        }
        Self.say(lines + ["Stop with Ctrl-C."])
    }

    private static func tell(_ state: ShowcaseState) {
        switch state {
        case .looking: say(["Looking for somebody of the event…"])
        case .asking(let fingerprint):
            say(["A host has to let this showcase in, and finds it among the people by its fingerprint: \(fingerprint)"]
            )
        case .raised(let level, _):
            say(["This showcase is \(level) now and shows nothing until a host makes it a guest again."])
        case .refused, .open, .out: break
        }
    }

    /// Written past the buffer of `print`, since programs wait for these lines through a pipe.
    private static func say(_ lines: [String]) {
        let text = Table.printable(lines.joined(separator: "\n"), keepingLines: true) + "\n"
        FileHandle.standardOutput.write(Data(text.utf8))
    }
}
