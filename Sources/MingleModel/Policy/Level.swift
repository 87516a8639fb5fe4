// SPDX-License-Identifier: Apache-2.0

/// Levels of taking part, highest first (design, "Who may do what"); the numbers are those of the wire.
package enum Level: UInt32, Sendable, Comparable, CaseIterable {
    /// Made the event.
    case founder = 1
    /// Named in advance to stand in for the founder: decides about hosts, too.
    case successor = 2
    /// Lets others in, and says at what level.
    case host = 3
    /// Takes part, and hides what should not be seen.
    case moderator = 4
    /// Takes part.
    case attendee = 5
    /// Reads, and says nothing but a name.
    case guest = 6
    /// Carries everything and reads nothing: a machine of the venue, below all people.
    case relay = 7

    /// Whether this level is *below* the other: a higher number.
    package static func < (left: Level, right: Level) -> Bool { left.rawValue > right.rawValue }

    /// Whether who is at this level decides who else is at `other`: hosts and above do, of the levels below their own.
    package func governs(_ other: Level) -> Bool { self >= .host && self > other }

    /// Whether people are at it, who read and are counted.
    package var isPeople: Bool { self != .relay }

    /// The lowest level that decides who is at this one; nil: nobody does.
    package var governor: Level? { Level.allCases.last { $0.governs(self) } }

    /// The level's name, for the API and for people.
    package var word: String {
        switch self {
        case .founder: "founder"
        case .successor: "successor"
        case .host: "host"
        case .moderator: "moderator"
        case .attendee: "attendee"
        case .guest: "guest"
        case .relay: "relay"
        }
    }

    /// The level as one says of somebody who is at it.
    package var phrase: String {
        switch self {
        case .founder: "the founder"
        case .successor: "a successor of the founder"
        case .host: "a host"
        case .moderator: "a moderator"
        case .attendee: "an attendee"
        case .guest: "a guest"
        case .relay: "a relay"
        }
    }

    /// The level of a name; nil if there is none.
    package init?(word: String) {
        guard let level = Level.allCases.first(where: { $0.word == word }) else { return nil }
        self = level
    }
}
