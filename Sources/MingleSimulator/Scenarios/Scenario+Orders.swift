// SPDX-License-Identifier: Apache-2.0

import MingleModel

extension Scenario {
    /// In which order things come.
    static let orders = [commentFirst]

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
            .allAreLevel,
        ],
        findings: { stage in
            try stage.everywhere("the comment is there") { try !stage.lines(.comment, at: $0.number).isEmpty }
        }
    )
}
