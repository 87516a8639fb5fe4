// SPDX-License-Identifier: Apache-2.0

import MingleModel

extension Ledger {
    /// Takes out what a delta said, since nobody holds it any more: what it had overwritten lives again.
    mutating func lose(_ reference: Reference) {
        update { entry in
            guard entry.references.contains(reference) || entry.deletions.contains(reference) else { return }
            entry.lose(reference)
        }
    }
}

extension Ledger.Entry {
    fileprivate mutating func lose(_ delta: Reference) {
        references.removeAll { $0 == delta }
        deletions.removeAll { $0 == delta }
        if reference == delta { isLost = true }
        for name in history.keys.sorted() {
            guard var writes = history[name], writes.contains(where: { $0.reference == delta }) else { continue }
            writes.removeAll { $0.reference == delta }
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
