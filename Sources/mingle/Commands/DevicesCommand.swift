// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleAPI
import MingleClient
import MingleCommandLine
import MingleModel
import MingleNode
import MingleWeb
import NIOHTTP1

/// The person's own devices.
struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List your devices, link another one, or retire a lost one.",
        subcommands: [List.self, Link.self, Retire.self],
        defaultSubcommand: List.self
    )

    /// Lists the person's devices.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List your devices in the event.")
        @OptionGroup var options: ClientOptions

        func run() async throws {
            let list: API.Envelope.Devices = try await options.client.get(options.path("devices"))
            try options.show(list) { list in
                Table.text(
                    list.devices.map { device in
                        let place = device.this ? "this device" : device.here ? "here" : "away"
                        let written = device.lastWrote.map { "last wrote \(When.text($0))" }
                        return [device.name, place, device.state, written ?? "nothing received yet"]
                    }
                )
            }
        }
    }

    /// Shows a link for another device.
    struct Link: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show a link and QR code that add another device of yours to the event.",
            discussion: """
                On the other device: mingle join --device LINK, or paste the link on its page. The link is valid for \
                one device and ten minutes, while this node runs. A new link replaces it. Anyone who has the link can \
                act as you until you retire the device: show the link to nobody.
                """
        )
        @OptionGroup var options: ClientOptions
        @Option(
            name: .shortAndLong,
            help: "Write the QR code to an SVG file. '-' writes it to the standard output.",
            completion: .file()
        )
        var output: String?
        @Flag(help: "Close the open link, and make no new one.") var close = false

        func run() async throws {
            guard !close else {
                try await options.client.perform(.DELETE, options.path("device-link"))
                return try options.showDone("No link for another device is open.")
            }
            // Checks the file first: no link is made that cannot be shown.
            let file = try output.map { try Output($0, replaces: true, isPrivate: true, options) }
            let link: API.DeviceLink = try await options.client.send(.POST, options.path("device-link"))
            let code = try QRCode(link.link)
            try await file?.write(code.svg)
            try options.show(link, beside: file, code: code.terminalText) { link in
                [
                    link.link, "Valid for one device of yours, until \(When.text(link.expires)).",
                    "On that device, run: mingle join --device LINK",
                    "To see the device afterwards: mingle devices",
                ]
                .joined(separator: "\n")
            }
        }
    }

    /// Retires a device.
    struct Retire: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Retire a lost or stolen device of yours. This cannot be undone.",
            discussion: """
                What this node already has from the device stays, so let this node sync first. Whatever the device \
                writes from now on is ignored, and it can read nothing that is shared later. If you are a host, the \
                invitations that you made or joined with are closed, because they may be on the device. Whoever has \
                the device may still retire your other devices, if that reaches the other nodes. If you founded the \
                event, that can end it for everybody. To use the device again, leave the event on it and join with a \
                link.
                """
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "Name of the device, from mingle devices.", completion: Offers.devices) var name: String
        @Flag(help: "Retire it although no node in sync can be reached. What only others have from it is lost.")
        var force = false
        @OptionGroup var confirmation: Confirmation

        func run() async throws {
            let device = try await options.device(name)
            try await confirmation.ask { "Retire your device \(device.name)? What it shares from now on is ignored." }
            let retired: API.RetiredDevice = try await options.client.send(
                .DELETE,
                options.path("devices/\(device.id)", ["force": force ? "true" : nil])
            )
            try options.show(retired) { retired in
                var lines = ["The device \(retired.device.name) is retired."]
                if retired.openLinks > 0 {
                    lines.append(
                        "The invitation that you joined with is on that device and still lets people in. Ask a host to "
                            + "close it: mingle invitation list, then mingle invitation close ID"
                    )
                }
                if retired.closedLinks > 0 {
                    lines.append(
                        "Closed \(retired.closedLinks.counted("invitation")) that may be on the device. "
                            + "People who joined with them stay. To invite others: mingle invite"
                    )
                }
                return lines.joined(separator: "\n")
            }
        }
    }
}

extension ClientOptions {
    /// The person's device whose id begins with `word`, at least four characters.
    fileprivate func device(_ word: String) async throws -> API.Device {
        let list: API.Envelope.Devices = try await client.get(path("devices"))
        let found = list.devices.filter { word.count >= 4 && $0.id.hasPrefix(word.lowercased()) }
        guard let device = found.first else {
            throw API.Problem(.notFound, "You have no device \(word) in this event. List your devices: mingle devices")
        }
        guard found.count == 1 else {
            throw API.Problem(.conflict, "\(found.count) of your devices begin with \(word). Give more characters.")
        }
        return device
    }
}
