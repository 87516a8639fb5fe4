// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleModel
import MingleReplica
import TestSupport
import Testing

/// State is a function of the set of headers, payloads and keys held.
struct ConvergenceTests {
    static let blocks = 40

    @Test(arguments: 0..<blocks)
    func `any order, splitting and repetition gives what the reference replica gives`(block: Int) throws {
        let seeds = LawSeeds.first(1000)
        for seed in seeds where seed % UInt64(Self.blocks) == block {
            guard let failure = try LawFailure(of: .reference, .drawn(seed)) else { continue }
            Issue.record("\(failure.report(about: nil, test: "MingleReplicaTests.ConvergenceTests"))")
            // One small failure says more than many.
            return
        }
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func `a replica that is closed and opened anew while it merges shows what the reference replica does`(
        seed: UInt64
    ) throws {
        let history = try Story.drawn(seed).history()
        let path = try TemporaryFolder()
        let expected = ReferenceReplica(history)
        func open() throws -> Replica {
            try Replica(path: path.file("replica.sqlite"), event: history.event, own: history.observer)
        }
        var replica = try open()
        var random = SplitMix(seed: seed)
        for step in Delivery.anyhow(history, seed: seed).steps {
            switch step {
            case .runs(let runs): _ = try replica.merge(runs)
            case .payloads(let payloads): _ = try replica.merge(payloads: payloads)
            case .key(let epoch): _ = try replica.hold(epoch.key, of: epoch.id, for: epoch.audience)
            }
            guard random.chance(20) else { continue }
            try replica.close()
            replica = try open()
        }
        let people = try (replica.people() + replica.relays())
            .compactMap { person in person.level.map { "\(person.id) is a \($0.word)" } }
        #expect(try replica.dump() == expected.dump() && people.sorted() == expected.people())
    }
}
