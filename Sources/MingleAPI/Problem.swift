// SPDX-License-Identifier: Apache-2.0

extension API {
    /// What went wrong, as `application/problem+json` (RFC 9457) and as the command line's message and exit code.
    package struct Problem: Error, Codable, Hashable, Sendable {
        /// What kinds of problem there are.
        package enum Name: String, Codable, Sendable, CaseIterable {
            /// This node takes part in no event yet.
            case noEvent = "no-event"
            /// There is nothing of that id, as far as the viewer may know, or nothing that was asked for.
            case notFound = "not-found"
            /// The request makes no sense.
            case badRequest = "bad-request"
            /// The invitation does not let anybody in.
            case badInvitation = "bad-invitation"
            /// The person may not do that.
            case notAllowed = "not-allowed"
            /// The file is not a picture that can be shared.
            case notAPicture = "not-a-picture"
            /// There is something, which does not take this method.
            case methodNotAllowed = "method-not-allowed"
            /// It is larger than allowed, or more than others keep of one person.
            case tooLarge = "too-large"
            /// The disk is full.
            case noSpace = "no-space"
            /// What was kept is not what was written, or not all of it.
            case damaged
            /// It contradicts what is there.
            case conflict
            /// It may work later.
            case unavailable
            /// One address has too much open at once.
            case tooMany = "too-many"
            /// The page was asked for under a name that is not the node's.
            case insecureHost = "insecure-host"
            /// A defect of the node.
            case `internal`
        }

        /// A path that ends with the problem's name.
        package let type: String
        /// The problem in a few words, the same for every problem of a name.
        package let title: String
        /// The HTTP status.
        package let status: Int
        /// What happened, to what, and what to do.
        package let detail: String

        /// States a problem.
        package init(_ name: Name, _ detail: String) {
            type = "/problems/\(name.rawValue)"
            (title, status) = (name.title, name.status)
            self.detail = detail
        }

        /// A relay's link was used to take part.
        package static let relayLink = Problem(
            .badInvitation,
            "That link is for a relay. A relay carries what people share and cannot read it. Use the link on the relay's "
                + "machine: mingle relay LINK. To take part yourself, ask a host for an invitation (mingle invite)."
        )

        /// A door's link was used to take part.
        package static let doorLink = Problem(
            .badInvitation,
            "That link is for a door, which lets phones take part. Use it on the door's machine: mingle door LINK. To take "
                + "part yourself, ask a host for an invitation (mingle invite)."
        )

        /// A link for a device was used to join as if it were an invitation.
        package static let unmeantDeviceLink = Problem(
            .conflict,
            "That link makes this node a device of the person who made the link. That person becomes the author of what "
                + "you share here, and can read what you share with some people only. If you made the link yourself on "
                + "another device of yours: mingle join --device LINK. To take part as yourself, ask for an invitation."
        )

        /// An invitation was used to become a further device of its maker's.
        package static let unmeantInvitation = Problem(
            .conflict,
            "That is an invitation for a new person, not a device link. Make a device link on your other device: mingle "
                + "devices link. To take part as a new person, leave out --device."
        )

        /// A link for people was given to a relay.
        package static let peopleLink = Problem(
            .badInvitation,
            "That link is for people, who read what others share. A relay reads nothing and needs its own link. Ask a host "
                + "of the event for one (mingle invite --level relay). To take part yourself: mingle join LINK."
        )

        /// A link for a further device was given to a relay.
        package static let deviceLink = Problem(
            .badInvitation,
            "That link adds another device to a person, and a relay is not a person's device. Ask a host of the event for a "
                + "relay's link (mingle invite --level relay). To add a device of yours: mingle join --device LINK."
        )

        /// A relay was started without an event.
        package static let nothingToRelay = Problem(
            .noEvent,
            "This relay carries no event yet. Ask a host of an event for a relay's link (mingle invite --level relay), and "
                + "start the relay with it: mingle relay LINK."
        )

        /// A relay was asked for what only members' nodes have.
        package static let relayReadsNothing = Problem(
            .notAllowed,
            "This is a relay. A relay carries what people share and cannot read it. It answers status, peers, people and "
                + "doctor. To take part, run a node of your own: mingle run."
        )

        /// A door was asked for what only a person's node has.
        package static let doorTakesNoPart = Problem(
            .notAllowed,
            "This is a door. A door shows an event and takes no part in it. It answers status, peers, people and "
                + "doctor. To take part, run a node of your own: mingle run."
        )

        /// The problem's name; `internal` for one that this version does not know.
        package var name: Name { Name(rawValue: String(type.dropFirst("/problems/".count))) ?? .internal }
    }
}

extension API.Problem.Name {
    /// The problem in a few words.
    var title: String {
        switch self {
        case .noEvent: "No event yet"
        case .notFound: "Not found"
        case .badRequest: "Bad request"
        case .badInvitation: "Invitation not accepted"
        case .notAllowed: "Not allowed"
        case .notAPicture: "Not a picture"
        case .methodNotAllowed: "Method not allowed"
        case .tooLarge: "Too large"
        case .noSpace: "Disk full"
        case .damaged: "Damaged"
        case .conflict: "Conflict"
        case .unavailable: "Not available yet"
        case .tooMany: "Too many at a time"
        case .insecureHost: "Unknown host name"
        case .internal: "Internal error"
        }
    }

    /// The HTTP status.
    var status: Int {
        switch self {
        case .notFound: 404
        case .badRequest, .badInvitation: 400
        case .notAllowed: 403
        case .notAPicture: 415
        case .methodNotAllowed: 405
        case .tooLarge: 413
        case .noSpace: 507
        case .noEvent, .conflict, .damaged: 409
        case .unavailable: 503
        case .tooMany: 429
        case .insecureHost: 421
        case .internal: 500
        }
    }

    /// What the command line exits with where something stored is damaged.
    package static let damagedCode: Int32 = 15

    /// What the command line exits with.
    package var exitCode: Int32 {
        switch self {
        case .notFound: 4
        case .unavailable, .tooMany: 5
        case .noEvent: 10
        case .notAllowed, .badInvitation: 12
        case .noSpace, .tooLarge: 14
        case .badRequest: 2
        case .damaged: Self.damagedCode
        case .notAPicture, .methodNotAllowed, .conflict, .insecureHost, .internal: 1
        }
    }
}
