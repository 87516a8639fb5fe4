// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MingleAPI
package import MingleCrypto
import MingleEvent
import MingleModel
import MinglePeering
import MingleReplica
import MingleWire
import Synchronization

/// What a door lets its guests do.
package struct DoorTerms: Equatable, Sendable {
    /// Whether a moderator has to look at what guests send before others see it.
    package var holdsBack: Bool
    /// Whether guests see only what they sent themselves.
    package var isDropOnly: Bool

    package init(holdsBack: Bool = false, isDropOnly: Bool = false) {
        (self.holdsBack, self.isDropOnly) = (holdsBack, isDropOnly)
    }
}

/// What a door knows of a browser.
package enum BrowserState: Sendable {
    /// Nobody has written with it.
    case looking
    /// It is a guest's.
    case takingPart
    /// Its guest was removed or has left.
    case over
}

/// The guests of a node that lets phones take part: who looks, who writes, and with which keys.
///
/// Reading opens no keys. They are opened for the request that writes, and forgotten with it.
package final class Door: Sendable {
    /// New guests of one address in an hour: several people may be behind one address.
    private static let newcomersPerHour = 240

    package let node: Node
    package let terms: DoorTerms
    let guests: GuestList
    let randomness: Randomness
    let codes = Mutex(SignInCodes())
    private let newcomers = Mutex(HourlyCount(limit: newcomersPerHour))
    /// Serializes making people, so that two requests of one browser make one.
    let making = Mutex(())

    /// Lets guests take part by a node that was opened as a door.
    package init(_ node: Node, _ terms: DoorTerms = DoorTerms(), randomness: Randomness = .system) throws {
        (self.node, self.terms, self.randomness) = (node, terms, randomness)
        let session = try node.openedSession()
        guests = try GuestList(in: session.files.guests)
        session.replica.note(devicesHere: guests.all.compactMap { DeviceName(text: $0.device) })
    }

    func session() throws -> EventSession { try node.openDoorSession() }

    /// The part of a browser's guest, or of somebody who only looks.
    ///
    /// - Throws: `API.Problem`: why there is nothing to see, or that the guest was removed or has left.
    package func reader(_ browser: Browser) throws -> Part {
        let session = try session()
        guard let guest = guests[browser], let person = PersonID(text: guest.person) else {
            return part(session, session.replica.seen(by: nil, onlyOwn: terms.isDropOnly))
        }
        try requireIn(person, session)
        return part(session, session.replica.seen(by: person, onlyOwn: terms.isDropOnly))
    }

    /// The same for a request that writes; who only looked so far becomes a person.
    ///
    /// - Parameter address: Where the request comes from.
    package func writer(_ browser: Browser, from address: String) throws -> Part {
        let session = try sessionToWrite()
        let keys = try making.withLock { _ in try self.keys(of: browser, from: address, session) }
        return part(session, session.replica.faced(by: own(keys, session)))
    }

    /// Refuses who may not write, before anything is read of what is sent; makes nobody.
    package func requireMayWrite(_ browser: Browser) throws {
        let session = try sessionToWrite()
        if let person = guests[browser].flatMap({ PersonID(text: $0.person) }) { try requireIn(person, session) }
    }

    private func sessionToWrite() throws -> EventSession {
        let session = try session()
        guard node.takesPart(session) else { throw API.Problem.onlyLooking }
        if let complaint = node.clocks.complaint { throw API.Problem.wrongClock(complaint) }
        return session
    }

    /// What the event is called, how much there is, and who a browser's guest is.
    package func visit(_ browser: Browser) throws -> API.Visit {
        let part = try reader(browser)
        let (session, event) = (part.session, try node.show(part.session))
        let me = try guests[browser].flatMap { PersonID(text: $0.person) }.map { try session.replica.person($0) }
        return API.Visit(
            title: event.title,
            // The door is somebody of the event, and nobody whom guests would count.
            people: terms.isDropOnly ? 0 : max(0, event.people - 1),
            photos: terms.isDropOnly ? 0 : event.photos,
            moments: terms.isDropOnly ? 0 : event.moments,
            door: try session.ownPerson().name,
            takesPart: node.takesPart(session),
            held: terms.holdsBack,
            dropOnly: terms.isDropOnly,
            me: try me.map { _ in try part.person() },
            named: me?.hasName ?? false,
            areas: event.areas
        )
    }

    /// Who scans the code again with a browser.
    package func state(of browser: Browser) -> BrowserState {
        guard let guest = guests[browser], let person = PersonID(text: guest.person) else { return .looking }
        return (try? isOut(person, session())) == nil ? .takingPart : .over
    }

    /// Deletes what a guest shared, says that the guest has left, and forgets the keys.
    package func leave(_ browser: Browser, from address: String) async throws {
        guard guests[browser] != nil else { return }
        let part = try writer(browser, from: address)
        node.uploads.dropAll(of: part.replica.own.person.description)
        try await eraseAll(of: part)
        _ = try await part.write { service in try service.write { _ = try $0(.leave) } }
        try guests.forget(part.replica.own.person)
    }

    private func eraseAll(of part: Part) async throws {
        var last: [Reference] = []
        // One transaction's worth at a time; of a journal that has forked something may stay.
        while case let records = try part.replica.ownRecords(limit: 256), !records.isEmpty, records != last {
            _ = try await part.write { [records] in try $0.author(records.map { .delete($0) }) }
            last = records
        }
    }

    /// How many guests have come.
    package var count: Int { Set(guests.all.map(\.person)).count }

    // MARK: - Steps

    private func part(_ session: EventSession, _ replica: Replica) -> Part {
        Part(session: session, replica: replica, isHeldBack: terms.holdsBack)
    }

    func requireIn(_ person: PersonID, _ session: EventSession) throws {
        if let reason = try isOut(person, session) { throw reason }
    }

    /// Why a person takes part no more; nil for a person who does.
    private func isOut(_ person: PersonID, _ session: EventSession) throws -> API.Problem? {
        if try session.replica.hasLeft(person) { return .guestLeft }
        return try session.replica.removal(of: person).map { _ in .guestRemoved }
    }

    /// Opens a guest's keys, or draws those of a new one; whoever has them is certified when this returns.
    private func keys(of browser: Browser, from address: String, _ session: EventSession) throws -> GuestKeys {
        let now = node.clock.now()
        var keys: GuestKeys
        if let guest = guests[browser] {
            keys = try guest.open(by: browser)
            try requireIn(keys.person, session)
            // What was written with the former device may be on other nodes and not here.
            let mayGoOn =
                try guest.door == session.replica.own.name.description
                && !session.replica.faced(by: own(keys, session)).isOwnKeyUsedElsewhere()
            if !mayGoOn {
                keys = GuestKeys(randomness, identity: keys.identity)
                try keep(keys, of: browser, session)
            }
        } else {
            guard try takesNewcomers(session, at: now) else { throw API.Problem.noNewcomers }
            guard newcomers.withLock({ $0.take(address, at: node.clock.uptime()) }) else {
                throw API.Problem(.tooMany, "Many people came from this address within the hour. Try again later.")
            }
            keys = GuestKeys(randomness)
            // First of all, as nobody may lose the keys of what was written.
            try keep(keys, of: browser, session)
        }
        try enter(keys, at: now, session)
        return keys
    }

    /// Whether nobody has closed the link by which the door and its guests come.
    private func takesNewcomers(_ session: EventSession, at now: Timestamp) throws -> Bool {
        guard let id = session.replica.own.invitation?.id else { return false }
        return try session.replica.invitation(id)?.isOpen(at: now) ?? false
    }

    private func own(_ keys: GuestKeys, _ session: EventSession) -> OwnDevice {
        keys.secrets(at: session.secrets.withLock { $0 }).ownDevice(in: session.event, seesOnlyOwn: terms.isDropOnly)
    }

    func keep(_ keys: GuestKeys, of browser: Browser, _ session: EventSession) throws {
        let device = own(keys, session).name
        let door = session.replica.own.name
        let guest = StoredGuest(keys, device, of: browser, at: door, randomness)
        try guests.keep(guest, of: browser)
        session.replica.note(devicesHere: [device])
    }

    /// Writes what a newcomer, or a new device of a guest, begins with, unless that is written.
    private func enter(_ keys: GuestKeys, at now: Timestamp, _ session: EventSession) throws {
        let secrets = keys.secrets(at: session.secrets.withLock { $0 })
        let replica = session.replica.faced(by: secrets.ownDevice(in: session.event))
        guard try replica.tips(of: replica.own.name, .fabric).isEmpty else { return }
        let authored = try replica.enter(secrets: secrets, at: now, randomness: randomness)
        session.tell(authored.outcome, own: authored.runs)
    }
}
