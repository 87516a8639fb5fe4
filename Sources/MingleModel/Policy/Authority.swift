// SPDX-License-Identifier: Apache-2.0

/// Who is at which level in one event: what follows from all that was said about it (design, "Who may do what").
///
/// It is a function of the set of statements, whatever the order in which they came. It is worked out from the highest level
/// down: at each level are those whom somebody above it, who is known by then, put there. So nobody can raise oneself,
/// two people can never decide about each other, and it makes no difference who said something first.
package struct Authority: Sendable {
    /// What one person said about others.
    package enum Statement: Hashable, Sendable {
        /// Who comes by an invitation is at a level.
        case invitation(InvitationID, Level)
        /// A person is at a level.
        case grant(PersonID, Level)
        /// Of those who came by an invitation, only these count, and whom others who closed it list.
        case closing(InvitationID, Set<PersonID>)
    }

    /// A change of one person's level; nil: not let in.
    package struct Change: Hashable, Sendable {
        /// Whose.
        package let person: PersonID
        /// What it was.
        package let old: Level?
        /// What it is.
        package let new: Level?
    }

    /// Everybody who was let in, as of the last ``settle()``.
    package private(set) var levels: [PersonID: Level] = [:]

    private var founder: PersonID?
    private var terms: [InvitationID: [Level: Set<PersonID>]] = [:]
    private var closings: [InvitationID: [PersonID: Set<PersonID>]] = [:]
    private var grants: [PersonID: [Level: Set<PersonID>]] = [:]
    private var admissions: [PersonID: Set<InvitationID>] = [:]
    /// Who said something about others, whose level matters to theirs.
    private var speakers: Set<PersonID> = []
    /// Whose level may have changed, where nobody else's can have.
    private var stale: Set<PersonID> = []
    private var isAllStale = false

    /// An event of which nothing is known.
    package init() {}

    /// Whether ``settle()`` may find something.
    package var isStale: Bool { isAllStale || !stale.isEmpty }

    /// Takes in who founded the event.
    package mutating func found(_ person: PersonID) {
        guard founder != person else { return }
        founder = person
        isAllStale = true
    }

    /// Takes in that a person came by an invitation.
    package mutating func admit(_ person: PersonID, by invitation: InvitationID) {
        guard admissions[person, default: []].insert(invitation).inserted else { return }
        if speakers.contains(person) { isAllStale = true } else { stale.insert(person) }
    }

    /// Takes in what somebody said; whether it counts follows from who that is.
    package mutating func state(_ statement: Statement, by speaker: PersonID) {
        let isNews: Bool
        switch statement {
        case .invitation(let invitation, let level):
            isNews = terms[invitation, default: [:]][level, default: []].insert(speaker).inserted
        case .grant(let person, let level):
            isNews = grants[person, default: [:]][level, default: []].insert(speaker).inserted
        case .closing(let invitation, let persons):
            let old = closings[invitation]?[speaker]?.count
            closings[invitation, default: [:]][speaker, default: []].formUnion(persons)
            isNews = old != closings[invitation]?[speaker]?.count
        }
        guard isNews else { return }
        speakers.insert(speaker)
        isAllStale = true
    }

    /// Works out who is at which level now, and returns what changed, in the order of the persons' names.
    package mutating func settle() -> [Change] {
        let old = levels
        if isAllStale { evaluate() } else { for person in stale { levels[person] = level(of: person) } }
        let touched = isAllStale ? Set(old.keys).union(levels.keys) : stale
        (isAllStale, stale) = (false, [])
        return touched.filter { old[$0] != levels[$0] }.sorted()
            .map { Change(person: $0, old: old[$0], new: levels[$0]) }
    }

    // MARK: - Working it out

    private mutating func evaluate() {
        levels = [:]
        if let founder { levels[founder] = .founder }
        var rest = Set(grants.keys).union(admissions.keys).subtracting(levels.keys)
        for level in Level.allCases.dropFirst() {
            // All of one level at once: nobody in it has a say about the others.
            let found = rest.filter { isPut($0, at: level) }
            for person in found { levels[person] = level }
            rest.subtract(found)
        }
    }

    private func level(of person: PersonID) -> Level? {
        person == founder ? .founder : Level.allCases.dropFirst().first { isPut(person, at: $0) }
    }

    /// Whether somebody who may put a person at a level did, of those whose levels are known.
    private func isPut(_ person: PersonID, at level: Level) -> Bool {
        if grants[person]?[level]?.contains(where: { governs($0, level) }) ?? false { return true }
        return admissions[person]?.contains { isMeant($0, to: level) && isOpen($0, at: level, for: person) } ?? false
    }

    /// Whether an invitation that leads to `level` lets a person in: nobody who may closed it, or one who did lists them.
    private func isOpen(_ invitation: InvitationID, at level: Level, for person: PersonID) -> Bool {
        let counting = (closings[invitation] ?? [:]).filter { governs($0.key, level) }
        return counting.isEmpty || counting.values.contains { $0.contains(person) }
    }

    private func isMeant(_ invitation: InvitationID, to level: Level) -> Bool {
        terms[invitation]?[level]?.contains { governs($0, level) } ?? false
    }

    private func governs(_ speaker: PersonID, _ level: Level) -> Bool { levels[speaker]?.governs(level) ?? false }
}
