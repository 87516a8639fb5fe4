// SPDX-License-Identifier: Apache-2.0

package import MingleCrypto
package import MingleModel
package import MingleReplica
import MingleWire

/// Why a door refuses what a guest asks for.
package enum GuestRefusal: Error, Equatable, Sendable {
    /// The door lets people look on, and nobody take part.
    case onlyLooking
    /// A host closed the link by which the door and its guests come.
    case noNewcomers
    /// The guest has left the event.
    case left
    /// A host removed the guest.
    case removed
}

/// What a door decides about its guests: who may read and write, as which person, and with which device.
///
/// Reading opens no keys. They are opened for the request that writes, and go with this value. It keeps nothing itself.
package struct GuestAccess: Sendable {
    /// A guest's keys, opened for one request.
    package struct Opened: Sendable {
        /// What the guest writes with.
        package let keys: GuestKeys
        /// What the door has to keep before anything is written; nil where it keeps that already.
        package let stored: StoredGuest?
    }

    private let replica: Replica
    private let secrets: Secrets
    private let terms: DoorTerms

    /// Describes a door.
    ///
    /// - Parameters:
    ///   - replica: As the door's own device faces it.
    ///   - secrets: The door's own.
    ///   - terms: What it lets its guests do.
    package init(_ replica: Replica, _ secrets: Secrets, _ terms: DoorTerms) {
        (self.replica, self.secrets, self.terms) = (replica, secrets, terms)
    }

    /// Whether guests may write: the door came by a link for a door, and is what that makes it.
    package var takesPart: Bool {
        get throws {
            guard let id = replica.own.invitation?.id, let invitation = try replica.invitation(id) else { return false }
            return try invitation.terms.isForDoor && replica.level(of: replica.own.person) == .attendee
        }
    }

    /// Why a person takes part no more; nil for a person who does, and for one of whom nothing has been heard.
    package func end(of person: PersonID) throws -> GuestRefusal? {
        if try replica.hasLeft(person) { return .left }
        return try replica.removal(of: person).map { _ in .removed }
    }

    /// The replica as a guest sees it; nobody writes by that.
    ///
    /// - Parameter guest: Nil: somebody who only looks.
    /// - Throws: ``GuestRefusal``
    package func reader(_ guest: PersonID?) throws -> Replica {
        if let guest { try requireIn(guest) }
        return replica.seen(by: guest, onlyOwn: terms.isDropOnly)
    }

    /// The replica as a guest's device writes and reads by it.
    package func writer(_ keys: GuestKeys) -> Replica { replica.faced(by: device(of: keys)) }

    /// Opens a guest's keys, or draws those of a newcomer.
    ///
    /// A guest goes on with a new device where the former one may have written what is not here: the door is another
    /// device than then, or the guest's key was met elsewhere.
    ///
    /// - Parameter guest: What the door keeps of the browser's guest; nil: a newcomer.
    /// - Throws: ``GuestRefusal``; `CryptoError` for a browser that is not the guest's.
    package func open(
        _ guest: StoredGuest?,
        by browser: Browser,
        at now: Timestamp,
        randomness: Randomness
    ) throws -> Opened {
        guard try takesPart else { throw GuestRefusal.onlyLooking }
        guard let guest else {
            guard try takesNewcomers(at: now) else { throw GuestRefusal.noNewcomers }
            return store(GuestKeys(randomness), by: browser, randomness)
        }
        let keys = try guest.open(by: browser)
        try requireIn(keys.person)
        let isSame = try guest.door == replica.own.name.description && !writer(keys).isOwnKeyUsedElsewhere()
        if isSame { return Opened(keys: keys, stored: nil) }
        return store(GuestKeys(randomness, identity: keys.identity), by: browser, randomness)
    }

    /// Keeps a guest's keys for a browser.
    package func store(_ keys: GuestKeys, by browser: Browser, _ randomness: Randomness) -> Opened {
        let (device, door) = (device(of: keys).name, replica.own.name)
        return Opened(keys: keys, stored: StoredGuest(keys, device, of: browser, at: door, randomness))
    }

    /// Writes what a newcomer, or a new device of a guest, begins with; nil if that is written.
    package func enter(_ keys: GuestKeys, at now: Timestamp, randomness: Randomness) throws -> Authored? {
        let writer = writer(keys)
        guard try writer.tips(of: writer.own.name, .fabric).isEmpty else { return nil }
        return try writer.enter(secrets: keys.secrets(at: secrets), at: now, randomness: randomness)
    }

    /// - Throws: ``GuestRefusal`` for a person who takes part no more.
    package func requireIn(_ person: PersonID) throws {
        if let end = try end(of: person) { throw end }
    }

    // MARK: - Steps

    private func takesNewcomers(at now: Timestamp) throws -> Bool {
        guard let id = replica.own.invitation?.id else { return false }
        return try replica.invitation(id)?.isOpen(at: now) ?? false
    }

    private func device(of keys: GuestKeys) -> OwnDevice {
        keys.secrets(at: secrets).ownDevice(in: replica.event, seesOnlyOwn: terms.isDropOnly)
    }
}
