// SPDX-License-Identifier: Apache-2.0

/// What makes a record the record that it is.
package enum RecordIdentity: Hashable, Sendable {
    /// The delta that made it.
    case delta
    /// Kind, author, target, subject and audience: there is one at most, which is set and never created or deleted.
    case key
}

/// What other records may do to a record: a kind with a trait can be the target of each kind that asks for the trait.
package enum Trait: String, Hashable, Sendable, CaseIterable {
    case commentable, faveable, rateable, bookmarkable, reportable, photographable, visitable, joinable, inviting
    case ownable, offering, usable, favourable, votable
}

/// What a record of a kind may hang on.
package enum TargetRule: Hashable, Sendable {
    /// On nothing but the event.
    case nothing
    /// On a record of a kind with a trait.
    case having(Trait)
    /// On a record of a kind with a trait, or on the event itself.
    case havingOrNothing(Trait)
    /// On a person.
    case person
}

/// Whom or what a keyed record is about, besides its target.
package enum SubjectRule: Hashable, Sendable {
    /// Nothing: every payload with a subject is void.
    case nothing
    /// A person.
    case person
}

/// A condition of being shown that the fields alone do not state.
package enum ShownRule: Hashable, Sendable {
    /// At least one of these fields has a value.
    case anyOf([String])
    /// The second time is after the first, and at most so many milliseconds after it.
    case span(from: String, to: String, longest: Int64)
    /// Its author made what it hangs on.
    case creator
    /// Its author owns what it hangs on: an ownership that is shown names both, and the person takes part.
    case owner
    /// The person whom it is about says the same about its author.
    case mutual
}

/// What of a kind's records is told with each record that they hang on.
package enum Aggregate: Hashable, Sendable {
    /// How many there are.
    case count
    /// The mean of a number field.
    case mean(String)
    /// Whether the viewer has one.
    case mine
}

/// The declaration of a kind of record: tables, validation, merging, lists, API shape and dump follow from it.
///
/// There is one object for each number; being a class, it is handed about for every delta without copying.
package final class Kind: Sendable {
    /// The kind's number on the wire; never used again for another kind.
    package let number: UInt32
    /// The kind's name: table, JSON word and word of the dump.
    package let name: String
    /// The name of several, as in `/api/v1/comments`.
    package let plural: String
    /// The area of the product that it belongs to; nil where it belongs to all.
    package let area: Area?
    /// What other kinds may hang on it.
    package let traits: Set<Trait>
    /// What makes a record of this kind the record that it is.
    package let identity: RecordIdentity
    /// What it may hang on.
    package let target: TargetRule
    /// Whom it may be about besides.
    package let subject: SubjectRule
    /// The lowest level of those who may write it; whoever makes one, only its author changes it, but for shared
    /// fields.
    package let writers: Level
    /// The least participation in a moment that it hangs on, of its author; nil where none is needed.
    package let participation: ParticipationState?
    /// The field that switches the record on (1) and off (0); nil where nothing does.
    package let onOff: String?
    /// The flag of a record that only its author and moderators see; nil where there is none.
    package let heldBack: String?
    /// For whom it is sealed.
    package let audience: AudienceRule
    /// What else has to be so that it is shown.
    package let shownIf: [ShownRule]
    /// What of it is told with its target.
    package let shows: [Aggregate]
    /// The time by which lists can stand, with an index; a record without it stands where it was made.
    package let timed: String?
    /// The fields, in order of number.
    package let fields: [Field]
    /// The fields that only the author writes.
    package let ownFields: [Field]
    /// The places in ``fields`` of those by whose words a search finds the record.
    package let searchedFields: [Int]
    /// The fields that others write, too; of a record that a delta made, ``Hiding/field`` is one of them.
    package let sharedFields: [Field]

    /// Declares a kind.
    package init(
        _ number: UInt32,
        _ name: String,
        plural: String,
        area: Area? = nil,
        traits: Set<Trait> = [],
        identity: RecordIdentity = .delta,
        target: TargetRule = .nothing,
        subject: SubjectRule = .nothing,
        writers: Level = .attendee,
        participation: ParticipationState? = nil,
        onOff: String? = nil,
        heldBack: String? = nil,
        audience: AudienceRule = .inherited,
        shownIf: [ShownRule] = [],
        shows: [Aggregate] = [],
        timed: String? = nil,
        fields: [Field]
    ) {
        (self.number, self.name, self.plural) = (number, name, plural)
        (self.area, self.traits) = (area, traits)
        (self.identity, self.target, self.subject) = (identity, target, subject)
        (self.writers, self.participation, self.fields) = (writers, participation, fields)
        (self.onOff, self.heldBack, self.audience) = (onOff, heldBack, audience)
        (self.shownIf, self.shows, self.timed) = (shownIf, shows, timed)
        ownFields = fields.filter { !$0.isShared }
        searchedFields = fields.indices.filter { fields[$0].isSearched }
        sharedFields = fields.filter(\.isShared) + (identity == .delta ? [Hiding.field] : [])
    }

    /// The field of a number, if this version knows it.
    package func field(_ number: UInt32) -> Field? { fields.first { $0.number == number } }

    /// The field of a name.
    package func field(named name: String) -> Field? { fields.first { $0.name == name } }
}

extension Kind: Equatable {
    package static func == (left: Kind, right: Kind) -> Bool { left.number == right.number }
}

extension Kind: Hashable {
    package func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

extension Kind {
    /// What a record of it is called in a sentence.
    package var noun: String { name.replacing("_", with: " ") }

    /// The indefinite article of ``noun``.
    ///
    /// No kind begins with a vowel that is not spoken as one, as in "user".
    package var article: String { "aeiou".contains(noun.prefix(1)) ? "an" : "a" }

    /// The kinds on which a record of this one may hang.
    package var parents: [Kind] { trait.map { trait in Kind.all.filter { $0.traits.contains(trait) } } ?? [] }

    /// The kinds of which records may hang on one of this kind.
    package var children: [Kind] { Kind.all.filter { $0.trait.map(traits.contains) ?? false } }

    /// The trait that its target has to have; nil where it hangs on no record.
    package var trait: Trait? {
        switch target {
        case .having(let trait), .havingOrNothing(let trait): trait
        case .nothing, .person: nil
        }
    }

    /// Whether it may hang on the event itself.
    package var mayHangOnEvent: Bool {
        switch target {
        case .nothing, .havingOrNothing: true
        case .having, .person: false
        }
    }

    /// Whether it has a position, by which a list finds the record.
    package var isLocated: Bool { field(named: "latitude") != nil && field(named: "longitude") != nil }

    /// Whether lists are narrowed to one person's records: what a delta makes, what is thought of places and deals, and
    /// what a person's profile tells of moments and friendships.
    package var isListedByAuthor: Bool {
        identity == .delta || [.rating, .participation, .friendship].contains(self)
    }

    /// Whether a record with an id of its own is switched on and off.
    package var isSwitched: Bool { identity == .delta && onOff != nil }

    /// Whether others than the author may write a field besides ``Hiding/field``.
    package var hasSharedFields: Bool { fields.contains(where: \.isShared) }

    /// Whether all who write its shared fields moderate, but for what its maker says.
    package var isSharedByModerators: Bool {
        sharedFields.allSatisfy { field in
            switch field.writers {
            case .level(let level), .makerThen(let level): level >= Hiding.writers
            case .author, .authorAnd: false
            }
        }
    }
}

/// How far a guest takes part in a moment; the words are the product's.
package enum ParticipationState: Int64, Sendable, Comparable, CaseIterable {
    /// The guest does not want to come.
    case ignored = 1
    /// The guest will come.
    case joined = 2
    /// The guest is there, or was.
    case checkedIn = 3

    package static func < (left: ParticipationState, right: ParticipationState) -> Bool {
        left.rawValue < right.rawValue
    }
}
