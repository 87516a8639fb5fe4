// SPDX-License-Identifier: Apache-2.0

import GRDB
import MingleModel
import MingleWire

/// What founder and hosts say about others.
extension Pen {
    /// Closes an invitation by as many deltas as it takes to list who stays; returns the last.
    mutating func close(_ invitation: InvitationID) throws -> Reference {
        try transaction.settleLevels()
        let staying = try transaction.admitted(by: invitation)
        let most = Limits.admissionsPerClosing
        // One at least: it is closed also where nobody stays.
        for start in stride(from: 0, to: staying.count - most, by: most) {
            let part = Array(staying[start..<(start + most)])
            _ = try write(.fabric(.closing(invitation: invitation, admitted: part)))
        }
        let last = staying.isEmpty ? 0 : (staying.count - 1) / most * most
        return try write(.fabric(.closing(invitation: invitation, admitted: Array(staying[last...]))))
    }

    /// Ends the part of all who came by a door's link.
    ///
    /// The link is closed first, and lists all of them, so what they wrote so far goes on to count. One new key shuts
    /// all out.
    mutating func closeDoor(_ invitation: InvitationID) throws -> Reference {
        let came = try transaction.admitted(by: invitation)
        let reference = try close(invitation)
        for person in came { _ = try write(.fabric(.cut(cut(person, to: nil)))) }
        try transaction.settleLevels()
        _ = try renewKey(of: 0)
        return reference
    }

    /// Puts a person at a level from now on: by a grant, or by a cut where the person was above it.
    mutating func setLevel(of person: PersonID, to level: Level) throws -> Reference {
        try transaction.settleLevels()
        try liftLeavings(of: person)
        let standing = transaction.memory.authority.standings[person]
        var last: Reference?
        if let standing, standing.base > level {
            // What an earlier cut voided of what is above the level stays void; one that left more than it goes on to.
            for cut in standing.cuts where cut.level.map({ $0 < level }) ?? true {
                let terms = try transaction.terms(of: cut)
                let raised = CutTerms(person: person, level: level, ends: terms.ends, overwrites: [cut.id])
                last = try write(.fabric(.cut(raised)))
            }
            if standing.level.map({ $0 > level }) ?? false { last = try write(.fabric(.cut(cut(person, to: level)))) }
        } else {
            let cuts = (standing?.cuts ?? []).map(\.id).prefix(Limits.overwritesPerCut)
            let lift = CutTerms(person: person, level: .founder, ends: [], overwrites: Array(cuts))
            if !cuts.isEmpty { _ = try write(.fabric(.cut(lift))) }
            // Whoever came by a link that was closed for the person since needs the word of a host.
            last = try write(.fabric(.grant(person: person, level: level)))
        }
        guard let last, try isNow(person, at: level) else { throw ReplicaError.decidedAbove }
        return last
    }

    /// Removes a person: what came so far goes on to count, and the person can neither come back nor read what follows.
    mutating func remove(_ person: PersonID, keepsLinks: Bool) throws -> Reference {
        try transaction.settleLevels()
        // Before the cut, which takes the person's records away until all is settled.
        let isDoor = try transaction.isDoor(person)
        let reference = try write(.fabric(.cut(cut(person, to: nil))))
        guard try isNow(person, at: nil) else { throw ReplicaError.decidedAbove }
        for invitation in try transaction.invitationsToClose(removing: person, isDoor: isDoor, keepsLinks: keepsLinks) {
            _ = try close(invitation)
        }
        _ = try renewKey(of: 0)
        return reference
    }

    /// Keeps out a person who waits to be let in, also where somebody lets the person in who has not heard of that.
    ///
    /// Nobody can be taken out who was never in. So behind the cut the person is let in as relays are, to whom no key is sealed: the cut's
    /// payload may come later than the grant, or be kept back.
    mutating func decline(_ person: PersonID) throws -> Reference {
        try transaction.settleLevels()
        guard transaction.memory.authority.standings[person] == nil else { throw ReplicaError.decidedAbove }
        let reference = try write(.fabric(.cut(cut(person, to: nil))))
        _ = try write(.fabric(.grant(person: person, level: .relay)))
        guard try isNow(person, at: nil) else { throw ReplicaError.decidedAbove }
        _ = try renewKey(of: 0)
        return reference
    }

    /// Whether what was said about a person has come true.
    private func isNow(_ person: PersonID, at level: Level?) throws -> Bool {
        try transaction.settleLevels()
        guard let standing = transaction.memory.authority.standings[person] else { return false }
        return standing.level == level
    }

    /// A cut behind all that is held of a person; earlier ones go on to count.
    func cut(_ person: PersonID, to level: Level?) -> CutTerms {
        let ends = transaction.memory.tips(of: person).sorted().prefix(Limits.endsPerCut)
        return CutTerms(person: person, level: level, ends: Array(ends))
    }
}

extension Memory {
    /// The last header of each branch of all that a person's devices wrote.
    func tips(of person: PersonID) -> [FrontierEntry] {
        let ids = persons.id(of: person).map { devicesByPerson[$0] } ?? []
        return ids.flatMap { device in
            Journal.allCases.flatMap { branches(of: device, $0) }
                .compactMap { branch in
                    guard branch.tipSequence > 0, let name = devices[device]?.name else { return nil }
                    return FrontierEntry(
                        device: name,
                        journal: branch.journal,
                        sequence: branch.tipSequence,
                        tip: branch.tipHash.raw.prefix
                    )
                }
        }
    }
}

extension Transaction {
    /// What a cut says.
    func terms(of cut: Cut) throws -> CutTerms {
        guard let row = try resolve(cut.id), let payload = try stored(row)?.delta.payload,
            case .cut(let terms) = try FabricPayload(decoding: payload)
        else { throw ReplicaError.notFound(cut.id.description) }
        return terms
    }

    /// Whether a person is a door, by its own word.
    func isDoor(_ person: PersonID) throws -> Bool {
        guard let row = memory.persons.id(of: person) else { return false }
        return try db.holds("SELECT 1 FROM visible_profile WHERE author = ? AND target = 0 AND door = 1") {
            $0.add(row)
        }
    }

    /// The open invitations by which a person who is out could come back.
    ///
    /// These are those that the person came by or made. If the person was removed, these are also those for anyone
    /// nearby, whose seeds all members have, and, unless they are kept, all that several people may come by.
    ///
    /// One for a door is closed with the door that came by it, and with its maker. A guest of the door lacks it.
    func invitationsToClose(
        removing person: PersonID,
        isDoor: Bool = false,
        keepsLinks: Bool,
        keepsOpenings: Bool = false
    ) throws -> [InvitationID] {
        guard let row = memory.persons.id(of: person) else { return [] }
        let closed = memory.authority.closedInvitations
        let openings = keepsOpenings ? [] : try namedOpenings()
        let sql = """
            SELECT DISTINCT id, door, maker = ?1 AS is_made,
                EXISTS (SELECT 1 FROM admission WHERE admission.invitation = id AND admission.person = ?1) AS is_used,
                ifnull(uses, 2) > 1 AS is_for_several
            FROM invitation
            WHERE rank <= \(Level.host.rawValue) AND rank < level AND NOT asks
            ORDER BY id
            """
        return try rows(sql, [row]).compactMap { row in
            let id = InvitationID(try Bytes32(column: row["id"]))
            let (isMade, isUsed): (Bool, Bool) = (row["is_made"], row["is_used"])
            guard !closed.contains(id) else { return nil }
            if row["door"] { return isMade || isUsed && isDoor ? id : nil }
            let leadsBack = isMade || isUsed || !keepsLinks && row["is_for_several"]
            return leadsBack || openings.contains(id) ? id : nil
        }
    }
}
