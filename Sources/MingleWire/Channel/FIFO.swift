// SPDX-License-Identifier: Apache-2.0

/// A queue: what came first leaves first, at constant cost.
package struct FIFO<Element> {
    private var elements: [Element?] = []
    // How many of `elements` have left; they are dropped together.
    private var left = 0

    /// An empty queue.
    package init() {}

    /// How many wait.
    package var count: Int { elements.count - left }

    /// Whether nothing waits.
    package var isEmpty: Bool { count == 0 }

    /// What leaves next.
    package var first: Element? { isEmpty ? nil : elements[left] }

    /// Adds an element at the end.
    package mutating func append(_ element: Element) { elements.append(element) }

    /// Takes the first element; nil if there is none.
    package mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[left]
        elements[left] = nil
        left += 1
        if left == elements.count || (left >= 64 && left * 2 >= elements.count) {
            elements.removeFirst(left)
            left = 0
        }
        return element
    }
}

extension FIFO: Sendable where Element: Sendable {}
