// SPDX-License-Identifier: Apache-2.0

import MingleModel

/// Counts connections and says who may come in: a value without any I/O.
///
/// A stranger costs a slot until the handshake's deadline. So strangers have few slots, fewer for each address, and when
/// all are taken the oldest gives way: a member needs its slot for milliseconds, and whoever wants to keep members out
/// has to open all slots anew in that time. Who shows a psk and is not let in yet is a guest: guests have few slots too,
/// and one too many displaces the oldest of its own address, or else the oldest of all. Who was let in gives way to nobody but
/// to the same person, whose devices have so many places together.
struct ConnectionGate: Sendable {
    /// What becomes of a newcomer.
    enum Verdict: Equatable {
        case admitted(displacing: ConnectionID?)
        case refused
    }

    private struct Stranger: Sendable {
        let id: ConnectionID
        let address: String
    }

    private let configuration: TransportConfiguration
    private var strangers: [Stranger] = []
    private var guests: [Stranger] = []
    private var known: Set<ConnectionID> = []
    /// Of these the ones that came in, oldest first, by the person whose device is there.
    private var members: [PersonID: [ConnectionID]] = [:]

    init(_ configuration: TransportConfiguration) { self.configuration = configuration }

    /// How many connections there are.
    var count: Int { strangers.count + guests.count + known.count }

    /// How many of them have not shaken hands.
    var strangerCount: Int { strangers.count }

    /// Somebody comes in from `address`.
    mutating func knock(_ id: ConnectionID, from address: String) -> Verdict {
        let same = strangers.count { $0.address == address }
        guard same < configuration.unauthenticatedPerAddress else { return .refused }
        let displaced = strangers.count >= configuration.unauthenticated ? strangers.first?.id : nil
        guard displaced != nil || count < configuration.connections else { return .refused }
        if displaced != nil { strangers.removeFirst() }
        strangers.append(Stranger(id: id, address: address))
        return .admitted(displacing: displaced)
    }

    /// This node goes out; false if there is no room.
    mutating func dial(_ id: ConnectionID) -> Bool {
        guard count < configuration.connections else { return false }
        known.insert(id)
        return true
    }

    /// A stranger has shown that it holds a psk; returns the guest that gives way to it.
    mutating func authenticate(_ id: ConnectionID) -> ConnectionID? {
        guard let place = strangers.firstIndex(where: { $0.id == id }) else { return nil }
        let guest = strangers.remove(at: place)
        guests.append(guest)
        let neighbours = guests.filter { $0.address == guest.address }
        let isCrowded = neighbours.count > configuration.unadmittedPerAddress
        guard let oldest = isCrowded ? neighbours.first : guests.count > configuration.unadmitted ? guests.first : nil
        else { return nil }
        guests.removeAll { $0.id == oldest.id }
        return oldest.id
    }

    /// A guest was let in as a device of `person`; returns that person's oldest connection if it has to give way.
    mutating func admit(_ id: ConnectionID, as person: PersonID?) -> ConnectionID? {
        guard guests.contains(where: { $0.id == id }) else { return nil }
        guests.removeAll { $0.id == id }
        known.insert(id)
        guard let person else { return nil }
        members[person, default: []].append(id)
        guard let own = members[person], own.count > configuration.connectionsPerPerson else { return nil }
        members[person]?.removeFirst()
        return own.first
    }

    /// The connection is gone, whatever it was.
    mutating func leave(_ id: ConnectionID) {
        strangers.removeAll { $0.id == id }
        guests.removeAll { $0.id == id }
        guard known.remove(id) != nil else { return }
        for (person, own) in members where own.contains(id) {
            let others = own.filter { $0 != id }
            members[person] = others.isEmpty ? nil : others
        }
    }
}
