// SPDX-License-Identifier: Apache-2.0

/// The people who can open a delta (design, "Keys").
///
/// What an audience is made of follows from the value alone; who belongs to it at a time follows from what was said since.
package enum Audience: Hashable, Sendable {
    /// Bytes of a salt.
    package static let saltLength = 16

    /// Everybody in the event.
    case event
    /// The owner, and whom the owner invites: the guests of a private moment.
    case guests(owner: PersonID, salt: [UInt8])
    /// Those who moderate, and the owner, who has something to tell them.
    case moderators(owner: PersonID, salt: [UInt8])
    /// Two people; which is named first makes no difference: see ``between(_:and:)``.
    case pair(PersonID, PersonID)
    /// The devices of one person.
    case own(PersonID)

    /// The audience of two people.
    package static func between(_ one: PersonID, and other: PersonID) -> Audience {
        one < other ? .pair(one, other) : .pair(other, one)
    }

    /// Whether it is somebody's alone to say who belongs to it, or to begin it; nil: it is nobody's.
    package var owner: PersonID? {
        switch self {
        case .guests(let owner, _), .moderators(let owner, _), .own(let owner): owner
        case .event, .pair: nil
        }
    }

    /// Those who belong to it whatever is said.
    package var founders: [PersonID] {
        switch self {
        case .event: []
        case .guests(let owner, _), .moderators(let owner, _), .own(let owner): [owner]
        case .pair(let one, let other): [one, other]
        }
    }

    /// Whether each person writes for it under keys of the own making, so that a new one is made when the person next writes and not
    /// before.
    ///
    /// For moderators and the own devices there is one writer. Of two people each has own keys, because headers name them: everybody
    /// would see by one key who has to do with whom.
    package var hasOwnKeys: Bool {
        switch self {
        case .moderators, .own, .pair: true
        case .event, .guests: false
        }
    }
}

extension Audience {
    /// The audience as bytes: its use, its persons, and the salt if it has one; one byte for the event.
    package var bytes: [UInt8] {
        switch self {
        case .event: [0]
        case .guests(let owner, let salt): [1] + owner.bytes + salt
        case .moderators(let owner, let salt): [2] + owner.bytes + salt
        case .pair(let one, let other): [3] + one.bytes + other.bytes
        case .own(let person): [4] + person.bytes
        }
    }

    /// Reads a private audience; nil for anything but what ``bytes`` writes of one.
    package init?(bytes: [UInt8]) {
        guard let use = bytes.first, let owner = PersonID(bytes: bytes.dropFirst().prefix(32)) else { return nil }
        let rest = Array(bytes.dropFirst(33))
        switch (use, rest.count) {
        case (1, Self.saltLength): self = .guests(owner: owner, salt: rest)
        case (2, Self.saltLength): self = .moderators(owner: owner, salt: rest)
        case (3, 32):
            guard let other = PersonID(bytes: rest), owner < other else { return nil }
            self = .pair(owner, other)
        case (4, 0): self = .own(owner)
        default: return nil
        }
    }
}

/// For whom the records of a kind are sealed.
package enum AudienceRule: Hashable, Sendable {
    /// For those who can open what it hangs on; for the event where that is nothing.
    case inherited
    /// For the event, or for guests whom its author invites.
    case chosen
    /// For the event, whatever it hangs on.
    case everybody
    /// For its author's devices.
    case own
    /// For its author and the person that it is about.
    case pair
    /// For its author and those who moderate.
    case moderators

    /// Whether a person may seal a record that hangs on `target` for an audience; who belongs to it is looked at elsewhere.
    ///
    /// - Parameter target: nil for an edit, which is for the audience of what it changes.
    package func admits(_ audience: Audience, on target: Target?, by author: PersonID) -> Bool {
        switch (self, audience) {
        case (.inherited, .event), (.chosen, .event), (.everybody, .event): true
        case (.inherited, .guests): target != .nothing
        case (.chosen, .guests(author, _)), (.own, .own(author)): true
        // There is one such audience for each person, so nobody reports a record twice.
        case (.moderators, .moderators): audience == .reports(by: author)
        case (.pair, .pair(let one, let other)):
            one != other && [one, other].contains(author) && target == .person(one == author ? other : one)
        default: false
        }
    }
}
