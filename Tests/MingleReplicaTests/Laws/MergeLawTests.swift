// SPDX-License-Identifier: Apache-2.0

import MingleModel
import TestSupport
import Testing

/// Each law of merging for each kind that there is.
struct MergeLawTests {
    static let seeds = LawSeeds.first(2)

    @Test(arguments: Kind.all, seeds)
    func `the order of the journals does not matter`(kind: Kind, seed: UInt64) throws {
        let failure = try failure(of: .commutative, kind, seed, test: "order of the journals")
        #expect(failure == nil)
    }

    @Test(arguments: Kind.all, seeds)
    func `by way of which replicas it came does not matter`(kind: Kind, seed: UInt64) throws {
        let failure = try failure(of: .associative, kind, seed, test: "by way of which replicas")
        #expect(failure == nil)
    }

    @Test(arguments: Kind.all, seeds)
    func `what comes again changes nothing`(kind: Kind, seed: UInt64) throws {
        let failure = try failure(of: .idempotent, kind, seed, test: "what comes again")
        #expect(failure == nil)
    }

    @Test(arguments: Kind.all, seeds)
    func `batches of any size give the same`(kind: Kind, seed: UInt64) throws {
        let failure = try failure(of: .batching, kind, seed, test: "batches of any size")
        #expect(failure == nil)
    }

    @Test(arguments: Kind.all, seeds)
    func `holes that are filled leave nothing behind`(kind: Kind, seed: UInt64) throws {
        let failure = try failure(of: .holes, kind, seed, test: "holes that are filled")
        #expect(failure == nil)
    }

    @Test(arguments: Kind.all, seeds)
    func `a key that comes late gives what an early one gives`(kind: Kind, seed: UInt64) throws {
        let failure = try failure(of: .lateKeys, kind, seed, test: "a key that comes late")
        #expect(failure == nil)
    }

    @Test(arguments: Kind.all, seeds)
    func `the reference replica says the same`(kind: Kind, seed: UInt64) throws {
        let failure = try failure(of: .reference, kind, seed, test: "the reference replica")
        #expect(failure == nil)
    }

    /// What shows that a law does not hold; nil if it does.
    private func failure(of law: Law, _ kind: Kind, _ seed: UInt64, test: String) throws -> Comment? {
        let failure = try LawFailure(of: law, .drawn(seed, about: kind))
        return failure.map { "\($0.report(about: kind, test: "MergeLawTests.*\(test)"))" }
    }
}

extension Kind: CustomTestStringConvertible {
    package var testDescription: String { name }
}
