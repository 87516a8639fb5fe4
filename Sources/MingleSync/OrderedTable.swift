// SPDX-License-Identifier: Apache-2.0

/// A dictionary that remembers in which order its keys were added, so that walking it never depends on hashing.
struct OrderedTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Slot {
        let key: Key
        var value: Value?
    }

    private var slots: [Slot] = []
    private var places: [Key: Int] = [:]

    /// How many keys there are.
    var count: Int { places.count }
    /// Whether there is no key.
    var isEmpty: Bool { places.isEmpty }

    /// The keys in the order in which they were added.
    var keys: [Key] { slots.compactMap { $0.value == nil ? nil : $0.key } }

    /// The value of a key; setting nil removes it.
    subscript(key: Key) -> Value? {
        get { places[key].flatMap { slots[$0].value } }
        _modify {
            if let place = places[key] {
                yield &slots[place].value
                if slots[place].value == nil { forget(key) }
            } else {
                var value: Value?
                yield &value
                if let value { append(key, value) }
            }
        }
    }

    private mutating func append(_ key: Key, _ value: Value) {
        places[key] = slots.count
        slots.append(Slot(key: key, value: value))
    }

    private mutating func forget(_ key: Key) {
        places[key] = nil
        // Compaction costs as much as the removals that made it due.
        guard slots.count > 32, places.count < slots.count / 2 else { return }
        slots.removeAll { $0.value == nil }
        for (place, slot) in slots.enumerated() { places[slot.key] = place }
    }
}

/// A first-in, first-out queue whose head leaves in constant time.
struct Queue<Element: Sendable>: Sendable {
    private var elements: [Element] = []
    private var head = 0

    /// How many elements wait.
    var count: Int { elements.count - head }
    /// Whether none waits.
    var isEmpty: Bool { head == elements.count }
    /// The element that waits longest.
    var first: Element? { isEmpty ? nil : elements[head] }
    /// All elements, the one that waits longest first.
    var all: ArraySlice<Element> { elements[head...] }

    /// Adds an element at the end.
    mutating func append(_ element: Element) { elements.append(element) }

    /// Takes the element that waits longest.
    mutating func popFirst() -> Element? {
        guard let element = first else { return nil }
        head += 1
        if head > 64, head > elements.count / 2 {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }
}
