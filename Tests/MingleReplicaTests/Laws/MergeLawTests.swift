// SPDX-License-Identifier: Apache-2.0

import MingleModel
import TestSupport
import Testing

/// Each law of merging for each kind that there is.
struct MergeLawTests {
    static let seeds = LawSeeds.first(2)

    @Test(arguments: Kind.all, seeds)
    func `the order of the journals does not matter`(kind: Kind, seed: UInt64) throws {
        try check(.commutative, kind, seed, test: "order of the journals")
    }

    @Test(arguments: Kind.all, seeds)
    func `by way of which replicas it came does not matter`(kind: Kind, seed: UInt64) throws {
        try check(.associative, kind, seed, test: "by way of which replicas")
    }

    @Test(arguments: Kind.all, seeds)
    func `what comes again changes nothing`(kind: Kind, seed: UInt64) throws {
        try check(.idempotent, kind, seed, test: "what comes again")
    }

    @Test(arguments: Kind.all, seeds)
    func `batches of any size give the same`(kind: Kind, seed: UInt64) throws {
        try check(.batching, kind, seed, test: "batches of any size")
    }

    @Test(arguments: Kind.all, seeds)
    func `holes that are filled leave nothing behind`(kind: Kind, seed: UInt64) throws {
        try check(.holes, kind, seed, test: "holes that are filled")
    }

    @Test(arguments: Kind.all, seeds)
    func `a key that comes late gives what an early one gives`(kind: Kind, seed: UInt64) throws {
        try check(.lateKeys, kind, seed, test: "a key that comes late")
    }

    @Test(arguments: Kind.all, seeds)
    func `the reference replica says the same`(kind: Kind, seed: UInt64) throws {
        try check(.reference, kind, seed, test: "the reference replica")
    }

    private func check(_ law: Law, _ kind: Kind, _ seed: UInt64, test: String) throws {
        guard let failure = try LawFailure(of: law, .drawn(seed, about: kind)) else { return }
        Issue.record("\(failure.report(about: kind, test: "MergeLawTests.*\(test)"))")
    }
}

extension Kind: CustomTestStringConvertible {
    package var testDescription: String { name }
}
