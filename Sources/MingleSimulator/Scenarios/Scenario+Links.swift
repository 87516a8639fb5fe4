// SPDX-License-Identifier: Apache-2.0

extension Scenario {
    /// Links that let in few, or nobody any more.
    static let links = [usedUpLink, closedLink]

    private static let usedUpLink = Scenario(
        name: "used-up-link",
        summary: "a link for two lets in two who hold it, and nobody who has only heard it be used",
        steps: [
            .allAreIn,
            .then("the founder makes a link for two") { try $0.invite(uses: 2) },
            .allAreInSync,
            .then("somebody repeats the proof that another gave") { stage in
                for node in 0...2 { try stage.knockWithProofOfAnotherSession(at: node) }
            },
            .then("one comes in") { try $0.knock(at: 1) },
            .once("all know of one") { stage in try stage.world.honest.allSatisfy { try stage.guests(at: $0) == 1 } },
            .then("and another") { try $0.knock(at: 2) },
            .once("all know of two") { stage in try stage.world.honest.allSatisfy { try stage.guests(at: $0) == 2 } },
            .then("others knock at all doors, too late") { stage in for node in 0...2 { try stage.knock(at: node) } },
            .allAreInSync,
        ],
        findings: { stage in try stage.everywhere("two are in, and no more") { try stage.guests(at: $0) == 2 } }
    )

    private static let closedLink = Scenario(
        name: "closed-link",
        summary: "a link was closed before anybody came by it; it opens no door, also after all machines started anew",
        steps: [
            .allAreIn,
            .then("the founder makes a link for ten, and closes it") { stage in
                try stage.invite(uses: 10)
                try stage.closeLastLimited()
            },
            .allAreInSync,
            .then("somebody knocks at all doors") { stage in for node in 0...2 { try stage.knock(at: node) } },
            .then("all machines start anew") { stage in
                for node in stage.world.nodes { try stage.world.reopen(node) }
            },
            .then("others knock at all doors") { stage in for node in 0...2 { try stage.knock(at: node) } },
            .allAreInSync,
        ],
        findings: { stage in try stage.everywhere("nobody came in") { try stage.guests(at: $0) == 0 } }
    )
}
