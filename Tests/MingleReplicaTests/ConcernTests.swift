// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleWire
import Testing

@testable import MingleReplica

/// What keys have to obey.
struct ConcernTests {
    private static func bytes(_ number: Int) -> Bytes32 {
        Bytes32(at: 0, of: (UInt64(number).bigEndianBytes + [UInt8](repeating: 7, count: 24)).span)
    }

    private static func person(_ number: Int) -> PersonID { PersonID(bytes(number)) }

    /// A cut of somebody, or of one device, with this hash.
    private func cut(_ hash: UInt64, of person: Int, device: Int? = nil) -> Cut {
        Cut(
            id: Reference(device: 1, journal: .fabric, sequence: 1, hash: hash),
            person: Self.person(person),
            device: device.map { DeviceName(Self.bytes($0)) },
            level: nil,
            ends: [:],
            overwrites: []
        )
    }

    @Test func `however often somebody retires a device, one key is made, and none too few for what others decide`() {
        let retirements = (1...3000).map { cut(UInt64($0), of: 1, device: 9) }
        let key = Concerns(decided: [], said: Array(retirements.dropFirst())).listed
        #expect(key == [2] && Concerns(decided: [], said: retirements).areObeyed(by: key))
        #expect(Concerns(decided: [], said: retirements).known.count == 3000)
        #expect(!Concerns(decided: [.max], said: retirements).areObeyed(by: key))
        #expect(!Concerns(decided: [], said: retirements + [cut(.max, of: 2)]).areObeyed(by: key))
        #expect(!Concerns(decided: [], said: retirements + [cut(.max, of: 1, device: 8)]).areObeyed(by: key))
    }

    @Test func `however many devices somebody retires, a key obeys seventeen, and others who leave all the same`() {
        let retirements = (1...3000).map { cut(UInt64($0), of: 1, device: $0) }
        let key = Concerns(decided: [5000, 5001], said: retirements).listed
        #expect(key == Set(1...17).union([5000, 5001]))
        let more = (3001...3100).map { cut(UInt64($0), of: 1, device: $0) }
        #expect(Concerns(decided: [5000], said: more + retirements).areObeyed(by: key))
        #expect(!Concerns(decided: [5000, 5002], said: retirements).areObeyed(by: key))
        #expect(!Concerns(decided: [5000], said: retirements + [cut(6000, of: 2)]).areObeyed(by: key))
    }

    @Test func `where a key cannot list all, what others decided comes first, then who left`() {
        let crowd = (1...200).flatMap { person in
            (1...16).map { cut(UInt64(person * 100 + $0), of: person, device: person * 100 + $0) }
        }
        let key = Concerns(decided: [100_000], said: crowd).listed
        #expect(key.count == Limits.obeyedPerEpoch && Concerns(decided: [100_000], said: crowd).areObeyed(by: key))
        #expect(!Concerns(decided: [100_000], said: crowd + [cut(200_000, of: 999)]).areObeyed(by: key))
        #expect(!Concerns(decided: [100_000, 100_001], said: crowd).areObeyed(by: key))
        // Of more than fit the lowest are meant, and nothing else has room.
        let decided = (1...3000).map { UInt64($0) }
        let full = Concerns(decided: decided, said: crowd).listed
        #expect(full == Set(decided.prefix(Limits.obeyedPerEpoch)))
        #expect(Concerns(decided: decided, said: crowd + [cut(1, of: 999)]).areObeyed(by: full))
    }

    @Test func `who is let in again and leaves again has the key that was made in between`() {
        let key = Concerns(decided: [], said: [cut(1, of: 1)]).listed
        #expect(Concerns(decided: [], said: []).areObeyed(by: key))
        #expect(!Concerns(decided: [], said: [cut(2, of: 1)]).areObeyed(by: key))
    }
}
