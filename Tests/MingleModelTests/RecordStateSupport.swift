// SPDX-License-Identifier: Apache-2.0

import MingleModel
import TestSupport

/// A kind with a field of each way of merging, whose numbers have a gap.
enum TestKind {
    static let kind = Kind(
        1,
        "test",
        plural: "tests",
        fields: [
            Field(1, "text", .text(limit: 8), required: true),
            Field(2, "count", .number(0...100), merge: .maximum),
            Field(7, "size", .number(0...9)),
        ]
    )

    static var text: Field { kind.fields[0] }
}

extension Contribution {
    /// A delta of branch `branch`; its number decides over its name and, unless given, over its time.
    init(
        _ number: UInt8,
        branch: BranchPosition? = nil,
        at milliseconds: Int64? = nil,
        _ changes: Change...
    ) {
        self.init(number, branch: branch, at: milliseconds, changes: changes)
    }

    /// A delta with any changes.
    init(_ number: UInt8, branch: BranchPosition? = nil, at milliseconds: Int64? = nil, changes: [Change]) {
        let raw = Bytes32(at: 0, of: [UInt8](repeating: number, count: 32).span)
        self.init(
            reference: .to(number),
            hash: HeaderHash(raw),
            timestamp: Timestamp(milliseconds: milliseconds ?? Int64(number)),
            branch: branch ?? BranchPosition(branch: Int64(number), sequence: 1),
            changes: changes
        )
    }
}

extension Reference {
    /// What names the contribution of a number.
    static func to(_ number: UInt8) -> Reference {
        Reference(device: UInt64(number), journal: .content, sequence: 1, hash: UInt64(number))
    }
}

extension Change {
    /// Says something about the text.
    static func text(_ text: String, over overwrites: UInt8...) -> Change {
        Change(field: 1, value: .text(text), overwrites: overwrites.map(Reference.to))
    }

    /// Says something about the count.
    static func count(_ count: Int64) -> Change { Change(field: 2, value: .number(count)) }
}

extension RecordState {
    /// Merges what was said about a record of the kind of these tests.
    init(_ contributions: [Contribution]) { self.init(kind: TestKind.kind, contributions: contributions) }

    /// The text that is shown.
    var text: String? { if case .text(let text) = values[1] { text } else { nil } }
}

/// Merging as the protocol words it, with no care for speed: what ``RecordState`` has to agree with.
struct PlainState {
    private(set) var values: [UInt32: Value] = [:]
    private(set) var conflicts: Set<UInt32> = []

    init(_ kind: Kind, _ contributions: [Contribution]) {
        for field in kind.ownFields {
            let said = contributions.compactMap { contribution in
                contribution.changes.last { $0.field == field.number && field.admits($0.value) }
                    .map { (contribution, $0) }
            }
            if field.merge == .maximum {
                let numbers = said.compactMap { if case .number(let number) = $0.1.value { number } else { nil } }
                values[field.number] = numbers.max().map(Value.number)
                continue
            }
            let living = said.filter { mine, _ in
                !said.contains { other, change in
                    mine.branch.precedes(other.branch) || change.overwrites.contains(mine.reference)
                }
            }
            let shown = living.max { ($0.0.timestamp, $0.0.hash) < ($1.0.timestamp, $1.0.hash) }
            if let value = shown?.1.value, value != .cleared { values[field.number] = value }
            if Set(living.map(\.1.value)).count > 1 { conflicts.insert(field.number) }
        }
    }

    /// Whether it says the same of a field.
    func says(_ shown: Shown, of field: Field) -> Bool {
        let number = field.number
        return shown.values[number] == values[number]
            && shown.conflicts.contains(number) == conflicts.contains(number)
    }
}

extension SplitMix {
    /// Deltas of a few journals, some of which forked, that change, clear and overwrite at random.
    mutating func contributions(count: UInt8, of kind: Kind = TestKind.kind) -> [Contribution] {
        let places = (0..<count).map { _ in place() }
        var taken: Set<BranchPosition> = []
        return (0..<count).compactMap { number in
            guard taken.insert(places[Int(number)]).inserted else { return nil }
            let changes = (0..<Int.random(in: 1...3, using: &self)).map { _ in change(of: kind, upTo: number) }
            // Times repeat, so that names decide too.
            let time = Int64.random(in: 0...4, using: &self)
            return Contribution(number, branch: places[Int(number)], at: time, changes: changes)
        }
    }

    /// A place in one of two journals: on its first branch, or on one that left it, or on one that left that.
    private mutating func place() -> BranchPosition {
        let journal = Int64.random(in: 0...1, using: &self) * 10
        let sequence = UInt32.random(in: 1...9, using: &self)
        let first = BranchPosition(branch: journal, sequence: 3)
        switch Int.random(in: 0...3, using: &self) {
        case 0: return BranchPosition(branch: journal + 1, sequence: 3 + sequence, leaving: first)
        case 1:
            let second = BranchPosition(branch: journal + 1, sequence: 6, leaving: first)
            return BranchPosition(branch: journal + 2, sequence: 6 + sequence, leaving: second)
        default: return BranchPosition(branch: journal, sequence: sequence)
        }
    }

    private mutating func change(of kind: Kind, upTo number: UInt8) -> Change {
        // Half of all is said of one field, so that there is something to merge; some of a field that nobody knows.
        let field = chance(50) ? kind.ownFields[0] : pick(kind.ownFields)
        let overwrites = (0..<Int.random(in: 0...2, using: &self)).compactMap { _ in
            number > 0 ? Reference.to(UInt8.random(in: 0..<number, using: &self)) : nil
        }
        let value = chance(75) ? good(field.type) : pick([.cleared, .number(.min), .text("a\0b"), .data([1])])
        return Change(field: chance(5) ? 99 : field.number, value: value, overwrites: overwrites)
    }

    private mutating func number(within range: ClosedRange<Int64>) -> Int64 {
        min(pick([range.lowerBound, range.lowerBound + 1, range.upperBound]), range.upperBound)
    }

    /// One of a few values that a type admits.
    private mutating func good(_ type: FieldType) -> Value {
        switch type {
        case .text: .text(pick(["a", "b"]))
        case .number, .flag, .choice, .time, .latitude, .longitude, .metres:
            .number(number(within: type.numbers ?? 0...0))
        case .reference, .references: .data(Reference.to(pick(1...2)).bytes)
        case .hours: .data([0, 0, pick(0...1), 1, 0])
        case .person, .device: .data([UInt8](repeating: pick(1...2), count: 32))
        case .ends: .data(pick([[0], [UInt8](repeating: 7, count: 45)]))
        case .media: .media(Media(root: .zero, size: pick(1...2), key: [], type: ""))
        }
    }
}
