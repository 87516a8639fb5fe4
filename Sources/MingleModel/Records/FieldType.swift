// SPDX-License-Identifier: Apache-2.0

/// What a field may hold, and how large.
package enum FieldType: Hashable, Sendable {
    /// Text of at most so many UTF-8 bytes, none of them zero: SQLite's functions end texts there.
    case text(limit: Int)
    /// A whole number in a range.
    case number(ClosedRange<Int64>)
    /// Yes (1) or no (0).
    case flag
    /// One of some words, numbered from 1; later versions may know more, up to 100.
    case choice([String])
    /// A time in milliseconds since 1970, up to the end of the year 9999.
    case time
    /// A latitude in 10⁻⁷ degrees.
    case latitude
    /// A longitude in 10⁻⁷ degrees.
    case longitude
    /// Metres: a radius or an accuracy.
    case metres
    /// A reference to another record.
    case reference
    /// References to other records, one behind the other; at most so many.
    case references(limit: Int)
    /// A person.
    case person
    /// A device.
    case device
    /// The last deltas of some journals that count, 45 bytes each; at most 64, and one byte where it is none.
    case ends
    /// Opening hours, as ``OpeningHours`` writes them.
    case hours
    /// A blob that the header lists.
    case media

    /// Whether `value` is of this type and within its limits.
    package func admits(_ value: Value) -> Bool {
        switch (self, value) {
        case (_, .cleared), (.media, .media): true
        case (.text(let limit), .text(let text)): text.utf8.count <= limit && !text.utf8.contains(0)
        case (_, .number(let number)): numbers?.contains(number) ?? false
        case (_, .data(let bytes)): admits(bytes)
        default: false
        }
    }

    /// The numbers that a field of this type may hold; nil where it holds none.
    package var numbers: ClosedRange<Int64>? {
        switch self {
        case .number(let range): range
        case .flag: 0...1
        case .choice: 1...100
        case .time: 0...Timestamp.latest.milliseconds
        case .latitude: Position.latitudes
        case .longitude: Position.longitudes
        case .metres: Position.metres
        case .text, .reference, .references, .person, .device, .ends, .hours, .media: nil
        }
    }

    private func admits(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .reference: Reference(bytes: bytes) != nil
        case .references(let limit):
            bytes.count <= limit * Reference.encodedLength && Reference.list(bytes) != nil
        case .person, .device: bytes.count == 32
        case .ends: bytes == [0] || !bytes.isEmpty && bytes.count % 45 == 0 && bytes.count <= 64 * 45
        case .hours: OpeningHours(bytes: bytes) != nil
        default: false
        }
    }
}

extension Timestamp {
    /// The last moment of the year 9999: what a date on a calendar can name.
    package static let latest = Timestamp(milliseconds: 253_402_300_799_999)
}
