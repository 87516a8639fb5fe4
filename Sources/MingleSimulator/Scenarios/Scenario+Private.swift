// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica

extension Scenario {
    /// What is among some people only, and when it is no more.
    static let privately = [hiddenPrivately, uninvitedApart, publishedBeforeKeys]

    private static let hiddenPrivately = Scenario(
        name: "hidden-privately",
        summary: "who moderates hides what another said in a private moment: nobody but its guests learns of it",
        peers: 4,
        steps: [
            .then("all find each other") { $0.acquaintAll() },
            .allAreIn,
            .then("the founder makes a moderator of Bob") { try $0.promote(1, to: .moderator, by: 0) },
            .once("he is one everywhere") { stage in
                try (0...3).allSatisfy { try stage.level(of: 1, at: $0) == .moderator }
            },
            .then("Carl makes a moment for him and himself") { try $0.privateMoment(by: 2, for: [1], as: "moment") },
            .once("Bob shows it") { $0.shows(1, .moment, "moment") },
            .then("Carl says something there") { try $0.whisper(by: 2, on: "moment", as: "said") },
            .once("Bob reads it") { $0.shows(1, .comment, "said") },
            .then("he hides it") { try $0.hidePrivately("said", in: "moment", by: 1) },
            .allAreInSync,
        ],
        findings: { stage in
            try [1, 2].filter { try stage.comments(on: "moment", at: $0)[stage.reference("said")] != true }
                .map { "node \($0) does not show that it is hidden" }
        }
    )

    private static let uninvitedApart = Scenario(
        name: "uninvited-apart",
        summary: "a guest is uninvited, and writes on while apart: what came before stays, nothing else shows",
        peers: 4,
        steps: [
            .then("all find each other") { $0.acquaintAll() },
            .allAreIn,
            .then("Bob makes a moment for Carl and Dora") { try $0.privateMoment(by: 1, for: [2, 3], as: "moment") },
            .once("both show it") { stage in [2, 3].allSatisfy { stage.shows($0, .moment, "moment") } },
            .then("Carl says something") { try $0.whisper(by: 2, on: "moment", as: "before") },
            .once("all of them read it") { stage in [1, 3].allSatisfy { stage.shows($0, .comment, "before") } },
            .allAreInSync,
            .then("Carl is apart") { $0.part([2], [0, 1, 3]) },
            .then("Bob takes his invitation back") { try $0.uninvite(2, from: "moment", by: 1) },
            .then("Carl writes on") { stage in
                for number in 0..<8 { try stage.whisper(by: 2, on: "moment", as: "after \(number)") }
            },
            .then("they meet", after: .seconds(30)) { $0.meet() },
            .allAreInSync,
        ],
        findings: { stage in
            try [1, 3].filter { try Set(stage.comments(on: "moment", at: $0).keys) != [stage.reference("before")] }
                .map { "node \($0) shows something else than what he said before" }
        }
    )

    private static let publishedBeforeKeys = Scenario(
        name: "published-before-keys",
        summary:
            "a private moment becomes public before a guest's other device has a key: it shows what the guests had said, too",
        peers: 4,
        secondDevices: 1,
        steps: [
            .then("all find each other") { $0.acquaintAll() },
            .once("all but the last device are in") { stage in
                try (0...2).allSatisfy { try stage.world.nodes[$0].replica.hasKey() }
            },
            .then("one makes a moment for the other") { stage in
                try stage.privateMoment(by: other(stage), for: [stage.world.nodes[3].person], as: "private")
            },
            .once("who is invited shows it") { $0.shows($0.world.nodes[3].person, .moment, "private") },
            .then("and says something") { stage in
                try stage.whisper(by: stage.world.nodes[3].person, on: "private", as: "said")
            },
            .once("the other reads it") { $0.shows(other($0), .comment, "said") },
            .then("the moment becomes public") { try $0.publish("private", as: "public", by: other($0)) },
            .once("all show it") { stage in (0...2).allSatisfy { stage.shows($0, .moment, "public") } },
            .then("the guest's other device comes") { try $0.arrive(3) },
            .once("it shows the moment") { $0.shows(3, .moment, "public") },
            .once("and what was said, once it has the key", within: .seconds(120)) { stage in
                try stage.comments(on: "public", at: 3)[stage.reference("said")] != nil
            },
            .allAreInSync,
        ],
        findings: { stage in
            let guests = [1, 2, 3]
            return try guests.filter { try stage.comments(on: "public", at: $0)[stage.reference("said")] == nil }
                .map { "node \($0) does not show what was said while it was private" }
        },
        late: [3]
    )

    /// Of two people who are no founder the one who has a single device, where the fourth node is the other's second.
    private static func other(_ stage: Stage) -> Int { 3 - stage.world.nodes[3].person }
}
