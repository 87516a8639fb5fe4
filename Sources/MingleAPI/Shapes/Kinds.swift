// SPDX-License-Identifier: Apache-2.0

package import MingleModel

extension API {
    /// The declaration of a kind of records, for programs that make lists and forms of it.
    package struct DeclaredKind: Codable, Sendable {
        package var name: String
        package var plural: String
        /// The area that it belongs to; none where it is always there.
        package var area: String?
        /// `id` where each record has an id of its own, `target` where a person has one at most on each target.
        package var identity: String
        /// Names of the kinds that it can hang on.
        package var targets: [String]
        /// The lowest level of those who write it.
        package var writers: String
        /// What can be done: `list`, `show`, `create`, `change`, `delete`, `set`, `unset`.
        package var calls: [String]
        /// The orders of lists.
        package var orders: [String]
        /// Whether lists can be narrowed by words.
        package var search: Bool
        /// Whether lists can be narrowed by position.
        package var located: Bool
        /// Whether records have a picture.
        package var picture: Bool
        package var fields: [DeclaredField]
    }

    /// The declaration of a field.
    package struct DeclaredField: Codable, Sendable {
        /// The member in JSON.
        package var name: String
        /// `text`, `number`, `flag`, `choice`, `time`, `latitude`, `longitude`, `metres`, `reference`, `references`,
        /// `person`, `device`, `hours` or `media`.
        package var type: String
        package var required: Bool
        /// Who writes it: `author`, or the lowest level of others who do.
        package var writers: String
        /// Whether lists can be narrowed by its value.
        package var filter: Bool
        /// Bytes of a text, or references, that it holds at most.
        package var limit: Int?
        package var minimum: Int?
        package var maximum: Int?
        /// The words of a choice.
        package var choices: [String]?
    }
}

extension API.Envelope {
    package struct Kinds: Codable, Sendable {
        package var kinds: [API.DeclaredKind]

        package init(kinds: [API.DeclaredKind]) { self.kinds = kinds }
    }
}

extension API.DeclaredKind {
    /// Tells of a kind.
    package init(_ kind: Kind) {
        self.init(
            name: kind.name,
            plural: kind.plural,
            area: kind.area?.word,
            identity: kind.identity == .delta ? "id" : "target",
            targets: kind.target == .person ? ["person"] : kind.parents.map(\.name),
            writers: kind.writers.word,
            calls: kind.calls.sorted { $0.rawValue < $1.rawValue }.map { "\($0)" },
            orders: ["newest"] + kind.orderFields.flatMap { [$0.member, "-\($0.member)"] },
            search: !kind.searchedFields.isEmpty,
            located: kind.isLocated,
            picture: kind.hasPicture,
            fields: kind.members.map { API.DeclaredField($0) }
        )
    }
}

extension API.DeclaredField {
    /// Tells of a field.
    package init(_ field: Field) {
        let range = field.type.numbers
        self.init(
            name: field.member,
            type: field.type.word,
            required: field.isRequired,
            writers: field.writers.level?.word ?? "author",
            filter: field.isFilter,
            limit: field.type.limit,
            minimum: range.map { Int($0.lowerBound) },
            maximum: range.map { Int($0.upperBound) },
            choices: field.type.choices
        )
        // These are degrees, times and words in JSON.
        if [FieldType.latitude, .longitude, .time, .flag].contains(field.type) || choices != nil {
            (minimum, maximum) = (nil, nil)
        }
    }
}

extension FieldType {
    /// The type's name.
    fileprivate var word: String {
        switch self {
        case .text: "text"
        case .number: "number"
        case .flag: "flag"
        case .choice: "choice"
        case .time: "time"
        case .latitude: "latitude"
        case .longitude: "longitude"
        case .metres: "metres"
        case .reference: "reference"
        case .references: "references"
        case .person: "person"
        case .device: "device"
        case .ends: "ends"
        case .hours: "hours"
        case .media: "media"
        }
    }

    fileprivate var limit: Int? {
        switch self {
        case .text(let limit), .references(let limit): limit
        default: nil
        }
    }

    fileprivate var choices: [String]? { if case .choice(let words) = self { words } else { nil } }
}
