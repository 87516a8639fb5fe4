// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleSync

extension Scenario {
    /// In which order things come.
    static let orders = [commentFirst, broughtAgain, authorComes, toldAlong]

    private static let commentFirst = Scenario(
        name: "comment-first",
        summary: "a comment comes without what it is about, the node stops, and then comes the rest",
        steps: [
            .allAreIn,
            .then("Ada is alone") { $0.isolate([0]) },
            .then("Bob shares a photo") { try $0.photo(by: 1, as: "photo") },
            .once("Eve has it") { $0.knows(2, "photo") },
            .then("she comments on it") { try $0.comment(by: 2, on: "photo", as: "comment") },
            .then("somebody brings Ada what Eve wrote") { try $0.carry(2, to: 0) },
            .then("Ada's machine starts anew") { try $0.world.reopen($0.world.nodes[0]) },
            .then("they meet") { $0.meet() },
            .allAreInSync,
        ],
        findings: { stage in
            try stage.everywhere("the comment is there") { try !stage.lines(.comment, at: $0.number).isEmpty }
        }
    )

    private static let broughtAgain = Scenario(
        name: "brought-again",
        summary: "what the laptop has deleted comes again with something new, from who has not heard of it",
        secondDevices: 1,
        steps: [
            .allAreIn,
            .then("the phone makes a moment") { try $0.moment(by: 1, as: "moment") },
            .once("the laptop shows it") { $0.shows(2, .moment, "moment") },
            .then("the laptop is alone") { $0.isolate([2]) },
            .then("it deletes the moment") { try $0.delete("moment", by: 2) },
            .then("the phone makes another") { try $0.moment(by: 1, as: "other") },
            .then("somebody brings the laptop all that the phone wrote") { try $0.carry(1, to: 2) },
            .then("they meet", after: .seconds(60)) { $0.meet() },
            .allAreInSync,
        ],
        findings: { stage in
            stage.everywhere("the other is there") { $0.shows(.moment, stage.reference("other")) }
                + stage.everywhere("it is gone") { !$0.knows(stage.reference("moment")) }
        }
    )

    private static let authorComes = Scenario(
        name: "author-comes",
        summary: "an author comes while somebody else still brings what he wrote, and goes on writing",
        change: { plan in
            plan.bandwidth = 20_000
            plan.limits.comparisonPause = plan.limits.digestInterval
        },
        steps: [
            .allAreIn,
            .then("Carl is alone") { $0.leave(2) },
            .then("Bob makes three hundred moments") { stage in
                let text = String(repeating: "long ", count: 140)
                for number in 0..<300 { try stage.moment(by: 1, description: text, as: "\(number)") }
            },
            .once("Ada has them") { $0.knows(0, "299") },
            .then("Bob is alone, and Carl meets Ada", after: .seconds(60)) { stage in
                stage.meet()
                stage.leave(1)
                stage.link(2, 0)
            },
            .once("Carl has some") { $0.knows(2, "1") },
            .then("Bob meets Carl") { stage in
                stage.meet()
                stage.part([0], [1])
                stage.link(1, 2)
            },
            .then("he makes one more", after: .seconds(3)) { try $0.moment(by: 1, as: "last") },
            .once("Carl has the others") { $0.knows(2, "299") },
            .once("he has that one, before they compare", within: .seconds(15)) { $0.knows(2, "last") },
        ]
    )

    private static let toldAlong = Scenario(
        name: "told-along",
        summary: "what somebody had to ask for reaches whoever is behind by being told of, before they compare",
        steps: [
            .then("all find each other") { $0.acquaintAll() },
            .allAreIn,
            .then("Ana is alone", after: .seconds(60)) { $0.leave(0) },
            .then("she makes a moment") { try $0.moment(by: 0, as: "alone") },
            .then("she meets Bob, and not Carl", after: .seconds(90)) { stage in
                stage.meet()
                stage.part([0], [2])
                stage.link(0, 1)
            },
            .once("Bob has it") { $0.knows(1, "alone") },
            .once("Carl has it, before he and Bob compare", within: .seconds(10)) { $0.knows(2, "alone") },
        ]
    )
}
