// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleNode
import MingleWeb
import NIOHTTP1

/// Shows or makes an invitation.
struct InviteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract:
            "Show the event's invitation as link and QR code; make a new one with --new, --level, --expires, --uses, --approval."
    )
    @OptionGroup var options: ClientOptions
    @Flag(help: "Make a new invitation.") var new = false
    @Option(
        help: "What who comes by it becomes: successor, host, moderator, attendee, guest (who only reads), or relay."
    )
    var level: String?
    @Option(help: "How long it is good, such as 30m, 6h or 2d.") var expires: String?
    @Option(help: "How many people may come by it.") var uses: Int?
    @Flag(help: "Let a host let in each who comes by it: mingle people promote.") var approval = false
    @Option(name: .shortAndLong, help: "Write the QR code to an SVG file.") var output: String?

    func run() async throws {
        let terms = API.Envelope.InvitationTerms(
            level: level,
            expiresInSeconds: try expires.map(Self.seconds),
            uses: uses,
            approval: approval
        )
        // Before a link is made that nobody would get to see.
        let file = try output.map { try SavedFile($0, replaces: true, isPrivate: true) }
        let isNew = new || level != nil || expires != nil || uses != nil || approval
        let invitation: API.Invitation =
            isNew
            ? try await options.client.send(.POST, options.path("invitations"), terms)
            : try await options.client.get(options.path("invitation"))
        let code = try QRCode(invitation.link)
        try await file?.write(code.svg)
        try options.show(invitation) { invitation in
            [code.terminalText, invitation.link, Self.limits(of: invitation)].filter { !$0.isEmpty }.joined(
                separator: "\n"
            )
        }
    }

    private static func limits(of invitation: API.Invitation) -> String {
        var words: [String] = []
        if let expires = invitation.expires { words.append("until \(When.text(expires))") }
        if invitation.approval { words.append("once a host lets in who comes by it") }
        if let uses = invitation.uses { words.append("\(invitation.used) of \(uses) uses") }
        if invitation.level != "attendee" { words.append("to become a \(invitation.level)") }
        let uses = [
            "relay": "On the machine that stays on: mingle relay LINK",
            "guest": "Also for a page that people without a node look at: mingle showcase LINK",
        ]
        let use = uses[invitation.level] ?? ""
        return [words.isEmpty ? "" : "Good " + words.joined(separator: ", ") + ".", use].filter { !$0.isEmpty }
            .joined(separator: "\n")
    }

    private static func seconds(_ text: String) throws -> Int {
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let unit = text.last.flatMap({ units[$0] }), let count = Int(text.dropLast()),
            (1...100_000).contains(count)
        else { throw ValidationError("'\(text)' is no length of time: write 30m, 6h or 2d.") }
        return count * unit
    }
}

/// The invitations of an event.
struct InvitationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invitation",
        abstract: "List the event's invitations, or close one.",
        subcommands: [List.self, Close.self],
        defaultSubcommand: List.self
    )

    /// Lists invitations.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the event's invitations.")
        @OptionGroup var options: ClientOptions

        func run() async throws {
            let list: API.Envelope.Invitations = try await options.client.get(options.path("invitations"))
            try options.show(list) { list in
                Table.text(
                    list.invitations.map {
                        [
                            $0.level, Self.state(of: $0), $0.nearby ? "for anyone nearby" : "by \($0.maker.name)",
                            $0.id,
                        ]
                    }
                )
            }
        }

        private static func state(of invitation: API.ListedInvitation) -> String {
            let used =
                (invitation.uses.map { "\(invitation.used) of \($0) came" } ?? "\(invitation.used) came")
                + (invitation.approval ? ", with approval" : "")
            if invitation.closed { return "closed, \(used)" }
            if let uses = invitation.uses, invitation.used >= uses { return "used up, \(used)" }
            guard let expires = invitation.expires else { return "open, \(used)" }
            return expires > Date() ? "until \(When.text(expires)), \(used)" : "expired, \(used)"
        }
    }

    /// Closes an invitation.
    struct Close: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Close an invitation: who came by it stays, and nobody else comes in.",
            discussion:
                "Who came by it where this node has not heard of it yet waits to be let in: mingle people promote."
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The invitation's id.") var id: String

        func run() async throws {
            let invitation: API.ListedInvitation = try await options.client.send(
                .DELETE,
                options.path("invitations/\(id)")
            )
            try options.show(invitation) { "Closed; \($0.used) came by it." }
        }
    }
}
