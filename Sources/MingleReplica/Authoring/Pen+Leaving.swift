// SPDX-License-Identifier: Apache-2.0

import GRDB
import MingleModel
import MingleWire

/// What people say of their own part in the event, and of their own devices.
extension Pen {
    /// Refuses whoever is out.
    ///
    /// - Throws: `ReplicaError.deviceRetired`, `.removed` or `.left`.
    func requirePart() throws {
        guard let standing = ownStanding else { return }
        if standing.isRetired(own.name) { throw ReplicaError.deviceRetired }
        if standing.isRemoved { throw ReplicaError.removed }
        if standing.hasLeft { throw ReplicaError.left }
    }

    /// Says that this person has left: all that is held of the person goes on to count, and nothing that follows does.
    ///
    /// Others make a new key; whoever leaves would have that one, too.
    mutating func leave() throws -> Reference {
        try transaction.settleLevels()
        try requirePart()
        return try write(.fabric(.cut(cut(own.person, to: nil))))
    }

    /// Retires another device of this person: what is held of it goes on to count, nothing further does, and it gets no new key.
    ///
    /// A host closes the links besides that may be on it.
    mutating func retire(_ device: DeviceName) throws -> Reference {
        try transaction.settleLevels()
        try requirePart()
        let memory = transaction.memory
        // One that this person certified may not have come yet: it is out whenever it does.
        let isOthers = memory.devices[device].map { memory.persons[$0.person]?.name != own.person } ?? false
        guard !isOthers, device != own.name, ownStanding?.isRetired(device) != true else {
            throw ReplicaError.notFound(device.description)
        }
        let ends = memory.tips(of: own.person).filter { $0.device == device }.sorted().prefix(Limits.endsPerCut)
        let terms = CutTerms(person: own.person, device: device, level: nil, ends: Array(ends))
        let reference = try write(.fabric(.cut(terms)))
        try transaction.settleLevels()
        if ownLevel.map({ $0 >= .host }) ?? false {
            let made = try transaction.invitationsToClose(removing: own.person, keepsLinks: true, keepsOpenings: true)
            for invitation in made {
                _ = try close(invitation)
            }
        }
        if try !transaction.keysAtHand(of: transaction.countingEpochs(of: 0)).isEmpty { _ = try renewKey(of: 0) }
        return reference
    }

    /// Takes back for others what they said about leaving, where this person may.
    mutating func liftLeavings(of person: PersonID) throws {
        let leavings = transaction.memory.authority.leavings(of: person).map(\.id).prefix(Limits.overwritesPerCut)
        guard !leavings.isEmpty else { return }
        let lift = CutTerms(person: person, level: .founder, ends: [], overwrites: Array(leavings))
        _ = try write(.fabric(.cut(lift)))
        try transaction.settleLevels()
    }
}
