// SPDX-License-Identifier: Apache-2.0

/// Levels of taking part, highest first (design, "Who may do what"); the numbers are those of the wire.
package enum Level: UInt32, Sendable, Comparable, CaseIterable {
    /// Made the event.
    case founder = 1
    /// Lets others in, and says at what level.
    case host = 2
    /// Takes part.
    case attendee = 4
    /// Reads, and says nothing but a name.
    case guest = 5
    /// Carries everything and reads nothing: a machine of the venue, below all people.
    case relay = 6

    /// Whether this level is *below* the other: a higher number.
    package static func < (left: Level, right: Level) -> Bool { left.rawValue > right.rawValue }

    /// Whether who is at this level decides who else is at `other`: hosts and above do, of the levels below their own.
    package func governs(_ other: Level) -> Bool { self >= .host && self > other }

    /// Whether people are at it, who read and are counted.
    package var isPeople: Bool { self != .relay }

    /// The level's name, for the API and for people.
    package var word: String {
        switch self {
        case .founder: "founder"
        case .host: "host"
        case .attendee: "attendee"
        case .guest: "guest"
        case .relay: "relay"
        }
    }

    /// The level as one says of somebody who is at it.
    package var phrase: String {
        switch self {
        case .founder: "the founder"
        case .host: "a host"
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
