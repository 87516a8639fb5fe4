// SPDX-License-Identifier: Apache-2.0

import MingleModel
import TestSupport
import Testing

/// The laws find what is wrong, and what they report is small.
struct LawDefectTests {
    static let planted: [(law: Law, defect: Defect)] = [
        (.commutative, .ignoresOlder),
        (.associative, .keepsHearsay),
        (.idempotent, .countsRepeats),
        (.batching, .takesOneOfABatch),
        (.holes, .losesLatePayloads),
        (.lateKeys, .forgetsLateKeys),
        (.reference, .losesLatePayloads),
    ]

    @Test(arguments: planted)
    func `a planted defect is found and told in a few lines`(law: Law, defect: Defect) throws {
        let failure = try #require(try Self.failure(of: law, defect))
        // A comment that another device writes in a private moment needs eight, each of which the rest hangs on.
        #expect(failure.story.acts.count <= 8, "\(failure.report(about: .moment, test: "LawDefectTests"))")
    }

    private static func failure(of law: Law, _ defect: Defect) throws -> LawFailure? {
        for seed in 0..<20 as Range<UInt64> {
            let story = StoryGenerator(seed: seed, actCount: 16, about: .moment).story
            if let failure = try LawFailure(of: law, story, defect: defect, attempts: 50) { return failure }
        }
        return nil
    }

    @Test func `each law has a defect that it finds, and each defect a law`() {
        #expect(Set(Self.planted.map(\.law)) == Set(Law.allCases))
        #expect(Set(Self.planted.map(\.defect)) == Set(Defect.allCases))
    }
}
