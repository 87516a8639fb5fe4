// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import MingleWire

/// A phone of which somebody has scanned a door's code.
struct Phone {
    /// The door, by its number.
    let door: Int
    /// What the phone keeps.
    let browser: Browser
    /// Who it is, once something was written with it.
    var person: PersonID?
}

/// Doors, and people who take part by a phone: what is shipped decides who writes, and with which device.
extension World {
    /// What guests ask a door for; the rest is not served there, or needs more than one device.
    private static let guestWeights: [(Deed, Int)] = [
        (.rename, 5), (.makeMoment, 4), (.join, 10), (.checkIn, 6), (.sharePhoto, 18), (.shareAgain, 2), (.comment, 22),
        (.fave, 16), (.edit, 14), (.delete, 6), (.slip, 1), (.say, 40), (.change, 12),
    ]

    /// The doors, which come behind the relays.
    var doors: [SimulatedNode] { nodes.filter { $0.isDoor && $0.hostility == nil } }

    /// Adds the door of the plan; it dials some of the others.
    func addDoors(_ event: EventID) throws {
        guard plan.phones > 0 else { return }
        var dice = Dice(seed: options.seed &+ 0x646f_6f72)
        let randomness = dice.randomness()
        let secrets = Secrets.joining(try doorLink(by: nodes[0]), asDoor: true, randomness)
        let disk = try makeDisk(in: event, secrets)
        let door = try makeNode(in: event, secrets: secrets, disk: disk, randomness: randomness)
        if stage == nil {
            door.terms = DoorTerms(holdsBack: dice.chance(25), isDropOnly: dice.chance(20))
        }
        let others = nodes.indices.shuffled(using: &dice).prefix(4)
        nodes.append(door)
        for other in others {
            targets.append(Target(from: door.number, to: other))
            agenda.add(.dial(target: targets.count - 1), at: dice.milliseconds(0...3000))
        }
    }

    private func doorLink(by founder: SimulatedNode) throws -> InvitationLink {
        let seed = founder.randomness.secret()
        let authored = try founder.replica.invite(
            InvitationKeys(seed: seed),
            expires: nil,
            uses: nil,
            isForDoor: true,
            at: founder.clock(at: now),
            randomness: founder.randomness
        )
        founder.secrets.add(issued: seed)
        try publish(authored, by: founder)
        return InvitationLink(event: founder.event, psk: founder.secrets.psk, seed: seed, hints: [])
    }

    /// How many times as often something is asked of a node as of a person's own.
    func phonesInUse(at node: SimulatedNode) -> Int { node.isDoor ? 1 + phones.count : 1 }

    /// Somebody's phone asks a door for something.
    func askSomething(of door: SimulatedNode) throws {
        guard door.canWrite, try door.replica.hasKey(), try door.replica.isAdmitted(door.secrets.person) else { return }
        if ledger.entry(.profile, of: door.secrets.person, on: nil) == nil { return try rename(door) }
        if phones.isEmpty || phones.count < plan.phones && whims.chance(50) { scan(at: door) }
        let phone = whims.number(0...(phones.count - 1))
        if phones[phone].person != nil, whims.chance(2) { return signIn(from: phone, at: door) }
        if plan.maySendAway, phones[phone].person != nil, removals.left.isEmpty, whims.chance(1) {
            return try leave(by: phone, at: door)
        }
        let deed = whims.pick(Self.guestWeights)
        try ask(door, by: phone) { try self.carryOut(deed, by: door) }
    }

    /// Somebody scans a door's code, and looks on.
    func scan(at door: SimulatedNode) {
        phones.append(Phone(door: door.number, browser: Browser(door.randomness)))
    }

    /// Lets a phone's guest do something at a door, as one request does, unless the door refuses.
    func ask(_ door: SimulatedNode, by phone: Int, _ body: () throws -> Void) throws {
        guard !door.isShutOut else {
            coverage.requestsRefused += 1
            return
        }
        let browser = phones[phone].browser
        let (known, access, time) = (door.guests[browser.name], door.access, door.clock(at: now))
        let opened: GuestAccess.Opened
        do {
            opened = try access.open(known, by: browser, at: time, randomness: door.randomness)
        } catch let refusal as GuestRefusal {
            return try refuse(refusal, to: phone, at: door)
        }
        coverage.requests += 1
        try expectGuest(opened.keys.person, of: phone, at: door)
        phones[phone].person = opened.keys.person
        if let stored = opened.stored {
            if known == nil { coverage.guests += 1 } else { coverage.guestRenewals += 1 }
            door.keep(stored, of: browser)
        }
        guard try enter(opened.keys, at: door, time) else { return }
        try door.serve(opened.keys, body)
    }

    /// Lets a guest's device begin; false if the power went with it.
    private func enter(_ keys: GuestKeys, at door: SimulatedNode, _ time: Timestamp) throws -> Bool {
        let person = keys.person
        do {
            guard let authored = try door.access.enter(keys, at: time, randomness: door.randomness) else { return true }
            note(authored.runs, by: door)
            guestList.note(person, at: time, by: authored.references.last)
            try tell(door, authored.outcome, own: authored.runs)
            return true
        } catch {
            guard door.disk?.hasFailed == true else { throw error }
            try cutPower(of: door)
            let device = door.access.writer(keys).own.name
            let runs = try door.replica.runs(of: device, .fabric, after: [], byteLimit: .max)
            note(runs, by: door)
            if let last = runs.last { guestList.note(person, at: time, by: last.last.reference) }
            return false
        }
    }

    /// A guest shows a code on a phone, and takes part with another one, too.
    private func signIn(from phone: Int, at door: SimulatedNode) {
        let first = phones[phone]
        guard let keys = try? door.guests[first.browser.name]?.open(by: first.browser) else { return }
        scan(at: door)
        let second = phones[phones.count - 1].browser
        if let guest = door.access.store(keys, by: second, door.randomness).stored { door.keep(guest, of: second) }
        phones[phones.count - 1].person = keys.person
        coverage.signIns += 1
    }

    /// A guest deletes all that the guest shared, leaves, and is forgotten.
    func leave(by phone: Int, at door: SimulatedNode) throws {
        guard let person = phones[phone].person else { return }
        try ask(door, by: phone) {
            for entry in self.ledger.entries(of: person) where !entry.isDeleted {
                if let record = entry.reference, door.shows(entry.kind, record) { try self.delete(record, by: door) }
            }
            try self.depart(door)
            door.forget(guest: person)
            self.phones.removeAll { $0.person == person }
        }
    }

    /// The founder removes a guest of a door, or closes the door; false for neither.
    func removeGuest() throws -> Bool {
        let guests = Set(phones.compactMap(\.person)).subtracting(removals.persons).sorted()
        guard !guests.isEmpty, whims.chance(40) else { return false }
        if whims.chance(10), let door = doors.first(where: { !removals.persons.contains($0.secrets.person) }) {
            try close(door, by: nodes[0])
            return true
        }
        let person = whims.pick(guests)
        guard try nodes[0].replica.level(of: person) == .attendee, guestsRemoved < 2 + plan.phones / 6 else {
            return false
        }
        try remove(person, by: nodes[0], keepsLinks: true)
        return true
    }

    private var guestsRemoved: Int { Set(phones.compactMap(\.person)).intersection(removals.persons).count }

    /// A host closes a door: its link, its person and all whom it knows to have come by it.
    func close(_ door: SimulatedNode, by host: SimulatedNode) throws {
        guard let seed = door.secrets.cameBy else { return }
        let draft = Draft.closeDoor(InvitationKeys(seed: seed).id)
        let authored = try host.replica.author([draft], at: host.clock(at: now), randomness: host.randomness)
        noteCuts(authored)
        try publish(authored, by: host)
        bridge(door)
    }

    /// Expects nobody any more who came by a door that was closed before the host heard of them.
    func turnAwayGuests() throws {
        for phone in phones {
            guard let person = phone.person, !removals.persons.contains(person),
                removals.persons.contains(nodes[phone.door].secrets.person),
                try nodes[0].replica.level(of: person) == nil
            else { continue }
            removals.turnedAway.insert(person)
        }
    }

    // MARK: - What is expected

    /// What a door says no to has to be so.
    private func refuse(_ refusal: GuestRefusal, to phone: Int, at door: SimulatedNode) throws {
        coverage.requestsRefused += 1
        let person = phones[phone].person
        let isClosed = removals.persons.contains(door.secrets.person)
        let isRight =
            switch refusal {
            case .removed, .left: person.map(removals.persons.contains) ?? false
            case .noNewcomers: person == nil && isClosed
            case .onlyLooking: isClosed
            }
        if !isRight { report("guests", "node \(door.number) refuses a guest without reason: \(refusal)") }
        // Who was removed may scan the code again, as somebody else.
        if let person, refusal == .removed { phones.removeAll { $0.person == person } }
    }

    /// A phone stays the same person, and nobody is served of whom the door knows to be out.
    private func expectGuest(_ person: PersonID, of phone: Int, at door: SimulatedNode) throws {
        if let former = phones[phone].person, former != person {
            report("guests", "node \(door.number) takes a guest for somebody else")
        }
        guard phones[phone].person != nil || door.guests[phones[phone].browser.name] != nil else { return }
        if try door.replica.isAdmitted(person), try door.replica.level(of: person) == nil {
            report("guests", "node \(door.number) serves a guest who is out")
        }
    }
}
