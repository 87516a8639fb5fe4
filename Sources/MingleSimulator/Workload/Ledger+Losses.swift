// SPDX-License-Identifier: Apache-2.0

import MingleModel

extension Ledger {
    /// Takes out what some deltas said, since nobody holds them any more: what they had overwritten lives again.
    mutating func lose(_ lost: Set<Reference>) {
        guard !lost.isEmpty else { return }
        update { entry in
            if !lost.isDisjoint(with: entry.references) || !lost.isDisjoint(with: entry.deletions) { entry.lose(lost) }
        }
    }
}

extension Ledger.Entry {
    fileprivate mutating func lose(_ lost: Set<Reference>) {
        let isGone = { (write: Ledger.Write) in write.reference.map(lost.contains) ?? false }
        references.removeAll(where: lost.contains)
        deletions.removeAll(where: lost.contains)
        if let reference, lost.contains(reference) { isLost = true }
        for name in history.keys.sorted() {
            guard var writes = history[name], writes.contains(where: isGone) else { continue }
            writes.removeAll(where: isGone)
            history[name] = writes
            let covered = Set(writes.flatMap(\.covers))
            let isMaximum = kind.field(named: name)?.merge == .maximum
            fields[name] = isMaximum ? greatest(of: writes) : writes.filter { !covered.contains($0.reference) }
        }
        guard reference == nil else { return }
        let times = history.values.flatMap { $0.map(\.timestamp) }
        if let last = times.max() { made = last } else { isLost = true }
    }

    private func greatest(of writes: [Ledger.Write]) -> [Ledger.Write] {
        let number = { (write: Ledger.Write) in
            if case .number(let number) = write.value { number } else { Int64.min }
        }
        return writes.max { number($0) < number($1) }.map { [$0] } ?? []
    }
}
