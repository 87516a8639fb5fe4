// SPDX-License-Identifier: Apache-2.0

/// By what a place of a file is known again: by where it comes from, else by its name and position.
package struct PlaceMark: Sendable {
    /// How far from each other two places of one name are taken for the same, in metres.
    package static let reach = 25.0

    /// What the place is where it comes from; nil where that is not said.
    package let source: String?
    /// Its name as ``FoldedWords/name(_:)`` has it.
    package let name: String
    package let position: GridPosition

    package init(source: String?, name: String, position: GridPosition) {
        (self.source, self.name, self.position) = (source, FoldedWords.name(name), position)
    }

    /// Whether another place is taken for this one.
    package func isLike(_ other: PlaceMark) -> Bool {
        if let source, let theirs = other.source { return source == theirs }
        return name == other.name && position.metres(to: other.position) <= Self.reach
    }
}

/// The places of a file so far, to find one that comes a second time.
package struct PlaceMarks {
    private var bySource: [String: Int] = [:]
    private var byName: [String: [(mark: PlaceMark, line: Int)]] = [:]

    package init() {}

    /// Notes a place unless it was there before.
    ///
    /// - Returns: the line of the place that was there; nil for a new one.
    package mutating func note(_ mark: PlaceMark, at line: Int) -> Int? {
        if let first = mark.source.flatMap({ bySource[$0] }) { return first }
        if let first = byName[mark.name]?.first(where: { mark.isLike($0.mark) }) { return first.line }
        if let source = mark.source { bySource[source] = line }
        byName[mark.name, default: []].append((mark, line))
        return nil
    }
}
