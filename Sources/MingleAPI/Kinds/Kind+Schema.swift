// SPDX-License-Identifier: Apache-2.0

package import MingleModel

extension FieldType {
    /// The schema of its values in JSON.
    package var schema: API.Schema {
        switch self {
        case .text(let limit): .text(limit: limit)
        case .number(let range): .integer(range)
        case .flag: .flag
        case .choice(let words): .word(words)
        case .time: .text(format: "date-time")
        case .latitude: .number(-90...90)
        case .longitude: .number(-180...180)
        case .metres: .number(0...Double(Position.metres.upperBound))
        case .reference, .person, .device: .text(limit: 64)
        case .references(let limit): .list(.text(limit: 64), limit: limit)
        case .hours:
            .object(
                Dictionary(
                    uniqueKeysWithValues: OpeningHours.days.map {
                        ($0, .list(.list(.text(limit: 5), limit: 2), limit: 4))
                    }
                ),
                required: []
            )
        case .media: .named("Media", API.Schema.media)
        case .ends: .any
        }
    }
}

extension FieldType {
    /// The one number that a field can hold, as that somebody used a deal; nil where there are others.
    package var onlyNumber: Int64? {
        if case .number(let range) = self, range.count == 1 { range.lowerBound } else { nil }
    }
}

extension API.Schema {
    /// A blob of a record.
    fileprivate static let media = API.Schema.object(
        ["type": .text(), "size": .integer(), "held": .flag, "url": .text()],
        required: ["type", "size", "held", "url"]
    )

    /// The members of every record.
    fileprivate static var envelope: [String: API.Schema] {
        [
            "kind": .text(), "author": API.Schema(of: API.Person.self), "posted": .text(format: "date-time"),
            "mine": .flag, "private": .flag, "hidden": API.Schema(of: API.Hidden.self), "distance_m": .integer(),
        ]
    }
}

extension Kind {
    /// The fields that JSON has, but for what a keyed record is switched on and off by.
    package var members: [Field] { fields.filter { $0.isMember && !isSwitch($0) } }

    /// Whether records have a picture, which is uploaded on its own.
    package var hasPicture: Bool { field(named: "thumbnail") != nil && field(named: "preview") != nil }

    /// Whether a field says by itself that a keyed record is on.
    private func isSwitch(_ field: Field) -> Bool { identity == .key && field.name == onOff }

    /// The fields of a picture, which the node writes.
    private static let pictureFields: Set = ["width", "height"]

    /// The fields that people write.
    package var writableMembers: [Field] {
        members.filter { field in
            field.type != .media && field.type.onlyNumber == nil
                && !(hasPicture && Self.pictureFields.contains(field.name))
        }
    }

    /// What somebody says to make a record; for a keyed one, to set it: what it is on stands in the path.
    package var newSchema: API.Schema {
        var members = writtenSchemas
        for field in writableMembers where field.isRequired { members[field.member] = field.type.schema }
        var required = Set(writableMembers.filter { $0.isRequired && $0.name != onOff }.map(\.member))
        if identity == .delta, target != .nothing {
            members["target"] = .text(limit: 64)
            if !mayHangOnEvent { required.insert("target") }
        }
        if subject == .person {
            members["subject"] = .text(limit: 64)
            required.insert("subject")
        }
        return .named("New\(typeName)", .object(members, required: required))
    }

    /// What somebody says to change a record.
    package var changeSchema: API.Schema { .named("\(typeName)Change", .object(writtenSchemas, required: [])) }

    private var writtenSchemas: [String: API.Schema] {
        var schemas = Dictionary(
            uniqueKeysWithValues: writableMembers.map { ($0.member, API.Schema.nullable($0.type.schema)) }
        )
        if hasPicture { schemas["picture"] = .nullable(.text(limit: 64)) }
        return schemas
    }

    /// A record, as the API tells of it.
    package var recordSchema: API.Schema {
        var schemas = API.Schema.envelope
        for field in members { schemas[field.member] = field.type.schema }
        if identity == .delta { schemas["id"] = .text() }
        // Whether what has opening hours is open now.
        if fields.contains(where: { $0.type == .hours }) { schemas["open"] = .flag }
        if target != .nothing { (schemas["target"], schemas["target_kind"]) = (.text(), .text()) }
        if subject == .person { schemas["subject"] = API.Schema(of: API.Person.self) }
        for child in children where !child.shows.isEmpty { schemas[child.plural] = child.aggregateSchema }
        schemas.merge(followingSchemas) { $1 }
        return .named(
            typeName,
            .object(schemas, required: identity == .delta ? Self.always.union(["id"]) : Self.always)
        )
    }

    /// Members that follow from more than the record says.
    private var followingSchemas: [String: API.Schema] {
        guard self == .deal else { return [:] }
        return [
            "state": .word(DealState.allCases.map(\.rawValue)), "left": .integer(), "confirms": .flag,
            "place": .object(
                ["id": .text(), "name": .text(), "latitude": .number(), "longitude": .number()],
                required: ["id", "name"]
            ),
            "use": .object(
                [
                    "at": .text(format: "date-time"), "confirmed": .text(format: "date-time"),
                    "state": .word(DealUseState.allCases.map(\.rawValue)),
                ],
                required: ["at", "state"]
            ),
        ]
    }

    /// Members that every record has.
    private static let always: Set = ["kind", "author", "posted", "mine", "private"]

    /// A page of records.
    package var listSchema: API.Schema {
        .named(
            "\(typeName)List",
            .object([plural: .list(recordSchema), "next": .text()], required: [plural])
        )
    }

    /// What a record tells of those of this kind that hang on it.
    private var aggregateSchema: API.Schema {
        var members: [String: API.Schema] = ["count": .integer()]
        let means = shows.compactMap { if case .mean(let name) = $0 { (name, API.Schema.number()) } else { nil } }
        if !means.isEmpty { members["means"] = .object(Dictionary(means) { first, _ in first }, required: []) }
        if self == .rating {
            (members["word"], members["price_word"]) = (.word(RatingWords.quality), .word(RatingWords.price))
        }
        if shows.contains(.mine) { members["mine"] = onOff == nil ? .map(.any) : .flag }
        return .named("\(typeName)Summary", .object(members, required: ["count"]))
    }

    /// What the schema of its records is called: `PlacePageRecord`.
    private var typeName: String {
        name.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined() + "Record"
    }
}
