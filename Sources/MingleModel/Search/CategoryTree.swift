// SPDX-License-Identifier: Apache-2.0

/// The tree of the categories that are shown.
///
/// A parent that is not shown is none. Hosts may make loops, as two may write at the same time: in each loop the parent
/// that was said last counts as none.
package struct CategoryTree: Sendable {
    private let parents: [Reference: Reference]
    private let children: [Reference: [Reference]]

    /// Makes a tree of what categories say.
    ///
    /// - Parameters:
    ///   - parents: The parent that a category names; those that name none are left out.
    ///   - shown: The categories that there are.
    ///   - last: The category of a loop that named its parent last.
    package init(
        _ parents: [Reference: Reference],
        among shown: Set<Reference>,
        last: (_ loop: [Reference]) throws -> Reference
    ) rethrows {
        var parents = parents.filter { shown.contains($0.key) && shown.contains($0.value) }
        for loop in Self.loops(in: parents) { parents[try last(loop)] = nil }
        self.parents = parents
        children = Dictionary(grouping: parents.keys) { parents[$0] ?? $0 }
    }

    /// The parent of a category; nil at the top.
    package func parent(of category: Reference) -> Reference? { parents[category] }

    /// A category and all below it.
    package func subtree(of category: Reference) -> Set<Reference> {
        var found: Set<Reference> = [category]
        var open = [category]
        while let next = open.popLast() {
            for child in children[next] ?? [] where found.insert(child).inserted { open.append(child) }
        }
        return found
    }

    /// The loops; as each category names one parent at most, no two have a category in common.
    private static func loops(in parents: [Reference: Reference]) -> [[Reference]] {
        var walks: [Reference: Int] = [:]
        var loops: [[Reference]] = []
        for (number, start) in parents.keys.enumerated() {
            var path: [Reference] = []
            var next: Reference? = start
            while let category = next, walks[category] == nil {
                walks[category] = number
                path.append(category)
                next = parents[category]
            }
            // Only a walk that comes back to its own path has met a loop.
            guard let next, walks[next] == number, let start = path.firstIndex(of: next) else { continue }
            loops.append(Array(path[start...]))
        }
        return loops
    }
}
