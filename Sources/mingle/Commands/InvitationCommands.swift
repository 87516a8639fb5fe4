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

/// Shows or creates an invitation.
struct InviteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Show the event's invitation link and QR code, or create a new invitation.",
        discussion: "--level, --expires, --uses, --approval and --door create a new invitation, like --new."
    )
    @OptionGroup var options: ClientOptions
    @Flag(help: "Create a new invitation.") var new = false
    @Option(
        help: """
            Level of the people who join with it: successor, host, moderator, attendee, guest (view only) or relay. \
            Default: attendee.
            """,
        completion: Offers.levels
    )
    var level: String?
    @Option(help: "Time until it expires, such as 30m, 6h or 2d. Default: no expiry.") var expires: String?
    @Option(help: "How many people can join with it. Default: no limit.") var uses: Int?
    @Flag(help: "Require a host to let in each person who joins with it: mingle people promote.") var approval = false
    @Flag(help: "Create a link for a door, which lets phones take part: mingle door LINK.") var door = false
    @Option(
        name: .shortAndLong,
        help: "Write the QR code to an SVG file. '-' writes it to the standard output.",
        completion: .file()
    )
    var output: String?

    func run() async throws {
        let terms = API.Envelope.InvitationTerms(
            level: level,
            expiresInSeconds: try expires.map(Self.seconds),
            uses: uses,
            approval: approval,
            door: door ? true : nil
        )
        // Checks the file first: no invitation is created that cannot be shown.
        let file = try output.map { try Output($0, replaces: true, isPrivate: true, options) }
        let isNew = new || level != nil || expires != nil || uses != nil || approval || door
        let invitation: API.Invitation =
            isNew
            ? try await options.client.send(.POST, options.path("invitations"), terms)
            : try await open()
        let code = try QRCode(invitation.link)
        try await file?.write(code.svg)
        try options.show(invitation, beside: file, code: code.terminalText) { invitation in
            [invitation.link, Self.limits(of: invitation)].filter { !$0.isEmpty }.joined(separator: "\n")
        }
    }

    /// The invitation that the node shows to everybody.
    ///
    /// - Throws: `API.Problem` if there is none; the problem says how to make one to people who can.
    private func open() async throws -> API.Invitation {
        do {
            return try await options.client.get(options.path("invitation"))
        } catch let problem as API.Problem where problem.name == .notFound {
            let status: API.Status = try await options.client.get(options.path("status"))
            guard let event = status.current, Self.inviting.contains(event.level) else { throw problem }
            throw API.Problem(
                .notFound,
                "\(event.called) has no open invitation to show. To create one: mingle invite --new"
            )
        }
    }

    /// The levels of people who can create invitations.
    private static let inviting = ["founder", "successor", "host"]

    private static func limits(of invitation: API.Invitation) -> String {
        var sentences: [String] = []
        if let expires = invitation.expires { sentences.append("Valid until \(When.text(expires)).") }
        if invitation.approval { sentences.append("A host lets in each person.") }
        if let uses = invitation.uses { sentences.append("Used \(invitation.used) of \(uses) times.") }
        if invitation.level != "attendee" { sentences.append("Level: \(invitation.level).") }
        let uses = [
            "relay": "On the machine of the relay, run: mingle relay LINK",
            "guest": "To show the event to phones that only look: mingle door LINK",
        ]
        let use = invitation.door ? "On the machine of the door, run: mingle door LINK" : uses[invitation.level] ?? ""
        return [sentences.joined(separator: " "), use].filter { !$0.isEmpty }
            .joined(separator: "\n")
    }

    private static func seconds(_ text: String) throws -> Int {
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let unit = text.last.flatMap({ units[$0] }), let count = Int(text.dropLast()),
            (1...100_000).contains(count)
        else { throw ValidationError("Not a valid duration: '\(text)'. Use 30m, 6h or 2d.") }
        return count * unit
    }
}

/// The event's invitations.
struct InvitationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invitation",
        abstract: "List or close the event's invitations.",
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
                (invitation.uses.map { "\(invitation.used) of \($0) used" } ?? "\(invitation.used) joined")
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
            abstract: "Close an invitation. People who joined with it stay.",
            discussion: """
                People who joined with it and are not known to this node yet wait for a host: mingle people promote
                """
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "Id of the invitation.", completion: Offers.invitations) var id: String
        @OptionGroup var confirmation: Confirmation

        func run() async throws {
            try await confirmation.ask {
                "Close the invitation? Its link and its QR code, also a printed one, stop working."
            }
            let invitation: API.ListedInvitation = try await options.client.send(
                .DELETE,
                options.path("invitations/\(id)")
            )
            try options.show(invitation) { "Closed. \($0.used.counted("person", "people")) joined with it." }
        }
    }
}
