// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleCrypto
import MingleModel
import MingleWire

/// A key at hand, with what its epoch's id commits to besides.
struct HeldEpoch {
    let row: Int64
    let id: EpochID
    let key: Secret
    let rules: Bytes32?
    let obeys: Set<UInt64>
}

/// Which epoch to write under.
extension Transaction {
    /// What a new epoch of an audience has to obey.
    func concerns(of audience: Int64) -> Concerns {
        let said = memory.authority.standings.values.flatMap(\.ownCuts).filter(isOfKnownDevice)
        guard audience != 0 else { return Concerns(decided: eventConcerns(), said: said) }
        // Only who belonged to a private audience may have keys of it.
        let people = everMembers(of: audience)
        return Concerns(
            decided: decidedConcerns(of: audience, among: people),
            said: said.filter { people.contains($0.person) }
        )
    }

    /// Each removal that counts, and each invitation that is closed.
    private func eventConcerns() -> [UInt64] {
        memory.authority.cuts(below: nil).map(\.id.hash) + memory.authority.closedInvitations.map(\.raw.prefix)
    }

    /// Each removal of somebody who may have keys of the audience, and each end of a guest's or a moderator's part.
    private func decidedConcerns(of audience: Int64, among people: Set<PersonID>) -> [UInt64] {
        let guests = memory.guests[audience]?.concerns ?? []
        guard case .moderators(let owner, _)? = memory.audiences[audience] else {
            let removals = memory.authority.cuts(below: nil).filter { people.contains($0.person) }
            return removals.map(\.id.hash) + guests
        }
        // Who moderates no more is out; the owner is not, whatever the level.
        return memory.authority.cuts(below: Hiding.writers)
            .filter { people.contains($0.person) && ($0.person != owner || $0.level == nil) }
            .map(\.id.hash)
    }

    /// Whether a cut by which somebody is out, or a device, is of one that may have keys.
    private func isOfKnownDevice(_ cut: Cut) -> Bool {
        guard let name = cut.device else { return true }
        return memory.devices[name].map { memory.persons[$0.person]?.name == cut.person } ?? false
    }

    /// The clean epoch to write under; nil if none that is at hand obeys all that is known.
    ///
    /// Under a key that obeys what was not read here, and so is handed on by nobody who is like this device, words would
    /// reach nobody who comes later. Such a one counts only if it was made by who leads and so may have heard more.
    func cleanEpoch(of audience: Int64) throws -> (id: EpochID, key: Secret)? {
        let concerns = concerns(of: audience)
        let clean = try usableEpochs(of: audience).filter { concerns.areObeyed(by: $0.epoch.obeys) }
        let understood = Set(try understood(clean.map(\.epoch), of: audience).map(\.row))
        let chosen =
            clean.first { $0.isLeaders && understood.contains($0.epoch.row) } ?? clean.first(where: \.isLeaders)
            ?? clean.first { understood.contains($0.epoch.row) }
        return chosen.map { ($0.epoch.id, $0.epoch.key) }
    }

    /// The epoch of a private audience's owner that keeps out most of those who are out; nil if none is at hand.
    ///
    /// A device of the owner's may have made it that is retired by now: what is said under it is no secret from whoever has that.
    func lastEpoch(of audience: Int64) throws -> (id: EpochID, key: Secret)? {
        let concerns = Set(concerns(of: audience).listed)
        let owner = memory.audiences[audience].map(\.owner)
        let leaders = try privateEpochs(of: audience).filter { $0.maker == owner }.map(\.epoch)
        return leaders.max { $0.obeys.intersection(concerns).count < $1.obeys.intersection(concerns).count }.map {
            ($0.id, $0.key)
        }
    }

    /// The epochs under which something may be written, and whether who leads made them: a host, or the owner of a private
    /// audience.
    private func usableEpochs(of audience: Int64) throws -> [(isLeaders: Bool, epoch: HeldEpoch)] {
        // Nobody's key is used who is out, whatever it obeys: eight bytes that name an end keep out whoever cannot guess them, and who
        // leaves knows in advance what a key has to obey.
        guard audience != 0 else {
            return try eventEpochs(limit: nil).filter { isPresent($0.device) }.map { ($0.isLeaders, $0.epoch) }
        }
        let members = isPair(audience) ? [replica.own.person] : members(of: audience)
        let owner = memory.audiences[audience].map(\.owner)
        return try privateEpochs(of: audience).filter { members.contains($0.maker) && isPresent($0.device) }
            .map { (isLeaders: $0.maker == owner, epoch: $0.epoch) }
    }

    /// Whether a device is in use of somebody who takes part and reads, and may have keys.
    func isPresent(_ device: Int64) -> Bool {
        guard let device = memory.devicesByID[device], let standing = memory.persons[device.person]?.standing else {
            return false
        }
        return standing.level?.isPeople ?? false && !standing.isRetired(device.name) && !standing.hasLostTooMany
    }

    /// The epochs of an audience that count and whose keys are at hand, in the order in which they are used; at most 256.
    ///
    /// Those come first that a host made, or the owner of a private audience, so that nobody else's wins that leaves people
    /// out, and then the lowest id.
    func countingEpochs(of audience: Int64) throws -> [HeldEpoch] {
        guard audience != 0 else { return try eventEpochs(limit: Self.epochsLookedAt).map(\.epoch) }
        // Only of those that count some are left out: else a guest who writes many with low ids would leave none.
        return try privateEpochs(of: audience).prefix(Self.epochsLookedAt).map(\.epoch)
    }

    private func eventEpochs(limit: Int?) throws -> [(isLeaders: Bool, device: Int64, epoch: HeldEpoch)] {
        try rows(
            """
            SELECT epoch.id, name, rules, obeys, rank <= \(Level.host.rawValue) AS leads, device FROM epoch
            JOIN journal ON journal.id = delta JOIN branch ON branch.id = journal.branch
            WHERE audience = 0 AND rank <= \(Level.attendee.rawValue) AND key IS NOT NULL
            ORDER BY leads DESC, name LIMIT \(limit ?? -1)
            """,
            []
        )
        .compactMap { row in try held(row).map { (isLeaders: row["leads"], device: row["device"], epoch: $0) } }
    }

    /// The same for a private audience, with who made each: whether its maker belonged to it is looked up each time.
    ///
    /// Of each device the last 256: who makes more is a flooder, or has the last ones carry the others.
    private func privateEpochs(of audience: Int64) throws -> [(maker: PersonID, device: Int64, epoch: HeldEpoch)] {
        guard let owner = memory.audiences[audience].map(\.owner) else { return [] }
        let epochs = try rows(
            """
            SELECT id, name, rules, obeys, delta, device FROM (
                SELECT epoch.id, name, rules, obeys, delta, device,
                    row_number() OVER (PARTITION BY device ORDER BY journal.sequence DESC, name) AS place
                FROM epoch JOIN journal ON journal.id = delta JOIN branch ON branch.id = journal.branch
                WHERE audience = ? AND key IS NOT NULL
            )
            WHERE place <= \(Self.epochsLookedAt) ORDER BY name
            """,
            [audience]
        )
        .compactMap { row -> (maker: PersonID, device: Int64, epoch: HeldEpoch)? in
            let device: Int64 = row["device"]
            guard let epoch = try held(row), let person = memory.devicesByID[device]?.person,
                let name = memory.persons[person]?.name, let level = try level(of: row["delta"], by: person),
                try isIn(audience, name, at: row["delta"], level: level)
            else { return nil }
            return (name, device, epoch)
        }
        return epochs.filter { $0.maker == owner } + epochs.filter { $0.maker != owner }
    }

    /// An epoch whose key is at hand.
    func held(_ row: Row) throws -> HeldEpoch? {
        let name = try EpochID(column: row["name"])
        guard let key = memory.epochKeys[name] else { return nil }
        return HeldEpoch(
            row: row["id"],
            id: name,
            key: key,
            rules: try (row["rules"] as Data?).map { try Bytes32(column: $0) },
            obeys: Set([UInt64](bigEndian: [UInt8]((row["obeys"] as Data?) ?? Data())))
        )
    }

    private static let epochsLookedAt = 256
    static let keysHandedOn = 16

    /// Keys that give all others, of epochs that count and that this device may hand on: none of them is carried by what another one
    /// leads to.
    ///
    /// Those that come first are written under first; of more than 16 the rest is left to those who made them.
    func keysAtHand(of audience: Int64) throws -> [HeldEpoch] {
        let counting = try understood(countingEpochs(of: audience), of: audience)
        let carrying = try CarriedEpochs(of: audience, in: self)
        // One after the other goes whatever another one leads to; of a ring, which only liars make, one stays.
        var kept = counting.map(\.row)
        for epoch in kept.reversed() where carrying.reach(of: kept.filter { $0 != epoch }).contains(epoch) {
            kept.removeAll { $0 == epoch }
        }
        let chosen = Set(kept.prefix(Self.keysHandedOn))
        return counting.filter { chosen.contains($0.row) }
    }
}
