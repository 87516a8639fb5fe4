// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
package import MingleModel

/// Where what a person wrote stops to count in full; see `Cut`.
package struct CutTerms: Hashable, Sendable {
    /// Whose deltas are cut.
    package let person: PersonID
    /// The one device of the person that is cut; nil: all of them.
    package let device: DeviceName?
    /// What the person is past the ends; nil: out of the event, and the founder's level lifts the cut.
    package let level: Level?
    /// The last deltas that count, one for each branch, at most 256: journals without one count for nothing.
    package let ends: [FrontierEntry]
    /// Earlier cuts that this one replaces; at most 256.
    package let overwrites: [Reference]

    /// States a cut.
    package init(
        person: PersonID,
        device: DeviceName? = nil,
        level: Level?,
        ends: [FrontierEntry],
        overwrites: [Reference] = []
    ) {
        (self.person, self.device, self.level) = (person, device, level)
        (self.ends, self.overwrites) = (ends, overwrites)
    }
}

extension ProtoCut {
    init(_ terms: CutTerms) {
        self.init()
        person = .init(terms.person.bytes)
        level = terms.level?.rawValue ?? 0
        ends = terms.ends.map { .init($0.bytes) }
        overwrites = terms.overwrites.map { .init($0.bytes) }
        if let name = terms.device { device = .init(name.bytes) }
    }
}

extension CutTerms {
    init(_ message: ProtoCut) throws(WireError) {
        let level = Level(rawValue: message.level)
        guard let person = PersonID(bytes: message.person), level != nil || message.level == 0, level != .relay else {
            throw .invalid("cut")
        }
        guard message.ends.count <= Limits.endsPerCut, message.overwrites.count <= Limits.overwritesPerCut else {
            throw .tooLarge("cut")
        }
        var ends: [FrontierEntry] = []
        for end in message.ends { ends.append(try FrontierEntry(decoding: [UInt8](end))) }
        let overwrites = message.overwrites.compactMap { Reference(bytes: [UInt8]($0)) }
        guard overwrites.count == message.overwrites.count else { throw .invalid("cut") }
        let device = DeviceName(bytes: message.device)
        guard message.device.isEmpty || device != nil else { throw .invalid("cut") }
        // A device is cut to nothing, and for good.
        if let device, level != nil || !overwrites.isEmpty || ends.contains(where: { $0.device != device }) {
            throw .invalid("cut")
        }
        self.init(person: person, device: device, level: level, ends: ends, overwrites: overwrites)
    }
}
