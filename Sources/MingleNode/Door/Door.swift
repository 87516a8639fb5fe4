// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MingleAPI
package import MingleCrypto
import MingleEvent
import MingleModel
package import MinglePeering
import MingleReplica
import MingleWire
import Synchronization

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
    private let newcomers = Mutex(HourlyCount(limit: newcomersPerHour))
    /// Serializes making people, so that two requests of one browser make one.
    let making = Mutex(())

    /// Lets guests take part by a node that was opened as a door.
    package init(_ node: Node, _ terms: DoorTerms = DoorTerms(), randomness: Randomness = .system) throws {
        (self.node, self.terms, self.randomness) = (node, terms, randomness)
        let session = try node.openedSession()
        guests = try GuestList(in: session.files.guests)
        session.replica.note(devicesHere: guests.all.compactMap(\.deviceName))
    }

    func session() throws -> EventSession { try node.openDoorSession() }

    /// What the door decides about its guests, as things stand.
    func access(_ session: EventSession) -> GuestAccess { session.guestAccess(terms) }

    /// The part of a browser's guest, or of somebody who only looks.
    ///
    /// - Throws: `API.Problem`: why there is nothing to see, or that the guest was removed or has left.
    package func reader(_ browser: Browser) throws -> Part {
        let session = try session()
        return try explaining { part(session, try access(session).reader(guests[browser]?.personID)) }
    }

    /// The same for a request that writes; who only looked so far becomes a person.
    ///
    /// - Parameter address: Where the request comes from.
    package func writer(_ browser: Browser, from address: String) throws -> Part {
        let session = try sessionToWrite()
        return try explaining {
            let keys = try making.withLock { _ in try self.keys(of: browser, from: address, session) }
            return part(session, access(session).writer(keys))
        }
    }

    /// Refuses who may not write, before anything is read of what is sent; makes nobody.
    package func requireMayWrite(_ browser: Browser) throws {
        let session = try sessionToWrite()
        if let person = guests[browser]?.personID { try explaining { try access(session).requireIn(person) } }
    }

    private func sessionToWrite() throws -> EventSession {
        let session = try session()
        guard node.takesPart(session) else { throw API.Problem(.onlyLooking) }
        // A host may have closed the door while it was not connected: what is sent now would go nowhere.
        if session.shutOut != nil { throw API.Problem.shutOut }
        if let complaint = node.clocks.complaint { throw API.Problem.wrongClock(complaint) }
        return session
    }

    /// What the event is called, how much there is, and who a browser's guest is.
    package func visit(_ browser: Browser) throws -> API.Visit {
        let part = try reader(browser)
        let (session, event) = (part.session, try node.show(part.session))
        let me = try guests[browser]?.personID.map { try session.replica.person($0) }
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
            areas: event.areas,
            timeZone: event.timeZone,
            currency: event.currency
        )
    }

    /// Who scans the code again with a browser.
    package func state(of browser: Browser) -> BrowserState {
        guard let person = guests[browser]?.personID else { return .looking }
        return (try? access(session()).end(of: person)) == nil ? .takingPart : .over
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

    /// Runs `body`, and says in words for guests why it refuses.
    func explaining<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let refusal as GuestRefusal { throw API.Problem(refusal) }
    }

    /// Opens a guest's keys, or draws those of a new one; whoever has them is certified when this returns.
    private func keys(of browser: Browser, from address: String, _ session: EventSession) throws -> GuestKeys {
        let (now, access, guest) = (node.clock.now(), access(session), guests[browser])
        let opened = try access.open(guest, by: browser, at: now, randomness: randomness)
        if guest == nil, !newcomers.withLock({ $0.take(address, at: node.clock.uptime()) }) {
            throw API.Problem(.tooMany, "Many people came from this address within the hour. Try again later.")
        }
        // First of all, as nobody may lose the keys of what was written.
        if let stored = opened.stored { try keep(stored, of: browser, session) }
        if let authored = try access.enter(opened.keys, at: now, randomness: randomness) {
            session.tell(authored.outcome, own: authored.runs)
        }
        return opened.keys
    }

    func keep(_ guest: StoredGuest, of browser: Browser, _ session: EventSession) throws {
        try guests.keep(guest, of: browser)
        session.replica.note(devicesHere: [guest.deviceName].compactMap(\.self))
    }
}

extension EventSession {
    /// What a door of the event decides about its guests, as things stand.
    func guestAccess(_ terms: DoorTerms = DoorTerms()) -> GuestAccess {
        GuestAccess(replica, secrets.withLock { $0 }, terms)
    }
}
