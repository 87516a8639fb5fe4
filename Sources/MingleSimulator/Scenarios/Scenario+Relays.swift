// SPDX-License-Identifier: Apache-2.0

import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync

extension Scenario {
    /// What a machine that stays on does for people who do not meet; beside three devices it is node 3.
    static let relaying = [relayAwake, relayBetween, relayRestored, relayEvicts, relayForgets, relaysMeet]

    private static let relayAwake = Scenario(
        name: "relay-awake",
        summary: "somebody comes while only the relay is awake: gets in, reads, writes, and is read later",
        steps: [
            .once("Bob is in") { try $0.level(of: 1, at: 0) == .attendee },
            .then("the founder makes a moment and shares a photo") { stage in
                try stage.moment(by: 0, as: "moment")
                try stage.photo(by: 0, as: "photo")
            },
            .once("the relay holds it") { try $0.knows(3, "photo") && $0.havePictures(of: 0, [3]) },
            .then("everybody else sleeps") { stage in for node in [0, 1] { stage.sleep(node) } },
            .then("Carl comes") { try $0.arrive(2) },
            .once("he sees it, with the picture") { stage in
                try stage.shows(2, .moment, "moment") && stage.havePictures(of: 0, [2])
            },
            .then("he comments and shares a photo") { stage in
                try stage.comment(by: 2, on: "moment", as: "comment")
                try stage.photo(by: 2, as: "his")
            },
            .once("the relay holds it, too") { try $0.knows(3, "his") && $0.havePictures(of: 2, [3]) },
            .then("he goes to sleep, and Bob wakes") { stage in
                stage.sleep(2)
                stage.wake(1)
            },
            .once("Bob sees it") { stage in
                try stage.shows(1, .comment, "comment") && stage.havePictures(of: 2, [1])
            },
        ],
        late: [2],
        relays: 1
    )

    private static let relayBetween = Scenario(
        name: "relay-between",
        summary: "38: nobody reaches anybody but one relay, and everything reaches everybody",
        peers: 5,
        steps: [
            .then("all are kept from each other", after: .zero) { stage in
                for node in 0...4 { stage.part([node], Set(0...4).subtracting([node])) }
            },
            .allAreIn,
            .then("everybody shares a photo") { stage in
                for node in 0...4 { try stage.photo(by: node, as: "photo \(node)") }
            },
            .once("everybody has all of them") { stage in
                try (0...4).allSatisfy { author in
                    try (0...4).allSatisfy { stage.shows($0, .photo, "photo \(author)") }
                        && stage.havePictures(of: author)
                }
            },
            .then("one is deleted") { try $0.delete("photo 2", by: 2) },
            .once("it is gone everywhere", within: .seconds(60)) { stage in
                (0...4).allSatisfy { !stage.shows($0, .photo, "photo 2") }
            },
        ],
        relays: 1
    )

    private static let relayRestored = Scenario(
        name: "relay-restored",
        summary: "the only relay that all reach is killed and comes back with yesterday's backup: nothing is lost",
        copies: [CopyPlan(use: .restoring, node: 3, made: .seconds(200), used: .seconds(500))],
        steps: [
            .then("all are kept from each other", after: .zero) { stage in
                for node in 0...2 { stage.part([node], Set(0...2).subtracting([node])) }
            },
            .allAreIn,
            .then("the founder shares a photo") { try $0.photo(by: 0, as: "early") },
            .once("all have it") { try $0.havePictures(of: 0) },
            .then("they share others after the backup", after: .seconds(230)) { stage in
                for node in 0...2 { try stage.photo(by: node, as: "late \(node)") }
            },
            .once("all have them") { stage in try (0...2).allSatisfy { try stage.havePictures(of: $0) } },
            .then("the founder deletes the early one") { try $0.delete("early", by: 0) },
            .once("the relay has come back and lacks them", within: .seconds(400)) { !$0.knows(3, "late 1") },
            .once("it has fetched them", within: .seconds(120)) { stage in
                try stage.isInSync([0, 1, 2, 3]) && (0...2).allSatisfy { try stage.havePictures(of: $0, [3]) }
            },
            .then("it goes on to carry") { try $0.photo(by: 1, as: "last") },
            .once("all have the last", within: .seconds(60)) { stage in
                try (0...2).allSatisfy { stage.shows($0, .photo, "last") } && stage.havePictures(of: 1)
            },
        ],
        relays: 1
    )

    private static let relayEvicts = Scenario(
        name: "relay-evicts",
        summary: "33: a relay lets go of things; a newcomer asks once, is told, asks no more, and says what nobody has",
        steps: [
            .once("Bob is in") { try $0.level(of: 1, at: 0) == .attendee },
            .then("the founder shares a photo") { try $0.photo(by: 0, as: "photo") },
            .once("the relay holds it") { try $0.knows(3, "photo") && $0.havePictures(of: 0, [3]) },
            .then("everybody else sleeps", after: .seconds(30)) { stage in for node in [0, 1] { stage.sleep(node) } },
            .then("the relay lets go of all") { try $0.evict(3) },
            .then("Carl comes", after: .seconds(30)) { try $0.arrive(2) },
            .once("he knows that nobody has the words") { $0.shortage(of: 2).evictedPayloads > 0 },
            .then("he waits") { $0.countMessages() },
            .then("and has asked no more", after: .seconds(240)) { stage in
                // Comparing takes a few messages a minute.
                try stage.expectMessages(atMost: 40)
            },
            .then("the founder wakes") { $0.wake(0) },
            .once("Carl sees the photo", within: .seconds(120)) { stage in
                try stage.shows(2, .photo, "photo") && stage.havePictures(of: 0, [2])
            },
        ],
        late: [2],
        relays: 1
    )

    private static let relayForgets = Scenario(
        name: "relay-forgets",
        summary: "what its author deletes is gone from two relays, from one that was off as well",
        steps: [
            .allAreIn,
            .then("the founder shares two photos") { stage in
                for mark in ["kept", "gone"] { try stage.photo(by: 0, as: mark) }
            },
            .once("both relays hold them") { stage in try stage.havePictures(of: 0, [3, 4]) },
            .then("one relay is off") { $0.sleep(4) },
            .then("the founder deletes one, and goes home") { stage in try stage.delete("gone", by: 0) },
            .once("the relay has heard") { !$0.knows(3, "gone") },
            .then("and the other comes back") { stage in
                stage.sleep(0)
                stage.wake(4)
            },
            .once("it has heard, too", within: .seconds(120)) { !$0.knows(4, "gone") },
        ],
        findings: { stage in
            let kept = try stage.pictures(of: 0).count
            return stage.world.relays.filter { $0.blobs.list().count != kept }
                .map { "node \($0.number) holds \($0.blobs.list().count) blobs, not \(kept)" }
        },
        relays: 2
    )

    private static let relaysMeet = Scenario(
        name: "relays-meet",
        summary: "what only one relay holds comes to another that was off, while everybody else sleeps",
        steps: [
            .then("all find each other") { $0.acquaintAll() },
            .allAreIn,
            .then("one relay is off") { $0.sleep(4) },
            .then("the founder shares a photo") { try $0.photo(by: 0, as: "photo") },
            .once("the other relay holds it") { try $0.knows(3, "photo") && $0.havePictures(of: 0, [3]) },
            .then("everybody else sleeps, and the relay comes back") { stage in
                for node in 0...2 { stage.sleep(node) }
                stage.wake(4)
            },
            .once("it holds it, too", within: .seconds(120)) { stage in
                try stage.knows(4, "photo") && stage.havePictures(of: 0, [4])
            },
        ],
        relays: 2
    )
}

extension Stage {
    /// A relay lets go of everything that it holds.
    func evict(_ relay: Int) throws {
        try world.retain(by: RetentionPolicy(eventBytes: 0), on: world.nodes[relay])
    }

    /// What a node wants and nobody has to whom it is linked.
    func shortage(of node: Int) -> Shortage { world.nodes[node].engine.shortage }

    /// Begins to count messages.
    func countMessages() { messagesBefore = world.coverage.messages }

    /// Reports if there were more messages since.
    func expectMessages(atMost limit: Int) throws {
        let count = world.coverage.messages - messagesBefore
        if count > limit { world.report("scenario", "\(count) messages were sent while there was nothing to say") }
    }
}
