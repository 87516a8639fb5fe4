// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire

/// An event in which Bob makes private moments: Carl is a guest of some, Dora of none.
struct PrivateWorld {
    var event: TestEvent
    let bob: Replica
    let carl: Replica
    let dora: Replica
    let audience: Audience

    init(seed: UInt64, doraPath: String? = nil) throws {
        var event = try TestEvent(seed: seed)
        (bob, carl, dora) = (try event.join(), try event.join(), try event.join(path: doraPath))
        self.event = event
        audience = .guests(owner: bob.own.person, salt: event.randomness.bytes(Audience.saltLength))
        try meet()
    }

    var everybody: [Replica] { [event.founder, bob, carl, dora] }

    /// Lets all who are named, or everybody, hold what all of them hold.
    func meet(_ replicas: [Replica]? = nil) throws { try (replicas ?? everybody).meet() }

    /// Bob makes a private moment and invites some people.
    func makeMoment(_ title: String = "Surprise", inviting guests: [Replica], at time: Int64 = 5000) throws -> Reference
    {
        let made = try bob.author(at: Timestamp(milliseconds: time), randomness: event.randomness) { write in
            let moment = try write(.create(.moment, on: .nothing, values: momentValues(title), for: audience))
            for guest in guests { _ = try write(.invite(guest.own.person, to: moment)) }
        }
        return try bob.moments().first { $0.title == title }?.id ?? made.references[0]
    }

    /// Somebody writes one thing.
    @discardableResult
    func say(_ draft: Draft, by replica: Replica, at time: Int64 = 6000) throws -> Reference {
        try replica.say(draft, at: time, event.randomness)
    }

    func comment(_ text: String, on target: Reference) -> Draft {
        .create(.comment, on: .record(target), values: ["text": .text(text)])
    }

    func joining(_ moment: Reference, _ state: Int64 = 2) -> Draft {
        .set(.participation, on: .record(moment), values: ["state": .number(state)])
    }

    /// Somebody does what is due about the keys; false if nothing is.
    func fulfilKeyNeed(_ replica: Replica, at time: Int64 = 7000) throws -> Bool {
        let now = Timestamp(milliseconds: time)
        guard let need = try replica.keyNeed(at: now) else { return false }
        switch need {
        case .renewal, .beginning:
            _ = try replica.author([.renew(need.audience)], at: now, randomness: event.randomness)
        case .reporting(let author):
            _ = try replica.author([.fabric(.wrongSlots(by: author))], at: now, randomness: event.randomness)
        case .handing(let audience, _, _):
            _ = try replica.handOnKeys(of: audience, at: now, randomness: event.randomness)
        }
        return true
    }
}

/// A moment that goes on for long.
func momentValues(_ title: String) -> [String: Value] {
    [
        "title": .text(title), "start": .number(1), "end": .number(1_000_000), "place_name": .text("Roof"),
        "latitude": .number(1), "longitude": .number(1), "radius": .number(100),
    ]
}
