// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleWire

extension Ledger {
    /// Whether people see a record.
    func isShown(_ entry: Entry) -> Bool {
        guard !entry.isDeleted, !entry.isLost, entry.hiding == nil else { return false }
        if let onOff = entry.kind.onOff, entry.value(onOff) != .number(1) { return false }
        guard let target = entry.target else { return true }
        return parents(at: target).contains { isShown($0) && mayHang(entry, on: $0) }
    }

    /// Whether somebody takes part in a moment, or in one that it continues, as far as is needed to hang something there.
    private func mayHang(_ entry: Entry, on parent: Entry) -> Bool {
        guard parent.kind == .moment, let least = entry.kind.participation, let reference = parent.reference else {
            return true
        }
        return ([reference] + parent.continues).contains { moment in
            let taking = self.entry(.participation, of: entry.person, on: moment)
            guard case .number(let state)? = taking?.value("state") else { return false }
            return state >= least.rawValue
        }
    }

    /// What every replica's canonical dump must be.
    func dump() -> [String] { (entries.filter(isShown).map(line) + entries.compactMap(hiddenLine)).sorted() }

    /// That a record is hidden is a line of its own, wherever the record can be read.
    private func hiddenLine(_ entry: Entry) -> String? {
        guard let hiding = entry.hiding, !entry.isDeleted, !entry.isLost, let record = entry.reference,
            let reason = Self.word(hiding.value)
        else { return nil }
        return "hidden\t\(record)\t\(hiding.person)\t-\t\(hiding.timestamp.milliseconds)\treason=\(reason)"
    }

    private func line(_ entry: Entry) -> String {
        var words = [
            entry.kind.name, entry.reference?.description ?? "-", entry.person.description,
            entry.target?.description ?? "-", String(entry.made.milliseconds),
        ]
        for field in entry.kind.fields {
            let value = entry.value(field.name)
            guard let word = field.isSeed ? value.flatMap(Self.opener) : value.flatMap(Self.word) else { continue }
            words.append("\(field.name)=\(word)")
        }
        return words.joined(separator: "\t")
    }

    /// What opens the door is not shown, but which invitation it is.
    private static func opener(_ value: Value) -> String? {
        guard case .text(let text) = value, let bytes = Base32.decode(text) else { return nil }
        return InvitationKeys(seed: Secret(bytes)).id.description
    }

    private static func word(_ value: Value) -> String? {
        switch value {
        case .cleared: nil
        // People in here say nothing that would have to be escaped.
        case .text(let text): "\"\(text)\""
        case .number(let number): String(number)
        case .data(let bytes): Base32.encode(bytes)
        case .media(let media): "\(Base32.encode(media.root.bytes)):\(media.size):\"\(media.type)\""
        }
    }

    /// How many shown records of a kind hang on another.
    func count(_ kind: Kind, on target: Reference) -> Int {
        entries.count { $0.kind == kind && $0.target == target && isShown($0) }
    }
}
