// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleWire

@testable import MingleReplica

/// Somebody who writes more than anybody else wants.
struct Flood {
    let world: TestEvent
    let author: Scribe
    let introduction: Run
    private(set) var deltas: [Delta] = []

    init(seed: UInt64, count: Int) throws { try self.init(seed: seed, times: [Int64](repeating: 3000, count: count)) }

    /// - Parameter times: what the author's clock said, in milliseconds.
    init(seed: UInt64, times: [Int64]) throws {
        world = try TestEvent(seed: seed)
        author = world.scribe()
        introduction = Run(travelling: try author.introduction(by: world.invitation))
        for time in times { try write(at: time) }
    }

    /// Bytes of the payload of each.
    var size: Int { Int(deltas[0].header.payloadLength) }

    var references: [Reference] { deltas.map(\.reference) }

    mutating func write(at time: Int64 = 3000) throws {
        let name = Value.text("Quay \(deltas.count + 100)")
        let changes = quayValues("").map { field, value in
            Change(field: Kind.place.field(named: field)?.number ?? 0, value: field == "name" ? name : value)
        }
        let entry = try world.entry(.place, changes.sorted { $0.field < $1.field }, time: time)
        deltas.append(author.write(entry, after: deltas.last))
    }

    /// Deletes what the author wrote at a place.
    mutating func delete(_ place: Int) {
        let entry = Scribe.Entry(time: 4000, root: .reference(deltas[place].reference), isDeletion: true)
        deltas.append(author.write(entry, after: deltas.last))
    }

    /// Somebody else, who knows whose device it is and holds so many of the flood in full.
    func reader(holding count: Int?, keys: Int? = nil, path: String? = nil) throws -> Replica {
        try reader(within: count.map { Quota(words: $0 * size, keys: keys) }, path: path)
    }

    /// The same, for any quota.
    func reader(within quota: Quota?, path: String? = nil) throws -> Replica {
        let own = TestKeys(world.randomness).own(in: world.event, invitation: world.invitation)
        let replica = try Replica(path: path, event: world.event, own: own, quota: quota)
        try replica.receiveAll(from: world.founder)
        _ = try replica.merge([introduction])
        return replica
    }
}

extension Replica {
    /// Which payloads are here.
    func holds(_ references: [Reference]) throws -> [Bool] {
        try payloads(references).map { if case .held = $0 { true } else { false } }
    }

    /// How many of the flood's records are shown.
    func quays() throws -> Int { try lines("Quay").count }
}

/// What a place says.
func quayValues(_ name: String) -> [String: Value] {
    ["name": .text(name), "latitude": .number(1), "longitude": .number(2), "radius": .number(3)]
}
