// SPDX-License-Identifier: Apache-2.0

import MingleModel
import TestSupport

/// A story for which a law does not hold, as small as a search could make it.
struct LawFailure {
    let law: Law
    let story: Story
    /// How many acts the story had that was drawn.
    let drawnCount: Int
    let complaint: String
    let attempts: Int

    /// Nil if the law holds.
    init?(of law: Law, _ story: Story, defect: Defect? = nil, attempts limit: Int = 1000) throws {
        guard let first = try law.difference(story, defect: defect) else { return nil }
        let shrunk = try shrink(story, complaint: first.words, attempts: limit, smaller: \.smaller) { smaller in
            // A record that is wrong says more than a payload that is.
            let found = try law.difference(smaller, defect: defect)
            return found.flatMap { $0.isOfRecords || !first.isOfRecords ? $0.words : nil }
        }
        (self.law, drawnCount, attempts) = (law, story.acts.count, shrunk.attempts)
        (self.story, complaint) = (shrunk.smallest, shrunk.complaint)
    }

    /// What a person needs to understand the failure and to see it again.
    func report(about kind: Kind?, test: String) -> String {
        """
        The law \(law) does not hold for \(kind?.name ?? "all kinds") with seed \(story.seed).
        The smallest history found, \(story.acts.count) acts of \(drawnCount):
        \(story)
        \(complaint)
        Again: \(LawSeeds.again(story.seed, test: test))
        """
    }
}

extension Story {
    /// The story of a seed that is mostly about one kind.
    static func drawn(_ seed: UInt64, about kind: Kind) -> Story {
        // What hangs on much needs more to be said first.
        let needed = Set(kind.needs(drawing: Int(seed % 1000))).count
        var generator = StoryGenerator(seed: seed, actCount: 30 + 5 * needed, about: kind)
        generator.lose()
        return generator.story
    }

    /// The story of a seed about all kinds.
    static func drawn(_ seed: UInt64) -> Story {
        var random = SplitMix(seed: seed)
        var generator = StoryGenerator(seed: seed, actCount: Int.random(in: 20...60, using: &random))
        generator.lose()
        return generator.story
    }
}
