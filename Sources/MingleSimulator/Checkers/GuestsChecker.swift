// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica
import MingleWire

/// Guests of a door see what is for everybody, and what waits of their own; a drop-only door shows their own alone.
///
/// Who only looks sees what is for everybody. No guest's key lies there open, and only the guest's own phone opens it.
/// Who is out is refused.
struct GuestsChecker: Checker {
    let name = "guests"
    /// Phones of which the lists are read.
    private let sample = 6

    func findings(in world: World) throws -> [String] {
        try world.doors.filter { $0.isHere }.flatMap { door in
            let phones = world.phones.filter { $0.door == door.number }
            let isClean = try world.dump(of: door).privately.isEmpty && door.replica.locked().isEmpty
            return try (isClean ? [] : ["node \(door.number), a door, shows what is not for everybody"])
                + keys(of: phones, at: door) + refusals(of: phones, at: door, in: world)
                + (world.honest.contains { $0 === door } ? shown(to: phones, at: door, in: world) : [])
        }
    }

    /// What a phone shows and should not, or the other way round.
    private func shown(to phones: [Phone], at door: SimulatedNode, in world: World) throws -> [String] {
        var dice = Dice(seed: world.options.seed)
        let entries = world.ledger.entries.filter { entry in
            entry.reference != nil && entry.scope.audience == .event && !world.ledger.isWithdrawn(entry)
        }
        let persons = Set(phones.compactMap(\.person)).subtracting(world.removals.persons).sorted()
        let viewers = [nil] + persons.shuffled(using: &dice).prefix(sample).map(Optional.some)
        return try viewers.compactMap { viewer in
            let faces = try [door.access.reader(viewer)] + writers(of: viewer, at: door, in: world)
            let wrong = try entries.first { entry in
                guard let record = entry.reference, let expected = isSeen(entry, by: viewer, at: door, in: world)
                else { return false }
                return try faces.contains { try $0.sees(entry.kind, record) != expected }
            }
            return wrong.map { entry in
                "node \(door.number) shows otherwise to \(viewer.map { "the guest \($0)" } ?? "who looks"): "
                    + Ledger.head(of: entry)
            }
        }
    }

    /// The replica as the devices see it with which a guest writes: a request that writes reads by that, too.
    private func writers(of guest: PersonID?, at door: SimulatedNode, in world: World) throws -> [Replica] {
        try world.phones.filter { $0.door == door.number && $0.person == guest }.compactMap { phone in
            try door.guests[phone.browser.name].map { try door.access.writer($0.open(by: phone.browser)) }
        }
    }

    /// Whether a guest sees a record; nil where the ledger does not say.
    private func isSeen(_ entry: Ledger.Entry, by viewer: PersonID?, at door: SimulatedNode, in world: World) -> Bool? {
        guard let record = entry.reference, !world.ledger.doubtful.contains(record) else { return nil }
        if door.terms.isDropOnly, entry.person != viewer { return false }
        // A deal that has not begun is its author's alone.
        let now = door.clock(at: world.now).milliseconds
        if entry.kind == .deal, entry.person != viewer, entry.number("start") ?? 0 > now { return false }
        if world.ledger.isShown(entry) { return true }
        // What waits, or is hidden, shows to its author, with what hangs on it.
        return entry.isDeleted || entry.isLost || viewer == nil ? false : nil
    }

    /// Keys that lie there as they are, or that another phone opens.
    private func keys(of phones: [Phone], at door: SimulatedNode) throws -> [String] {
        var findings: [String] = []
        let files =
            try (door.disk?.contents ?? []).map { Data($0) } + door.guests.values.map { try JSONEncoder().encode($0) }
        for (phone, other) in zip(phones, phones.dropFirst() + phones.prefix(1)) {
            guard let guest = door.guests[phone.browser.name] else { continue }
            guard let keys = try? guest.open(by: phone.browser), keys.person == phone.person else {
                findings.append("node \(door.number) does not open a guest's keys to the guest's phone")
                continue
            }
            if other.person != phone.person, (try? guest.open(by: other.browser)) != nil {
                findings.append("node \(door.number) opens a guest's keys to another phone")
            }
            if try isOpenToACopy(guest, named: phone.browser.name) {
                findings.append("node \(door.number) keeps a guest's keys beside what opens them")
            }
            let seeds = [keys.identity.seed, keys.signing.seed, keys.agreement.secret].map { Data($0.exposed()) }
            let words = [Base32.encode(keys.identity.seed.exposed()), phone.browser.text].map { Data($0.utf8) }
            if (seeds + words).contains(where: { needle in files.contains { $0.contains(bytes: needle) } }) {
                findings.append("node \(door.number) has a guest's key as it is")
            }
        }
        return findings
    }

    /// Whether the name of a guest's file, or what stands in it, opens the keys.
    private func isOpenToACopy(_ guest: StoredGuest, named name: String) throws -> Bool {
        let fields = try JSONDecoder().decode([String: String].self, from: JSONEncoder().encode(guest))
        guard let sealed = fields["keys"].flatMap({ Base32.decode($0) }),
            let nonce = fields["nonce"].flatMap({ Base32.decode($0) })
        else { return true }
        let label = Array((guest.person + guest.device + guest.door).utf8)
        return [name, guest.person, guest.device, guest.door].compactMap { Base32.decode($0) }.contains { key in
            (try? Sealing.open(sealed, key: Secret(key), nonce: nonce, associatedData: label)) != nil
        }
    }

    /// Phones that are served though their guest or the door is out, or refused though they are not.
    private func refusals(of phones: [Phone], at door: SimulatedNode, in world: World) throws -> [String] {
        try phones.compactMap { phone in
            guard let person = phone.person else { return nil }
            let isOut =
                try !world.nodes[0].replica.isAdmitted(person) || world.nodes[0].replica.level(of: person) == nil
            guard try door.replica.frontier().digest == world.nodes[0].replica.frontier().digest else { return nil }
            let randomness = door.randomness
            let guest = door.guests[phone.browser.name]
            let time = door.clock(at: world.now)
            do {
                _ = try door.access.open(guest, by: phone.browser, at: time, randomness: randomness)
                return isOut ? "node \(door.number) serves a guest who is out" : nil
            } catch let refusal as GuestRefusal {
                return isOut ? nil : "node \(door.number) refuses a guest: \(refusal)"
            }
        }
    }
}
