// SPDX-License-Identifier: Apache-2.0

/// Levels are worked out from the highest down: at each are those whom somebody above it, who is known by then, put there,
/// less what somebody above it cut. So nobody can raise oneself, two people can never decide about each other, and it makes
/// no difference who said something first. What people say of themselves takes from them alone, and nobody need be above them.
extension Authority {
    mutating func evaluate() {
        standings = [:]
        if let founder { standings[founder] = standing(of: founder, put: .founder) }
        var rest = Set(grants.keys).union(admissions.keys).subtracting(standings.keys)
        for level in Level.allCases.dropFirst() {
            // All of one level at once: nobody in it has a say about the others.
            let found = rest.filter { isPut($0, at: level) }
            for person in found { standings[person] = standing(of: person, put: level) }
            rest.subtract(found)
        }
    }

    func standing(of person: PersonID) -> Standing? {
        if person == founder { return standing(of: person, put: .founder) }
        return Level.allCases.dropFirst().first { isPut(person, at: $0) }.map { standing(of: person, put: $0) }
    }

    /// The level at which somebody said something; nil: it counts for nothing.
    package func level(of speaker: Speaker) -> Level? { standings[speaker.person]?.level(at: speaker.place) }

    /// The invitations that somebody closed who may.
    package var closedInvitations: Set<InvitationID> {
        Set(
            closings.filter { invitation, closings in
                let levels = (terms[invitation] ?? [:])
                    .filter { level, makers in makers.contains { governs($0, level) } }.keys
                return levels.contains { level in closings.keys.contains { governs($0, level) } }
            }
            .keys
        )
    }

    /// What a person said about leaving, whether that counts or not, in the order of the cuts' ids.
    package func leavings(of person: PersonID) -> [Cut] {
        (cuts[person] ?? [:]).values.filter { $0.isLeaving(of: person) }.map(\.cut).sorted { $0.id < $1.id }
    }

    /// The standings of those of whom some cut was said; nobody else's has any.
    private var cutStandings: [Standing] { cuts.keys.compactMap { standings[$0] } }

    /// The cuts that people made of their own words: who has left, and which devices are retired.
    package var ownCuts: [Cut] { cutStandings.flatMap(\.ownCuts) }

    /// The cuts by others by which people are out of the event or below a level; nil: out alone.
    package func cuts(below level: Level?) -> [Cut] {
        cutStandings.flatMap { standing in
            standing.cuts.filter { cut in cut.level.map { left in level.map { left < $0 } ?? false } ?? true }
        }
    }

    /// Whether an invitation by itself lets a person in who came by it.
    package func letsIn(_ person: PersonID, by invitation: InvitationID) -> Bool {
        (terms[invitation] ?? [:]).keys.contains {
            isMeant(invitation, to: $0) && isOpen(invitation, at: $0, for: person)
        }
    }

    // MARK: - What was said

    /// Whether somebody who may put a person at a level did, of those whose levels are known.
    private func isPut(_ person: PersonID, at level: Level) -> Bool {
        if grants[person]?[level]?.contains(where: { governs($0, level) }) ?? false { return true }
        return admissions.first(of: person) { isMeant($0, to: level) && isOpen($0, at: level, for: person) } != nil
    }

    /// Whether an invitation that leads to `level` lets a person in: nobody who may closed it, or one who did lists them.
    private func isOpen(_ invitation: InvitationID, at level: Level, for person: PersonID) -> Bool {
        let counting = (closings[invitation] ?? [:]).filter { governs($0.key, level) }
        return counting.isEmpty || counting.values.contains { $0.contains(person) }
    }

    private func isMeant(_ invitation: InvitationID, to level: Level) -> Bool {
        terms[invitation]?[level]?.contains { governs($0, level) } ?? false
    }

    /// What a person may do who is put at a level: less what those above cut, and what the person says of its own part.
    private func standing(of person: PersonID, put level: Level) -> Standing {
        guard let said = cuts[person]?.values else { return Standing(base: level) }
        let governing = said.filter { $0.cut.device == nil && governs($0.speaker, level) }
        let cuts = unreplaced(governing)
        // A relay says nothing, and nobody's keys are renewed for that.
        guard level != .relay else { return Standing(base: level, cuts: cuts) }
        // A thief's device and the owner's may both say so, and nobody could tell them apart. Past what others cut nothing counts.
        let judged = Standing(base: level, cuts: cuts)
        let retirements = said.filter { $0.isRetirement(by: person) && judged.level(at: $0.speaker.place) != nil }
            .map(\.cut)
        let before = Standing(base: level, cuts: cuts, retirements: retirements)
        let lifted = governing.reduce(into: Set<Reference>()) { $0.formUnion($1.cut.overwrites) }
        let leavings = said.filter { $0.isLeaving(of: person) && !lifted.contains($0.cut.id) }.compactMap { leaving in
            before.levelBeforeLeaving(at: leaving.speaker.place).map { Standing.Leaving(cut: leaving.cut, level: $0) }
        }
        return Standing(base: level, cuts: cuts, retirements: retirements, leavings: leavings)
    }

    /// Those of some cuts that no other of them replaces, by its maker or by somebody above.
    private func unreplaced(_ counting: [StatedCut]) -> [Cut] {
        let replaced = counting.reduce(into: Set<Reference>()) { replaced, one in
            for other in counting where other.cut.overwrites.contains(one.cut.id) {
                if mayReplace(one.speaker, other.speaker) { replaced.insert(one.cut.id) }
            }
        }
        // A cut that was lifted is replaced by one that takes nothing.
        return counting.map(\.cut).filter { !replaced.contains($0.id) && $0.level != .founder }
    }

    private func mayReplace(_ maker: Speaker, _ speaker: Speaker) -> Bool {
        guard let theirs = level(of: maker), let mine = level(of: speaker) else { return false }
        return speaker.person == maker.person || mine > theirs
    }

    private func governs(_ speaker: Speaker, _ level: Level) -> Bool {
        self.level(of: speaker)?.governs(level) ?? false
    }
}
