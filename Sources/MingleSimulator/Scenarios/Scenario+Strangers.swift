// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica

extension Scenario {
    /// Each way of doing harm alone.
    static let company = Behaviour.allCases.map { behaviour in
        hostile(
            "company-\(behaviour.rawValue)",
            "three people go about their event, and one is with them whose way is \(behaviour.rawValue)",
            [[behaviour]],
            // Few pictures are shared in a while, of which somebody could be silent.
            minutes: behaviour == .silence ? 30 : 5
        )
    }

    /// What becomes of honest people among others who are not.
    static let strangers: [Scenario] = [
        hostile("backdating", "20: somebody writes years before and after everybody else", [[.wrongClocks]]),
        hostile(
            "two-faces",
            "17: somebody shows everybody something else; who passes it on is not to blame",
            [[.equivocation]]
        ),
        hostile(
            "usurper",
            "26: somebody makes epochs, invitations and titles, and deletes what others made",
            [[.usurping]]
        ),
        hostile("lying-frontier", "34: somebody claims what it has not, and denies what it has", [[.lyingFrontiers]]),
        hostile("withheld-tail", "34: somebody proves headers and sends no payloads, or no runs", [[.withholding]]),
        emptyPromises, silentPeers, promisedBefore, promisesToOne, wrongSlot,
        hostile(
            "forged-authors",
            "17: somebody writes in others' names and alters what it passes on",
            [[.forging], [.forging, .replays]]
        ),
        hostile(
            "bad-company",
            "34: three hostile peers who do all there is among four others",
            [
                [.forging, .badChunks, .garbage, .storms], [.equivocation, .orphans, .wrongClocks, .slowReading],
                [.usurping, .greed, .hugeSequences, .lyingFrontiers, .withholding, .replays],
            ],
            // One of them does six things in turns, as the dice say.
            minutes: 10
        ),
    ]

    private static let wrongSlot = Scenario(
        name: "wrong-slot",
        summary: "27: somebody seals keys wrongly to a phone that is being linked; it says so, and others hand them on",
        hostile: [[]],
        steps: [
            .allAreIn,
            .wallIsClosed,
            .allAreInSync,
            .then("Ana makes a moment") { try $0.moment(by: 0, as: "moment") },
            .allAreInSync,
            .then("Bob links a phone, and the liar is quicker than he") { stage in
                try stage.link(to: 1)
                try stage.sealWrongly(to: 4, by: 3)
            },
            .once("it has a certificate", within: .seconds(30)) { $0.isCertified(4) },
            .once("it reads the moment", within: .seconds(60)) { $0.shows(4, .moment, "moment") },
            .then("it comments") { try $0.comment(by: 4, on: "moment", as: "comment") },
            .once("Carl reads that") { $0.shows(2, .comment, "comment") },
        ]
    )

    private static let emptyPromises = Scenario(
        name: "empty-promises",
        summary: "somebody says that it holds pictures and sends none; everybody else's come as soon as ever",
        peers: 4,
        hostile: [[.promising]],
        change: { $0.bandwidth = 250_000 },
        steps: [.allAreIn]
            + (1...20).flatMap { number in
                [
                    .then("a while passes, and Ada shares a photo", after: .seconds(30)) {
                        try $0.photo(by: 0, as: "photo \(number)")
                    },
                    .once("all have its pictures", within: .seconds(45)) { try $0.havePictures(of: 0) },
                ]
            }
    )

    private static let silentPeers = Scenario(
        name: "silent-peers",
        summary: "four devices that never say which pictures they hold come and go; others' pictures come at once",
        hostile: [[Behaviour]](repeating: [.silence], count: 4),
        change: { $0.bandwidth = 1_000_000 },
        steps: [.allAreIn]
            + (1...5).flatMap { number in
                [
                    .then("the silent ones come anew", after: .seconds(20)) { stage in
                        for silent in 3...6 { stage.cutLinks(of: silent) }
                    },
                    .then("Ada shares a photo", after: .seconds(number)) {
                        try $0.photo(by: 0, length: 10_000, as: "photo \(number)")
                    },
                    .once("the others have its pictures", within: .seconds(7)) { try $0.havePictures(of: 0, [1, 2]) },
                ]
            }
    )

    private static let promisedBefore = Scenario(
        name: "promised-before",
        summary: "who said that it holds pictures and sent none is asked for none of many that one other has",
        peers: 2,
        hostile: [[.promising]],
        change: { ($0.bandwidth, $0.slowness) = (1_000_000, 5000) },
        steps: [.allAreIn]
            + (1...3).flatMap { round in
                [
                    // Not so often that his links end: what he knows of stalls goes with them.
                    .then("Bob sleeps", after: .seconds(50)) { $0.sleep(1) },
                    .then("Ada shares many photos, more than are asked of one at a time", after: .zero) { stage in
                        for number in 1...90 { try stage.photo(by: 0, length: 12_000, as: "photo \(round), \(number)") }
                    },
                    .once("the other has their pictures") { try $0.havePictures(of: 0, [2]) },
                    .then("Bob wakes, and both say that they have them", after: .zero) { stage in
                        stage.wake(1)
                        stage.timeBefore = stage.world.now
                    },
                    .once("he has their pictures", within: .seconds(45)) { stage in
                        guard try stage.havePictures(of: 0) else { return false }
                        if stage.world.now - stage.timeBefore > .seconds(9) { stage.lateCount += 1 }
                        return true
                    },
                ]
            },
        // He waits for the other for 10 s once, and would for more each time: Ada has them besides.
        findings: { $0.lateCount > 1 ? ["he waits for the other \($0.lateCount) times"] : [] }
    )

    private static let promisesToOne = Scenario(
        name: "promises-to-one",
        summary: "somebody promises only Carl pictures and sends none; he waits for that once and not again",
        hostile: [[.promising]],
        change: { $0.bandwidth = 250_000 },
        steps: [
            .allAreIn,
            .then("who promises meets nobody but Carl") { stage in
                stage.cutLinks(of: 3)
                stage.part([3], [0, 1])
            },
        ]
            + (1...20).flatMap { number in
                [
                    .then("a while passes, and Ada shares a photo", after: .seconds(30)) {
                        try $0.photo(by: 0, as: "photo \(number)")
                    },
                    .once("all have its pictures", within: .seconds(40)) { try $0.havePictures(of: 0) },
                ]
            }
    )

    /// Four people go about their event, and the hostile ones about theirs.
    private static func hostile(
        _ name: String,
        _ summary: String,
        _ behaviours: [[Behaviour]],
        minutes: Int = 5
    ) -> Scenario {
        Scenario(
            name: name,
            summary: summary,
            peers: 4,
            hostile: behaviours,
            minutes: minutes,
            change: { $0.deedsPerHour = 120 },
            steps: [.allAreIn],
            findings: { stage in
                try stage.everywhere("the title is the founder's") { try $0.replica.title() == stage.world.title }
            }
        )
    }
}
