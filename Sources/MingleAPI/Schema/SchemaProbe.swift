// SPDX-License-Identifier: Apache-2.0

import Foundation

extension API.Schema {
    /// The schema of a type as ``API/encode(_:)`` writes it, from what the type asks a decoder for.
    package init<Value: Decodable>(of type: Value.Type) { self = SchemaProbe.look(at: type).schema }
}

/// A type whose values are words.
private protocol Worded {
    static var words: [String] { get }
    static var first: Any? { get }
}

/// A type of whose texts some are words of a list.
package protocol WordedMembers {
    /// The words, by the names of members.
    static var words: [String: [String]] { get }
}

/// A type that has others in it, of which a probe needs no value.
private protocol Holding {
    static var schema: API.Schema { get }
    static var none: Any { get }
}

extension Array: Holding where Element: Decodable {
    fileprivate static var schema: API.Schema { .list(SchemaProbe.look(at: Element.self).schema) }
    fileprivate static var none: Any { [Element]() }
}

extension Dictionary: Holding where Key == String, Value: Decodable {
    fileprivate static var schema: API.Schema { .map(SchemaProbe.look(at: Value.self).schema) }
    fileprivate static var none: Any { [String: Value]() }
}

extension API.Schema {
    /// The same schema with words in the place of texts.
    fileprivate func with(_ words: [String]) -> API.Schema {
        switch self {
        case .text: .word(words)
        case .list(let element, let limit): .list(element.with(words), limit: limit)
        case .nullable(let schema): .nullable(schema.with(words))
        default: self
        }
    }
}

/// A decoder that notes which members a type asks for, and answers with empty values.
private final class SchemaProbe: Decoder {
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    private var members: [String: API.Schema] = [:]
    private var required: Set<String> = []

    /// The schema of a type, and an empty value of it.
    ///
    /// A type that cannot be read from empty values is a defect of the API's own shapes.
    static func look<Value: Decodable>(at type: Value.Type) -> (schema: API.Schema, value: Value?) {
        if let (schema, value) = simple(type) { return (schema, value as? Value) }
        let probe = SchemaProbe()
        let value = try? Value(from: probe)
        for (name, words) in (type as? any WordedMembers.Type)?.words ?? [:] {
            probe.members[name] = probe.members[name]?.with(words)
        }
        let object = API.Schema.object(probe.members, required: probe.required)
        return (.named(name(of: type), object), value)
    }

    private static func simple(_ type: any Decodable.Type) -> (API.Schema, Any)? {
        switch type {
        case is String.Type: (.text(), "")
        case is Bool.Type: (.flag, false)
        case is Int.Type: (.integer(), 0)
        case is Int64.Type: (.integer(), Int64(0))
        case is Double.Type: (.number(), 0.0)
        case is Date.Type: (.text(format: "date-time"), Date(timeIntervalSince1970: 0))
        case is API.JSON.Type: (.any, API.JSON.null)
        case let holding as any Holding.Type: (holding.schema, holding.none)
        case let worded as any (RawRepresentable<String> & CaseIterable).Type: words(of: worded)
        default: nil
        }
    }

    private static func words<Word: RawRepresentable<String> & CaseIterable>(
        of type: Word.Type
    ) -> (API.Schema, Any)? {
        type.allCases.first.map { (.word(type.allCases.map(\.rawValue)), $0) }
    }

    /// The type's name within ``API``, without dots: `StatusSync`.
    private static func name(of type: any Decodable.Type) -> String {
        let parts = String(reflecting: type).split(separator: ".").drop { $0 != "API" }.dropFirst()
        // What only wraps others in a body has a name of its own.
        return parts.first == "Envelope" ? parts.dropFirst().joined() + "Body" : parts.joined()
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Members(probe: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Unsupported() }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Unsupported() }

    private struct Unsupported: Error {}

    private func note<Value: Decodable>(optional type: Value.Type, _ key: String) -> Value? {
        members[key.snakeCased] = .nullable(Self.look(at: type).schema)
        return nil
    }

    private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let probe: SchemaProbe
        let codingPath: [any CodingKey] = []
        let allKeys: [Key] = []

        func contains(_ key: Key) -> Bool { true }
        func decodeNil(forKey key: Key) -> Bool { false }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            let (schema, value) = SchemaProbe.look(at: type)
            let name = key.stringValue.snakeCased
            probe.members[name] = schema
            probe.required.insert(name)
            guard let value else { throw Unsupported() }
            return value
        }

        func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
            probe.note(optional: type, key.stringValue)
        }

        // The protocol asks for these apart, and would find them missing.
        func decodeIfPresent(_ type: Bool.Type, forKey key: Key) -> Bool? {
            probe.note(optional: type, key.stringValue)
        }
        func decodeIfPresent(_ type: String.Type, forKey key: Key) -> String? {
            probe.note(optional: type, key.stringValue)
        }
        func decodeIfPresent(_ type: Double.Type, forKey key: Key) -> Double? {
            probe.note(optional: type, key.stringValue)
        }
        func decodeIfPresent(_ type: Int.Type, forKey key: Key) -> Int? { probe.note(optional: type, key.stringValue) }
        func decodeIfPresent(_ type: Int64.Type, forKey key: Key) -> Int64? {
            probe.note(optional: type, key.stringValue)
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type,
            forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> {
            throw Unsupported()
        }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw Unsupported() }
        func superDecoder() throws -> any Decoder { throw Unsupported() }
        func superDecoder(forKey key: Key) throws -> any Decoder { throw Unsupported() }
    }
}

extension String {
    /// A name as JSON has it: `radius_m` for `radiusM`.
    package var snakeCased: String {
        reduce(into: "") { name, letter in
            name += letter.isUppercase ? "_" + letter.lowercased() : String(letter)
        }
    }
}
