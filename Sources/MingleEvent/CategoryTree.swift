// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleModel

/// The categories of an event by their names, and those that an import makes.
struct CategoryTree {
    /// Categories above each other that an import makes.
    private static let depthLimit = 16
    /// What stands for the id of a category that is not made yet; nothing has it.
    static let unmade = [UInt8](repeating: 0xFF, count: Reference.encodedLength)

    private var ids: [String: Reference]
    private let described: [String: API.ImportedCategory]
    /// What is to be made: each stands behind the one above it.
    private(set) var missing: [API.ImportedCategory] = []
    private var wanted: Set<String> = []

    /// - Parameters:
    ///   - known: The event's categories by their folded names.
    ///   - described: What is known of those that may be made.
    init(known ids: [String: Reference], described: [API.ImportedCategory]) {
        self.ids = ids
        self.described = Dictionary(described.map { (FoldedWords.name($0.name), $0) }) { first, _ in first }
    }

    /// The id of a category; nil where there is none yet.
    func id(of name: String) -> Reference? { ids[FoldedWords.name(name)] }

    /// Notes that a place has these categories.
    ///
    /// - Throws: `API.Problem` named `badRequest` for more than a place has, or a name that no category has.
    mutating func want(_ names: [String]) throws {
        guard names.count <= 3, Set(names.map(FoldedWords.name)).count == names.count else {
            throw API.Problem(.badRequest, "A place has at most three categories, each once.")
        }
        for name in names {
            _ = try Self.values(of: described[FoldedWords.name(name)] ?? API.ImportedCategory(name: name))
        }
        for name in names { try want(name, depth: 0) }
    }

    private mutating func want(_ name: String, depth: Int) throws {
        let key = FoldedWords.name(name)
        guard ids[key] == nil, depth < Self.depthLimit, wanted.insert(key).inserted else { return }
        let category = described[key] ?? API.ImportedCategory(name: name)
        if let parent = category.parent { try want(parent, depth: depth + 1) }
        missing.append(category)
    }

    /// Makes what is missing.
    mutating func make(_ write: ([String: Value]) throws -> Reference) throws {
        for category in missing {
            var values = try Self.values(of: category)
            if let parent = category.parent.flatMap(id) { values["parent"] = .data(parent.bytes) }
            ids[FoldedWords.name(category.name)] = try write(values)
        }
    }

    private static func values(of category: API.ImportedCategory) throws -> [String: Value] {
        let texts = [
            "name": category.name, "singular": category.singular, "short": category.short,
            "synonyms": category.synonyms,
        ]
        return try RecordDraft(.category, .object(texts.compactMapValues { $0.map(API.JSON.text) }), for: .create)
            .values
    }
}
