// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleNode
import MingleWeb
import NIOHTTP1

/// One's own devices.
struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "See on which devices you take part, link another one, and retire one that was lost.",
        subcommands: [List.self, Link.self, Retire.self],
        defaultSubcommand: List.self
    )

    /// Lists one's own devices.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "See on which devices you take part.")
        @OptionGroup var options: ClientOptions

        func run() async throws {
            let list: API.Envelope.Devices = try await options.client.get(options.path("devices"))
            try options.show(list) { list in
                Table.text(
                    list.devices.map { device in
                        let place = device.this ? "this one" : device.here ? "here" : "away"
                        let written = device.lastWrote.map { "last wrote \(When.text($0))" }
                        return [device.name, place, device.state, written ?? "nothing of it has come yet"]
                    }
                )
            }
        }
    }

    /// Shows a link for a further device.
    struct Link: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show a link and QR code that make another node a device of yours in the event.",
            discussion: """
                On the other one: mingle join --device LINK, or paste the link on its page. The link is good for one device and ten minutes, \
                while this node runs; another one takes its place. Whoever gets it is you until you retire that device, so show it \
                to nobody.
                """
        )
        @OptionGroup var options: ClientOptions
        @Option(name: .shortAndLong, help: "Write the QR code to an SVG file.") var output: String?
        @Flag(help: "End the link that is open, and make none.") var close = false

        func run() async throws {
            guard !close else {
                try await options.client.perform(.DELETE, options.path("device-link"))
                return try options.showDone("No link for another device of yours is open.")
            }
            // Before a link is made that nobody would get to see.
            let file = try output.map { try SavedFile($0, replaces: true, isPrivate: true) }
            let link: API.DeviceLink = try await options.client.send(.POST, options.path("device-link"))
            let code = try QRCode(link.link)
            try await file?.write(code.svg)
            try options.show(link) { link in
                [
                    code.terminalText, link.link, "Good for one device of yours, until \(When.text(link.expires)).",
                    "On that device: mingle join --device LINK. Then mingle devices shows it.",
                ]
                .joined(separator: "\n")
            }
        }
    }

    /// Retires a device.
    struct Retire: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take no more of a device of yours, which was lost or stolen.",
            discussion: """
                What this node holds of it stays; so let this node catch up first. What it writes from now on counts for nothing, \
                and a new key shuts it out of all that follows. If you are a host, the links that you made or came by are closed, \
                as they may be on it. Whoever has it may still say that your other devices are lost, if \
                somebody carries that to the others; if you founded the event, that can end it for everybody. This cannot be \
                undone: to take part on it again, leave the event there and come by a link.
                """
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The device, as mingle devices names it.") var name: String
        @Flag(help: "Retire it though nobody within reach holds the same; what only others hold of it is lost.")
        var force = false

        func run() async throws {
            let device = try await options.device(name)
            let retired: API.RetiredDevice = try await options.client.send(
                .DELETE,
                options.path("devices/\(device.id)", ["force": force ? "true" : nil])
            )
            try options.show(retired) { retired in
                var lines = ["The device \(retired.device.name) is retired."]
                if retired.openLinks > 0 {
                    lines.append(
                        "The link by which you came is on it, too, and still lets people in: ask a host to close it (mingle invitation "
                            + "list, mingle invitation close ID)."
                    )
                }
                if retired.closedLinks > 0 {
                    lines.append(
                        "Links that may be on it are closed now: \(retired.closedLinks). Whoever came by them stays; for others make a "
                            + "new one: mingle invite"
                    )
                }
                return lines.joined(separator: "\n")
            }
        }
    }
}

extension ClientOptions {
    /// The one device of one's own whose id begins with some letters, of which there are four at least.
    fileprivate func device(_ word: String) async throws -> API.Device {
        let list: API.Envelope.Devices = try await client.get(path("devices"))
        let found = list.devices.filter { word.count >= 4 && $0.id.hasPrefix(word.lowercased()) }
        guard let device = found.first else {
            throw API.Problem(.notFound, "You have no device \(word) in this event: see mingle devices.")
        }
        guard found.count == 1 else {
            throw API.Problem(.conflict, "\(found.count) of your devices begin with \(word): say more letters of it.")
        }
        return device
    }
}
