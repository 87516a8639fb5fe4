// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleWire

/// Which epoch to write under.
extension Transaction {
    /// What a new epoch of an audience has to obey.
    func concerns(of audience: Int64) -> Concerns {
        let said = memory.authority.ownCuts.filter(isOfKnownDevice)
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
        try cleanEpoch(among: try countingEpochs(of: audience))
    }

    /// The same, of epochs that are at hand.
    func cleanEpoch(among counting: CountingEpochs) throws -> (id: EpochID, key: Secret)? {
        let concerns = concerns(of: counting.audience)
        let clean = usable(counting).filter { concerns.areObeyed(by: $0.epoch.obeys) }
        let understood = Set(try understood(clean.map(\.epoch), of: counting.audience).map(\.row))
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
        let leaders = try countingEpochs(of: audience).made.filter(\.isLeaders).map(\.epoch)
        return leaders.max { $0.obeys.intersection(concerns).count < $1.obeys.intersection(concerns).count }.map {
            ($0.id, $0.key)
        }
    }

    /// Those under which something may be written.
    private func usable(_ counting: CountingEpochs) -> [MadeEpoch] {
        // Nobody's key is used who is out, whatever it obeys: eight bytes that name an end keep out whoever cannot guess them, and who
        // leaves knows in advance what a key has to obey.
        let present = counting.made.filter { isPresent($0.device.id) }
        guard counting.audience != 0 else { return present }
        let members = isPair(counting.audience) ? [replica.own.person] : members(of: counting.audience)
        return present.filter { members.contains($0.device.owner) }
    }

    /// Whether a device is in use of somebody who takes part and reads, and may have keys.
    func isPresent(_ device: Int64) -> Bool {
        guard let device = memory.devices[device], let standing = memory.persons[device.person]?.standing else {
            return false
        }
        return standing.level?.isPeople ?? false && !standing.isRetired(device.name) && !standing.hasLostTooMany
    }
}
