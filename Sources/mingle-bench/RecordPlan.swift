// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleClient
import MingleModel

/// One record that both sides of the benchmark store.
struct PlannedRecord {
    enum Target {
        case moment(Int)
        case photo(Int)
    }

    let kind: Kind
    let author: Int
    let target: Target
    let made: Timestamp
    var changes: [Change]
}

/// The records of the benchmark, in the order of their making: photos and comments in turn.
///
/// Devices take turns of 64 records, so that every photo is in the stream before the comments on it, as it is where
/// nodes keep up with each other.
struct RecordPlan: Sequence {
    /// Which records have words that a search finds.
    enum Texts: String, CaseIterable {
        /// None.
        case none
        /// Every third photo.
        case some
        /// All: each is a photo with a text of 45 bytes and a position.
        case all
    }

    /// As many as make, with a title or a name, whole runs of everybody's first words.
    static let moments = 63
    /// Comments are on one of so many latest photos.
    static let recentPhotos = 2000

    let count: Int
    /// How many devices take turns.
    var authors = 4
    var texts = Texts.some

    func makeIterator() -> Iterator { Iterator(count: count, authors: authors, texts: texts) }

    /// When the record at `index` is made.
    static func made(_ index: Int) -> Timestamp { Timestamp(milliseconds: 1_780_000_000_000 + Int64(index) * 250) }

    struct Iterator: IteratorProtocol {
        private let count: Int
        private let authors: Int
        private var index = 0
        private var generator = SeededGenerator(seed: 42)

        private let texts: Texts

        init(count: Int, authors: Int, texts: Texts) {
            (self.count, self.authors, self.texts) = (count, authors, texts)
        }

        mutating func next() -> PlannedRecord? {
            guard index < count else { return nil }
            defer { index += 1 }
            return texts == .all || index.isMultiple(of: 2) ? photo() : comment()
        }

        private var author: Int { index / 64 % authors }
        private var made: Timestamp { RecordPlan.made(index) }

        private mutating func photo() -> PlannedRecord {
            var changes = [
                Change(field: 2, value: .text("IMG_\(index).jpg")),
                Change(field: 3, value: .number(4032)),
                Change(field: 4, value: .number(3024)),
                Change(field: 5, value: .number(made.milliseconds - 4000)),
                Change(field: 6, value: media(1_000_000...8_000_000, "image/jpeg")),
                Change(field: 7, value: media(100_000...400_000, "image/webp")),
                Change(field: 8, value: media(4000...20_000, "image/webp")),
            ]
            if texts == .all {
                changes.insert(Change(field: 1, value: .text(words(ofBytes: 45))), at: 0)
                changes.append(
                    Change(field: 9, value: .number(Int64.random(in: 557_000_000...558_000_000, using: &generator)))
                )
                changes.append(
                    Change(field: 10, value: .number(Int64.random(in: 125_000_000...126_000_000, using: &generator)))
                )
            } else if texts == .some, index.isMultiple(of: 3) {
                changes.insert(Change(field: 1, value: .text("What we saw on the way, number \(index)")), at: 0)
            }
            let moment = Int.random(in: 0..<RecordPlan.moments, using: &generator)
            return PlannedRecord(kind: .photo, author: author, target: .moment(moment), made: made, changes: changes)
        }

        /// Words of a language of 20 000, the common ones often.
        private mutating func words(ofBytes length: Int) -> String {
            var text = ""
            while text.utf8.count < length {
                // Zipf's law: the rank is the power of an even draw.
                let rank = UInt64(exp(Double.random(in: 0...log(20_000), using: &generator)))
                var letters = rank &* 0x9e37_79b9_7f4a_7c15
                for _ in 0..<(3 + rank % 6) {
                    text.unicodeScalars.append(Unicode.Scalar(UInt8(97 + letters % 26)))
                    letters /= 26
                }
                text += " "
            }
            return String(text.prefix(length))
        }

        private mutating func comment() -> PlannedRecord {
            let latest = index / 2
            let photo = Int.random(in: Swift.max(0, latest - RecordPlan.recentPhotos + 1)...latest, using: &generator)
            let words = Int.random(in: 3...20, using: &generator)
            let text = String(repeating: "lovely ", count: words) + String(index)
            return PlannedRecord(
                kind: .comment,
                author: author,
                target: .photo(photo),
                made: made,
                changes: [Change(field: 1, value: .text(text))]
            )
        }

        private mutating func media(_ sizes: ClosedRange<UInt64>, _ type: String) -> Value {
            let root = Bytes32(at: 0, of: generator.bytes(32).span)
            let size = UInt64.random(in: sizes, using: &generator)
            return .media(Media(root: root, size: size, key: generator.bytes(32), type: type))
        }
    }
}
