// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica

extension Scenario {
    /// Who is taken out of the event, and what becomes of what they say.
    static let removals = [
        removedGuest, rescuedGuest, removedHost, removedTwice, hostsRemoveEachOther, newcomersApart, removedKeymaker,
    ]

    private static let removedGuest = Scenario(
        name: "removed-guest",
        summary: "somebody is removed while apart and posts on; what came before stays, nothing else is ever shown",
        peers: 4,
        steps: [
            .then("all find each other") { $0.acquaintAll() },
            .allAreIn,
            .then("Carl makes a moment") { try $0.moment(by: 2, as: "before") },
            .once("all have it") { stage in (0...3).allSatisfy { stage.shows($0, .moment, "before") } },
            .then("Carl and Dora are apart from the rest") { $0.part([2, 3], [0, 1]) },
            .then("he is removed") { try $0.remove(2, by: 0) },
            .then("he posts on, and comments") { stage in
                try stage.moment(by: 2, as: "after")
                try stage.comment(by: 2, on: "before", as: "comment")
            },
            .once("Dora, who does not know yet, shows it") { $0.shows(3, .moment, "after") },
            .then("she comments on both") { stage in
                try stage.comment(by: 3, on: "before", as: "hers")
                try stage.comment(by: 3, on: "after", as: "nowhere")
            },
            .then("who knows of it starts anew") { stage in
                for node in [0, 1] { try stage.world.reopen(stage.world.nodes[node]) }
            },
            .then("they meet") { $0.meet() },
            .once("he is out everywhere") { stage in try [0, 1, 3].allSatisfy { try stage.level(of: 2, at: $0) == nil }
            },
            .then("all machines start anew", after: .seconds(60)) { stage in
                for node in stage.world.honest { try stage.world.reopen(node) }
            },
            .then("Bob says something", after: .seconds(60)) { try $0.comment(by: 1, on: "before", as: "secret") },
            .once("Dora reads it") { $0.shows(3, .comment, "secret") },
            .then("somebody hands him all of it", after: .seconds(60)) { try $0.handEverything(of: 0, to: 2) },
        ],
        findings: { stage in
            stage.everywhere("what he said before is there, and nothing else") { node in
                node.shows(.moment, stage.reference("before")) && node.shows(.comment, stage.reference("hers"))
                    && !["after"].contains { node.shows(.moment, stage.reference($0)) }
                    && !["comment", "nowhere"].contains { node.shows(.comment, stage.reference($0)) }
            } + (stage.shows(2, .comment, "secret") ? ["he reads what was said after he was removed"] : [])
        }
    )

    private static let rescuedGuest = Scenario(
        name: "rescued-guest",
        summary:
            "what a moderator had shared before a removal, and nobody had brought, is rescued; nothing else is, nor what he hid",
        peers: 4,
        steps: [
            .then("all find each other") { $0.acquaintAll() },
            .allAreIn,
            .then("their clocks are right") { stage in
                for node in 0...3 { stage.setClock(of: node, ahead: .zero) }
                for node in stage.world.nodes { node.deviceClock.step = 1 }
            },
            .then("the founder makes a moderator of Carl") { try $0.promote(2, to: .moderator, by: 0) },
            .once("he is one") { try $0.level(of: 2, at: 2) == .moderator },
            .then("Bob makes a moment") { try $0.moment(by: 1, as: "bobs") },
            .once("all have it") { stage in (0...3).allSatisfy { stage.shows($0, .moment, "bobs") } },
            .allAreInSync,
            .then("Carl and Dora are apart from the rest") { $0.part([2, 3], [0, 1]) },
            .then("he makes a moment, and hides Bob's") { stage in
                try stage.moment(by: 2, as: "before")
                try stage.hideInVain("bobs", by: 2)
            },
            .once("Dora has it") { $0.shows(3, .moment, "before") },
            .then("she comments on it") { try $0.comment(by: 3, on: "before", as: "hers") },
            .then("he is removed", after: .seconds(60)) { try $0.remove(2, by: 0) },
            .then("he makes another", after: .seconds(60)) { try $0.moment(by: 2, as: "after") },
            .then("they meet") { $0.meet() },
            .then("an accomplice brings what he said") { try $0.handEverything(of: 3, to: 0) },
            .then("what came before the removal is rescued", after: .seconds(60)) { stage in
                try stage.rescue(2, until: .seconds(90), by: 0)
            },
            .once("all show it") { stage in
                [0, 1, 3].allSatisfy { stage.shows($0, .moment, "before") && stage.shows($0, .comment, "hers") }
            },
            .then("all machines start anew", after: .seconds(60)) { stage in
                for node in stage.world.honest { try stage.world.reopen(node) }
            },
            .then("Bob says something", after: .seconds(60)) { try $0.comment(by: 1, on: "bobs", as: "secret") },
            .once("Dora reads it") { $0.shows(3, .comment, "secret") },
            .then("somebody hands him all of it", after: .seconds(60)) { try $0.handEverything(of: 0, to: 2) },
        ],
        findings: { stage in
            let isIn = try [0, 1, 3].contains { try stage.level(of: 2, at: $0) != nil }
            return stage.everywhere("what he said before is there, and nothing else") { node in
                node.shows(.moment, stage.reference("before")) && node.shows(.comment, stage.reference("hers"))
                    && node.shows(.moment, stage.reference("bobs")) && !node.shows(.moment, stage.reference("after"))
            } + (isIn ? ["he is in again"] : [])
                + (stage.shows(2, .comment, "secret") ? ["he reads what was said after he was removed"] : [])
        }
    )

    private static let removedHost = Scenario(
        name: "removed-host",
        summary:
            "14, 19, 20: a host is removed and goes on to invite and promote; nobody comes in by that, nor by his old link",
        peers: 6,
        steps: [
            .then("all find each other") { $0.acquaintAll() },
            .then("the founder makes a host of Bob", after: .seconds(60)) { try $0.promote(3, to: .host, by: 0) },
            .once("he is a host") { try $0.level(of: 3, at: 3) == .host },
            .then("he lets Dora in by a link of his") { stage in
                try stage.invite(2, by: 3)
                try stage.arrive(2)
            },
            .once("she is in everywhere") { stage in
                try [0, 1, 3].allSatisfy { try stage.level(of: 2, at: $0) == .attendee }
            },
            .then("he is apart") { $0.part([3, 4], [0, 1, 2, 5]) },
            .then("the founder removes him") { try $0.remove(3, by: 0) },
            .then("he makes links, and closes the wall's") { stage in
                for newcomer in [5, 4] { try stage.invite(newcomer, by: 3) }
                try stage.closeWall(by: 3)
            },
            .then("Erin comes by one") { try $0.arrive(4) },
            .once("he lets her in") { try $0.level(of: 4, at: 3) == .attendee },
            .then("they meet") { $0.meet() },
            .then("an accomplice brings what both said") { try $0.handEverything(of: 4, to: 1) },
            .then("Frank comes by the other", after: .seconds(60)) { try $0.arrive(5) },
            .then("neither finds a door open", after: .seconds(120)) { stage in
                for newcomer in [4, 5] { stage.turnAway(newcomer) }
            },
        ],
        findings: { stage in
            let isIn = try [4, 5].contains { newcomer in
                try (0...2).contains { try stage.level(of: newcomer, at: $0) != nil }
            }
            let isOut = try (0...2).contains { try stage.level(of: 2, at: $0) != .attendee }
            return (isIn ? ["somebody came in by the link of a host who was removed"] : [])
                + (isOut ? ["who came by his link before is out"] : [])
        },
        late: [2, 4, 5]
    )

    private static let removedTwice = Scenario(
        name: "removed-twice",
        summary: "23: two hosts remove two people apart; what is written next neither of them can read",
        peers: 5,
        steps: [
            .then("all find each other") { $0.acquaintAll() },
            .allAreIn,
            .then("the founder makes a host of Bob") { try $0.promote(1, to: .host, by: 0) },
            .once("he is a host") { try $0.level(of: 1, at: 1) == .host },
            .allAreInSync,
            .then("the hosts are apart") { $0.part([0, 2], [1, 3, 4]) },
            .then("each removes somebody") { stage in
                try stage.remove(2, by: 0)
                try stage.remove(3, by: 1)
            },
            .then("they meet", after: .seconds(60)) { $0.meet() },
            .once("Erin knows of both") { stage in
                try stage.level(of: 2, at: 4) == nil && stage.level(of: 3, at: 4) == nil
            },
            .once("and has a key that both lack") { try !$0.isKeyOutdated(4) },
            .then("she makes a moment") { try $0.moment(by: 4, as: "secret") },
            .once("both hosts have it") { stage in [0, 1].allSatisfy { stage.shows($0, .moment, "secret") } },
            .then("somebody hands them all of it", after: .seconds(60)) { stage in
                for node in [2, 3] { try stage.handEverything(of: 0, to: node) }
            },
        ],
        findings: { stage in
            [2, 3].filter { stage.shows($0, .moment, "secret") }.map { "node \($0) reads what was sealed without it" }
        }
    )

    private static let hostsRemoveEachOther = Scenario(
        name: "hosts-remove-each-other",
        summary: "15: two hosts remove each other and the founder, who removes one of them: that alone counts",
        peers: 4,
        steps: [
            .then("all find each other") { $0.acquaintAll() },
            .allAreIn,
            .then("the founder makes hosts of Bob and Carl") { stage in
                for node in [1, 2] { try stage.promote(node, to: .host, by: 0) }
            },
            .once("they are hosts") { stage in
                try [1, 2].allSatisfy {
                    try stage.level(of: $0, at: $0) == .host && stage.level(of: 1, at: $0) == .host
                }
            },
            .allAreInSync,
            .then("they are apart") { stage in for node in [0, 1, 2] { stage.isolate([node]) } },
            .then("all remove each other") { stage in
                try stage.forge(removalOf: 2, by: 1)
                try stage.forge(removalOf: 1, by: 2)
                try stage.forge(removalOf: 0, by: 1)
                try stage.remove(2, by: 0)
            },
            .then("they meet", after: .seconds(30)) { $0.meet() },
            .once("one of them is out") { stage in try [0, 1, 3].allSatisfy { try stage.level(of: 2, at: $0) == nil } },
            .then("the other goes on", after: .seconds(30)) { try $0.moment(by: 1, as: "moment") },
        ],
        findings: { stage in
            stage.everywhere("the host who stays is heard") { $0.shows(.moment, stage.reference("moment")) }
        }
    )

    private static let newcomersApart = Scenario(
        name: "newcomers-apart",
        summary: "25: somebody comes by a host's link that knows another key than the one that all write under by then",
        peers: 5,
        steps: [
            .then("all find each other") { $0.acquaintAll() },
            .then("the founder makes a host of Bob", after: .seconds(60)) { try $0.promote(3, to: .host, by: 0) },
            .once("he is a host") { try $0.level(of: 3, at: 3) == .host },
            .once("the others hold the same") { try $0.isInSync([0, 1, 2, 3]) },
            .then("the hosts are apart") { $0.part([0, 1], [2, 3, 4]) },
            .then("the founder removes Carl") { try $0.remove(1, by: 0) },
            .then("he makes a moment") { try $0.moment(by: 0, as: "moment") },
            .then("Erin comes by a link of Bob's") { stage in
                try stage.invite(4, by: 3)
                try stage.arrive(4)
            },
            .once("she is in") { try $0.level(of: 4, at: 3) == .attendee },
            .then("they meet") { $0.meet() },
            .once("she shows the moment", within: .seconds(60)) { $0.shows(4, .moment, "moment") },
        ],
        late: [4]
    )

    private static let removedKeymaker = Scenario(
        name: "removed-keymaker",
        summary:
            "somebody is removed of whom nobody knew it when others wrote under a key of his; who comes later reads that",
        peers: 5,
        steps: [
            .then("all find each other") { $0.acquaintAll() },
            .once("the first four are in") { stage in
                try (0...3).allSatisfy { try stage.world.nodes[$0].isHere && stage.world.nodes[$0].replica.hasKey() }
            },
            .then("Ana is apart, and Carl asleep", after: .seconds(60)) { stage in
                stage.isolate([0])
                stage.sleep(2)
            },
            .then("Dora leaves") { try $0.depart(3) },
            .once("Bob hears of it, and makes a key") { try $0.hasLeft(3, at: 1) && !$0.isKeyOutdated(1) },
            .then("Carl wakes up") { $0.wake(2) },
            .once("he has that key") { try $0.hasLeft(3, at: 2) && !$0.isKeyOutdated(2) },
            .then("he makes a moment") { try $0.moment(by: 2, as: "faith") },
            .then("Ana removes Bob") { try $0.remove(1, by: 0) },
            .then("they meet", after: .seconds(30)) { $0.meet() },
            .once("Ana and Carl know of all that") { stage in
                try stage.isRemoved(1, at: 2) && stage.shows(0, .moment, "faith")
            },
            .then("Erin comes", after: .seconds(60)) { stage in
                try stage.invite(4, by: 0)
                try stage.arrive(4)
            },
            .once("she is in") { try $0.level(of: 4, at: 0) == .attendee },
            .allAreInSync,
        ],
        findings: { stage in stage.everywhere("what Carl said shows") { $0.shows(.moment, stage.reference("faith")) } },
        late: [4]
    )
}
