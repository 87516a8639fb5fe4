// SPDX-License-Identifier: Apache-2.0

extension Kind {
    /// One half of a link between two people: that its author wants it, does not, or does not want to be asked; for the two alone.
    ///
    /// They are connected while both halves are on. Whoever has one half shows the other person nothing of why it is off.
    package static let connection = Kind(
        23,
        "connection",
        plural: "connections",
        identity: .key,
        target: .person,
        onOff: "on",
        audience: .pair,
        fields: [
            Field(1, "on", .flag, required: true),
            // Of a half that is off: its author was asked, and what the other half says is no request any more.
            Field(2, "declined", .flag),
        ]
    )

    /// That somebody lets everybody here see a connection with another person; shown while both say so.
    package static let friendship = Kind(
        28,
        "friendship",
        plural: "friendships",
        identity: .key,
        target: .person,
        onOff: "on",
        audience: .everybody,
        shownIf: [.mutual],
        fields: [Field(1, "on", .flag, required: true)]
    )
}

/// What one half of a connection says.
package enum ConnectionWish: Sendable, CaseIterable {
    /// Its author does not want it, or not any more, and can be asked.
    case off
    /// Its author wants it.
    case on
    /// Its author does not want it, and was asked.
    case declined

    /// Reads the fields of a half.
    package init(on: Int64, declined: Int64?) { self = on == 1 ? .on : declined == 1 ? .declined : .off }

    /// The fields that say it; all are written at a time, so that they merge as one.
    package var values: [String: Value] {
        ["on": .number(self == .on ? 1 : 0), "declined": .number(self == .declined ? 1 : 0)]
    }
}

/// What is between a person and another one, as the first sees it; the words are those of the API.
package enum ConnectionState: String, Sendable, CaseIterable {
    /// Nothing that shows.
    case unconnected = "none"
    /// This person asked, and the other has not answered, or does not want to.
    case asked
    /// The other person asks.
    case asks
    /// Both want it.
    case connected

    /// What follows from both halves.
    package init(mine: ConnectionWish?, theirs: ConnectionWish?) {
        self =
            switch (mine, theirs) {
            case (.on, .on): .connected
            // Who declined is not told of: one waits as for anybody who has not looked yet.
            case (.on, _): .asked
            case (.off, .on), (nil, .on): .asks
            default: .unconnected
            }
    }

    /// What one's own half has to say so that there is a connection, or none; nil: what it says is right.
    package static func wish(
        connecting: Bool,
        mine: ConnectionWish?,
        theirs: ConnectionWish?
    ) -> ConnectionWish? {
        guard !connecting else { return mine == .on ? nil : .on }
        // Else the other half would be a request as soon as there is no connection.
        if theirs == .on { return mine == .declined ? nil : .declined }
        return mine == .on ? .off : nil
    }
}
