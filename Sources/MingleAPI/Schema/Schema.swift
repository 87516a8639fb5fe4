// SPDX-License-Identifier: Apache-2.0

extension API {
    /// What a JSON value looks like, as far as the API needs JSON Schema (draft 2020-12).
    package indirect enum Schema: Hashable, Sendable {
        /// Anything.
        case any
        /// Text; of at most so many bytes in UTF-8, of a format that JSON Schema knows, such as `date-time`.
        case text(limit: Int? = nil, format: String? = nil)
        /// One of some words.
        case word([String])
        /// A whole number.
        case integer(ClosedRange<Int64>? = nil)
        /// A number.
        case number(ClosedRange<Double>? = nil)
        /// True or false.
        case flag
        /// A list; of at most so many.
        case list(Schema, limit: Int? = nil)
        /// An object with these members and no others.
        case object([String: Schema], required: Set<String>)
        /// An object with members of any names.
        case map(Schema)
        /// A value, or null.
        case nullable(Schema)
        /// A schema that the description of the API has under a name.
        case named(String, Schema)

        /// What it stands for.
        package var resolved: Schema {
            switch self {
            case .named(_, let schema), .nullable(let schema): schema.resolved
            default: self
            }
        }

        /// The members of an object; nil for everything else.
        package var members: [String: Schema]? {
            if case .object(let members, _) = resolved { members } else { nil }
        }
    }
}

extension API.Schema {
    /// The schema as OpenAPI 3.1 writes it; a named one is a reference into its components.
    package var json: API.JSON {
        switch self {
        case .any: [:]
        case .text(let limit, let format): Self.text(limit, format)
        case .word(let words): ["type": "string", "enum": .list(words.map(API.JSON.text))]
        case .integer(let range):
            Self.object(
                "integer",
                ["minimum": range.map { .integer($0.lowerBound) }, "maximum": range.map { .integer($0.upperBound) }]
            )
        case .number(let range):
            Self.object(
                "number",
                ["minimum": range.map { .number($0.lowerBound) }, "maximum": range.map { .number($0.upperBound) }]
            )
        case .flag: ["type": "boolean"]
        case .list(let element, let limit):
            Self.object("array", ["items": element.json, "maxItems": limit.map { .integer(Int64($0)) }])
        case .object(let members, let required):
            Self.object(
                "object",
                [
                    "properties": .object(members.mapValues(\.json)),
                    "required": required.isEmpty ? nil : .list(required.sorted().map(API.JSON.text)),
                    "additionalProperties": false,
                ]
            )
        case .map(let value): Self.object("object", ["additionalProperties": value.json])
        case .nullable(let schema): ["anyOf": [schema.json, ["type": "null"]]]
        case .named(let name, _): ["$ref": .text("#/components/schemas/\(name)")]
        }
    }

    private static func text(_ limit: Int?, _ format: String?) -> API.JSON {
        object("string", ["maxLength": limit.map { .integer(Int64($0)) }, "format": format.map(API.JSON.text)])
    }

    private static func object(_ type: String, _ members: [String: API.JSON?]) -> API.JSON {
        .object(members.compactMapValues { $0 }.merging(["type": .text(type)]) { $1 })
    }

    /// The named schemas in it, by name.
    package var named: [String: API.Schema] {
        switch self {
        case .named(let name, let schema): schema.named.merging([name: schema]) { $1 }
        case .list(let schema, _), .map(let schema), .nullable(let schema): schema.named
        case .object(let members, _): members.values.reduce(into: [:]) { $0.merge($1.named) { $1 } }
        case .any, .text, .word, .integer, .number, .flag: [:]
        }
    }
}

extension API.Schema {
    /// The first member of a value that the schema does not know, with those that it knows; nil where it knows all.
    package func unknownMember(in value: API.JSON, at path: String = "") -> (name: String, known: [String])? {
        switch (resolved, value) {
        case (.object(let members, _), .object(let given)):
            for (name, value) in given.sorted(by: { $0.key < $1.key }) {
                guard let schema = members[name] else { return (path + name, members.keys.sorted()) }
                if let found = schema.unknownMember(in: value, at: "\(path)\(name).") { return found }
            }
            return nil
        case (.list(let element, _), .list(let values)):
            for value in values { if let found = element.unknownMember(in: value, at: path) { return found } }
            return nil
        default: return nil
        }
    }
}
