// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A queue between two threads that holds elements up to a total weight, or one that is heavier.
///
/// @unchecked because the condition's lock guards everything that changes.
final class BoundedQueue<Element: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private let capacity: Int
    private var elements: ArraySlice<(element: Element, weight: Int)> = []
    private var total = 0
    private var isFinished = false
    private var reason: (any Error)?
    private var isClosed = false

    init(capacity: Int) { self.capacity = capacity }

    /// Adds an element, waiting for room; false once nobody takes any more.
    func append(_ element: Element, weight: Int) -> Bool {
        condition.withLock {
            while total > 0, total + weight > capacity, !isClosed { condition.wait() }
            guard !isClosed else { return false }
            elements.append((element, weight))
            total += weight
            condition.signal()
            return true
        }
    }

    /// The next element, waiting for it; nil at the end.
    func next() -> Element? {
        condition.withLock {
            while elements.isEmpty, !isFinished { condition.wait() }
            return take()
        }
    }

    /// The next element if it comes until then.
    func next(until end: Date) -> Element? {
        condition.withLock {
            while elements.isEmpty, !isFinished, condition.wait(until: end) {}
            return take()
        }
    }

    /// Says that no more elements come, and why if that is not as it should be.
    func finish(because reason: (any Error)? = nil) {
        condition.withLock {
            (isFinished, self.reason) = (true, reason)
            condition.signal()
        }
    }

    /// Why no more elements come; nil before the end and at a good one.
    var failure: (any Error)? { condition.withLock { reason } }

    /// Takes no more elements and drops those that wait.
    func close() {
        condition.withLock {
            isClosed = true
            (elements, total) = ([], 0)
            condition.signal()
        }
    }

    private func take() -> Element? {
        guard let (element, weight) = elements.popFirst() else { return nil }
        // Whoever adds sleeps until half of the room is free, rather than waking for every element.
        let wasCrowded = total > capacity / 2
        total -= weight
        if wasCrowded, total <= capacity / 2 { condition.signal() }
        return element
    }
}
