// SPDX-License-Identifier: Apache-2.0

import MingleModel

/// Rows of a table by their ids.
///
/// SQLite counts these from 1 on, so that a row's place says its id; only where some went, those behind stand by theirs. They stand in
/// pages, as readers keep the rows of a moment while more come: each that comes copies one page and not all of them, and no more room is
/// taken than for one page.
struct Rows<Element: Sendable>: Sendable {
    private static var pageLength: Int { 32 }

    /// All of them full but the last.
    private var pages: [[Element]] = []
    private var count = 0
    private var rest: [Int64: Element] = [:]

    var ids: [Int64] { (0..<count).map { Int64($0) + 1 } + rest.keys }
    var all: [Element] { pages.flatMap(\.self) + rest.values }

    subscript(id: Int64) -> Element? { isDense(id) ? pages[Self.page(of: id)][Self.place(of: id)] : rest[id] }

    mutating func put(_ row: Element, at id: Int64) {
        if isDense(id) {
            pages[Self.page(of: id)][Self.place(of: id)] = row
        } else if id == count + 1, rest.isEmpty {
            if Self.place(of: id) == 0 { pages.append([]) }
            pages[pages.count - 1].append(row)
            count += 1
        } else {
            rest[id] = row
        }
    }

    /// Changes a row, if it is there.
    mutating func change(_ id: Int64, _ change: (inout Element) -> Void) {
        guard var row = self[id] else { return }
        change(&row)
        put(row, at: id)
    }

    private func isDense(_ id: Int64) -> Bool { id > 0 && id <= count }

    private static func page(of id: Int64) -> Int { (Int(id) - 1) / pageLength }
    private static func place(of id: Int64) -> Int { (Int(id) - 1) % pageLength }
}

/// A row that has a name beside its id.
protocol NamedRow: Sendable {
    associatedtype Name: Identifier32

    var name: Name { get }
}

/// Rows by their ids and by their names.
///
/// A name's first eight bytes are enough to find it: by chance no two begin alike, and whoever makes such has them compared.
struct NamedRows<Element: NamedRow>: Sendable {
    private var rows = Rows<Element>()
    private var idsByPrefix = Groups<UInt64, Int64>()

    var ids: [Int64] { rows.ids }

    subscript(id: Int64) -> Element? { rows[id] }

    subscript(name: Element.Name) -> Element? { id(of: name).flatMap { rows[$0] } }

    func id(of name: Element.Name) -> Int64? {
        idsByPrefix.first(of: name.raw.prefix) { rows[$0]?.name == name }
    }

    /// The rows whose names begin so, first come first.
    func beginning(with prefix: UInt64) -> [Element] { idsByPrefix[prefix].compactMap { rows[$0] } }

    /// How many names begin so.
    func count(beginningWith prefix: UInt64) -> Int { idsByPrefix.count(of: prefix) }

    mutating func add(_ row: Element, at id: Int64) {
        rows.put(row, at: id)
        idsByPrefix.add(id, to: row.name.raw.prefix)
    }

    mutating func change(_ id: Int64, _ change: (inout Element) -> Void) { rows.change(id, change) }
}
