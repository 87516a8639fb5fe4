// SPDX-License-Identifier: Apache-2.0

/// A dictionary that remembers in which order its keys were added, so that walking it never depends on hashing.
struct OrderedTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    // Keys and values stand apart, so that walking the keys copies no value, and each value by itself, so that reading
    // one of its parts copies only that.
    private var order: [Key?] = []
    private var values: [Slot] = []
    private var places: [Key: Int] = [:]

    /// @unchecked because it changes only while one table alone refers to it.
    private final class Slot: @unchecked Sendable {
        var value: Value?

        init(_ value: Value?) { self.value = value }
    }

    /// How many keys there are.
    var count: Int { places.count }
    /// Whether there is no key.
    var isEmpty: Bool { places.isEmpty }

    /// The keys in the order in which they were added.
    var keys: [Key] {
        var keys: [Key] = []
        keys.reserveCapacity(places.count)
        for case let key? in order { keys.append(key) }
        return keys
    }

    /// The value of a key; setting nil removes it.
    subscript(key: Key) -> Value? {
        _read {
            if let place = places[key] { yield values[place].value } else { yield nil }
        }
        _modify {
            if let place = places[key] {
                if !isKnownUniquelyReferenced(&values[place]) { values[place] = Slot(values[place].value) }
                yield &values[place].value
                if values[place].value == nil { forget(key, at: place) }
            } else {
                var value: Value?
                yield &value
                if let value { append(key, value) }
            }
        }
    }

    private mutating func append(_ key: Key, _ value: Value) {
        places[key] = order.count
        order.append(key)
        values.append(Slot(value))
    }

    private mutating func forget(_ key: Key, at place: Int) {
        places[key] = nil
        order[place] = nil
        // Compaction costs as much as the removals that made it due. Whoever comes late pulls thousands of journals at once, and the
        // room that they took is given back.
        guard order.count > 32, places.count < order.count / 2 else { return }
        let left = order.indices.filter { order[$0] != nil }
        (order, values) = (left.map { order[$0] }, left.map { values[$0] })
        places = Dictionary(minimumCapacity: left.count)
        for (place, key) in order.enumerated() {
            if let key { places[key] = place }
        }
    }
}

extension Dictionary {
    /// Removes a key; with the last one goes the room that many have taken, which else is kept for as long as a session lasts.
    mutating func release(_ key: Key) {
        self[key] = nil
        if isEmpty, capacity > 32 { self = [:] }
    }
}

/// A first-in, first-out queue in which an element waits once only.
struct UniqueQueue<Element: Hashable & Sendable>: Sendable {
    private var queue = Queue<Element>()
    private var members: Set<Element> = []

    /// How many elements wait.
    var count: Int { queue.count }

    /// Adds an element at the end, unless it waits already.
    mutating func append(_ element: Element) {
        if members.insert(element).inserted { queue.append(element) }
    }

    /// Takes the element that waits longest.
    mutating func popFirst() -> Element? {
        guard let element = queue.popFirst() else { return nil }
        members.remove(element)
        return element
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
        if head > 64, head > elements.count / 2 { (elements, head) = (Array(elements[head...]), 0) }
        return element
    }
}
