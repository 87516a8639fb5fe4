// SPDX-License-Identifier: Apache-2.0

/// Who is at which level in one event: what follows from all that was said about it (design, "Who may do what").
///
/// It is a function of the set of statements, whatever the order in which they came; `Authority+Evaluation.swift` works it
/// out.
package struct Authority: Sendable {
    /// What one person said about others.
    package enum Statement: Hashable, Sendable {
        /// Who comes by an invitation is at a level.
        case invitation(InvitationID, Level)
        /// A person is at a level.
        case grant(PersonID, Level)
        /// Of those who came by an invitation, only these count, and whom others who closed it list.
        case closing(InvitationID, Set<PersonID>)
        /// What a person wrote past some place counts for less, or for nothing.
        case cut(Cut)

        /// Whether it is a cut of this person's words.
        fileprivate func isAbout(_ person: PersonID) -> Bool {
            if case .cut(let cut) = self { cut.person == person } else { false }
        }
    }

    /// Who said something, and where it stands: a cut of the speaker may void it.
    package struct Speaker: Hashable, Sendable {
        /// Who.
        package let person: PersonID
        /// Where.
        package let place: Place

        /// Says who said something, and where.
        package init(_ person: PersonID, at place: Place) { (self.person, self.place) = (person, place) }
    }

    /// A cut, and who made it.
    struct StatedCut: Hashable, Sendable {
        let cut: Cut
        let speaker: Speaker

        /// Whether a person says so to have left.
        func isLeaving(of person: PersonID) -> Bool {
            speaker.person == person && cut.device == nil && cut.level == nil
        }

        /// Whether a person says so that a device of its own is not to be used any more.
        func isRetirement(by person: PersonID) -> Bool { speaker.person == person && cut.device != nil }
    }

    /// A change of what one person may do.
    package struct Change: Hashable, Sendable {
        /// Whose.
        package let person: PersonID
        /// What it was; nil: not let in.
        package let old: Standing?
        /// What it is.
        package let new: Standing?
    }

    /// Everybody who was ever let in, as of the last ``settle()``.
    package internal(set) var standings: [PersonID: Standing] = [:]

    var founder: PersonID?
    var terms: [InvitationID: [Level: Set<Speaker>]] = [:]
    var closings: [InvitationID: [Speaker: Set<PersonID>]] = [:]
    var grants: [PersonID: [Level: Set<Speaker>]] = [:]
    var cuts: [PersonID: [Reference: StatedCut]] = [:]
    var admissions = Groups<PersonID, InvitationID>()
    /// The same by invitation.
    private var admitted = Groups<InvitationID, PersonID>()
    /// Who said something about others, whose level matters to theirs.
    private var speakers: Set<PersonID> = []
    /// Whose level may have changed, where nobody else's can have.
    private var stale: Set<PersonID> = []
    private var isAllStale = false

    /// An event of which nothing is known.
    package init() {}

    /// Whether ``settle()`` may find something.
    package var isStale: Bool { isAllStale || !stale.isEmpty }

    /// Everybody who takes part, with the level of what they say from now on.
    package var levels: [PersonID: Level] { standings.compactMapValues(\.level) }

    /// Takes in who founded the event.
    package mutating func found(_ person: PersonID) {
        guard founder != person else { return }
        founder = person
        isAllStale = true
    }

    /// Takes in that a person came by an invitation.
    package mutating func admit(_ person: PersonID, by invitation: InvitationID) {
        guard admissions.first(of: person, where: { $0 == invitation }) == nil else { return }
        admissions.add(invitation, to: person)
        admitted.add(person, to: invitation)
        outdate(person)
    }

    /// Has one person's level worked out anew, and everybody's where others' follow from it.
    private mutating func outdate(_ person: PersonID) {
        if speakers.contains(person) { isAllStale = true } else { stale.insert(person) }
    }

    /// Takes in what somebody said; whether it counts follows from who that is.
    package mutating func state(_ statement: Statement, by speaker: Speaker) {
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
        // Said again with more of its ends at hand, it is the same cut.
        case .cut(let cut): isNews = stated(cut, by: speaker)
        }
        guard isNews else { return }
        // What people say of themselves is about nobody else.
        if !statement.isAbout(speaker.person) { speakers.insert(speaker.person) }
        switch statement {
        case .invitation(let invitation, _), .closing(let invitation, _):
            for person in admitted[invitation] { outdate(person) }
        case .grant(let person, _): outdate(person)
        case .cut(let cut): outdate(cut.person)
        }
    }

    /// Whether a person said something about others, so that its level matters to theirs.
    package func hasSpoken(_ person: PersonID) -> Bool { speakers.contains(person) }

    private mutating func stated(_ cut: Cut, by speaker: Speaker) -> Bool {
        let stated = StatedCut(cut: cut, speaker: speaker)
        return cuts[cut.person, default: [:]].updateValue(stated, forKey: cut.id) != stated
    }

    /// Works out who may do what now, and returns what changed, in the order of the persons' names.
    package mutating func settle() -> [Change] {
        defer { (isAllStale, stale) = (false, []) }
        guard isAllStale else { return stale.sorted().compactMap { settle($0) } }
        let old = standings
        evaluate()
        return Set(old.keys).union(standings.keys).sorted().compactMap { change(of: $0, from: old[$0]) }
    }

    /// Works out what one person may do whose level is nobody else's matter: of an event with many people nothing is copied.
    private mutating func settle(_ person: PersonID) -> Change? {
        let old = standings[person]
        standings[person] = standing(of: person)
        return change(of: person, from: old)
    }

    private func change(of person: PersonID, from old: Standing?) -> Change? {
        let new = standings[person]
        return old == new ? nil : Change(person: person, old: old, new: new)
    }
}
