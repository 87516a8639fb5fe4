// SPDX-License-Identifier: Apache-2.0

/// What is going to happen, in order of time; of what happens at the same time, what was put down first goes first.
struct Agenda<Occurrence> {
    private struct Entry {
        let time: Duration
        let number: UInt64
        let slot: Int

        func precedes(_ other: Entry) -> Bool { (time, number) < (other.time, other.number) }
    }

    // A binary heap: an entry precedes those at twice its place plus one and two.
    private var entries: [Entry] = []
    // What happens stands apart, so that an entry is moved without counting references.
    private var occurrences: [Occurrence?] = []
    private var freeSlots: [Int] = []
    private var nextNumber: UInt64 = 0

    /// How much is put down.
    var count: Int { entries.count }

    /// When the next thing happens.
    var nextTime: Duration? { entries.first?.time }

    /// Puts something down.
    mutating func add(_ occurrence: Occurrence, at time: Duration) {
        nextNumber += 1
        let slot = freeSlots.popLast() ?? occurrences.count
        if slot == occurrences.count { occurrences.append(occurrence) } else { occurrences[slot] = occurrence }
        entries.append(Entry(time: time, number: nextNumber, slot: slot))
        var place = entries.count - 1
        while place > 0, entries[place].precedes(entries[(place - 1) / 2]) {
            entries.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// Takes what happens next.
    mutating func popFirst() -> (time: Duration, occurrence: Occurrence)? {
        guard let first = entries.first, let last = entries.popLast(), let occurrence = occurrences[first.slot] else {
            return nil
        }
        occurrences[first.slot] = nil
        freeSlots.append(first.slot)
        if !entries.isEmpty {
            entries[0] = last
            sink()
        }
        return (first.time, occurrence)
    }

    private mutating func sink() {
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < entries.count {
                if entries[child].precedes(entries[least]) { least = child }
            }
            guard least != place else { return }
            entries.swapAt(place, least)
            place = least
        }
    }
}
