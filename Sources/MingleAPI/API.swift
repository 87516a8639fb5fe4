// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The values of the local API, which the web page and the command line both speak (docs/api.md).
package enum API {
    /// Writes a value as the API does: snake_case, RFC 3339 times, keys in order.
    package static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(text(of: date))
        }
        return try encoder.encode(value)
    }

    /// Reads what ``encode(_:)`` writes, and times without fractions of a second too.
    package static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .custom { decoder in
            let value = try decoder.singleValueContainer()
            let text = try value.decode(String.self)
            guard let date = date(from: text) else {
                throw DecodingError.dataCorruptedError(
                    in: value,
                    debugDescription: "Not a time. Use 2026-06-20T18:00:00Z."
                )
            }
            return date
        }
        return try decoder.decode(type, from: data)
    }

    /// A time as the API writes it (RFC 3339).
    package static func text(of date: Date) -> String {
        // The style cuts off what is below a millisecond, and a time just below one is what doubles make of it.
        date.addingTimeInterval(0.0005).formatted(timeStyle)
    }

    /// Reads a time, with fractions of a second or without; nil for anything else.
    package static func date(from text: String) -> Date? {
        (try? timeStyle.parse(text)) ?? (try? Date.ISO8601FormatStyle().parse(text))
    }

    private static let timeStyle = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}

extension Date {
    /// The moment that is so many milliseconds after 1970 began, at most the last of the year 9999: RFC 3339 has no more.
    package init(milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(min(milliseconds, 253_402_300_799_999)) / 1000)
    }

    /// Milliseconds since 1970 began.
    package var milliseconds: Int64 {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded()
        return Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max)
    }
}
