// SPDX-License-Identifier: Apache-2.0

extension API {
    /// A JSON value of any shape (RFC 8259).
    package indirect enum JSON: Hashable, Sendable {
        case null
        case flag(Bool)
        case integer(Int64)
        case number(Double)
        case text(String)
        case list([JSON])
        case object([String: JSON])

        /// The members of an object; nil for everything else.
        package var members: [String: JSON]? { if case .object(let members) = self { members } else { nil } }

        /// The words of a text; nil for everything else.
        package var text: String? { if case .text(let text) = self { text } else { nil } }

        /// The same object with one more member.
        package func adding(_ name: String, _ value: JSON) -> JSON {
            .object((members ?? [:]).merging([name: value]) { $1 })
        }

        /// The member of an object; nil where there is none.
        package subscript(name: String) -> JSON? { members?[name] }
    }
}

extension API.JSON: Codable {
    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? value.decode(Int64.self) {
            self = .integer(number)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let list = try? value.decode([Self].self) {
            self = .list(list)
        } else {
            self = .object(try value.decode([String: Self].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .flag(let flag): try value.encode(flag)
        case .integer(let number): try value.encode(number)
        case .number(let number): try value.encode(number)
        case .text(let text): try value.encode(text)
        case .list(let list): try value.encode(list)
        case .object(let members): try value.encode(members)
        }
    }
}

extension API.JSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral {
    package init(stringLiteral text: String) { self = .text(text) }
    package init(booleanLiteral flag: Bool) { self = .flag(flag) }
    package init(integerLiteral number: Int64) { self = .integer(number) }
}

extension API.JSON: ExpressibleByFloatLiteral {
    package init(floatLiteral number: Double) { self = .number(number) }
}

extension API.JSON: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    package init(arrayLiteral list: Self...) { self = .list(list) }
    package init(dictionaryLiteral members: (String, Self)...) {
        self = .object(Dictionary(members) { _, last in last })
    }
}
