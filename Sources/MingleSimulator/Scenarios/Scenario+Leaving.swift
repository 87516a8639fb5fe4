// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica

extension Scenario {
    /// Who leaves by oneself, and what becomes of devices that were lost.
    static let leavings = [
        leftMember, leftAlone, leftBusy, leftHeir, leftOnOneDevice, leftFounder, hostLeavesWhileRemoved,
        retiredDevice, retiredUnheard,
    ]

    private static let leftMember = Scenario(
        name: "left-member",
        summary:
            "somebody leaves while another is apart; what was shared stays, and what follows is not readable to who left",
        peers: 4,
        steps: [
            .then("all find each other") { $0.acquaintAll() },
            .allAreIn,
            .wallIsClosed,
            .allAreInSync,
            .then("Carl makes a moment, and shares a photo") { stage in
                try stage.moment(by: 2, as: "before")
                try stage.photo(by: 2, as: "photo")
            },
            .once("all have both") { stage in
                try (0...3).allSatisfy { stage.shows($0, .moment, "before") } && stage.havePictures(of: 2)
            },
            .then("Dora is apart") { $0.isolate([3]) },
            .then("Carl leaves", after: .seconds(60)) { try $0.depart(2) },
            .once("the others know") { stage in try [0, 1].allSatisfy { try stage.hasLeft(2, at: $0) } },
            .then("Dora comments") { try $0.comment(by: 3, on: "before", as: "hers") },
            .then("all machines start anew") { stage in
                for node in stage.world.honest { try stage.world.reopen(node) }
            },
            .then("they meet", after: .seconds(30)) { $0.meet() },
            .once("Dora knows, too") { try $0.hasLeft(2, at: 3) },
            .then("Bob says something", after: .seconds(30)) { try $0.comment(by: 1, on: "before", as: "secret") },
            .once("Dora reads it") { $0.shows(3, .comment, "secret") },
            .then("somebody hands Carl all of it", after: .seconds(60)) { try $0.handEverything(of: 0, to: 2) },
        ],
        findings: { stage in
            stage.everywhere("what he shared is there, and what was said of it") { node in
                node.shows(.moment, stage.reference("before")) && node.shows(.photo, stage.reference("photo"))
                    && node.shows(.comment, stage.reference("hers"))
            } + (stage.shows(2, .comment, "secret") ? ["he reads what was said after he left"] : [])
        }
    )

    private static let leftAlone = Scenario(
        name: "left-alone",
        summary:
            "somebody shares and leaves while nobody is near; all of it reaches the others before they hear of that",
        peers: 3,
        steps: [
            .then("all find each other") { $0.acquaintAll() },
            .allAreIn,
            .allAreInSync,
            .then("Carl is alone") { $0.leave(2) },
            .then("he makes a moment, and shares a photo") { stage in
                try stage.moment(by: 2, as: "alone")
                try stage.photo(by: 2, as: "photo")
            },
            .then("he leaves") { $0.beginToLeave(2) },
            .then("his machine starts anew", after: .seconds(300)) { try $0.world.reopen($0.world.nodes[2]) },
            .then("they meet", after: .seconds(300)) { $0.meet() },
            .once("the others know") { stage in try [0, 1].allSatisfy { try stage.hasLeft(2, at: $0) } },
            .once("his node is done") { $0.isGone(2) },
        ],
        findings: { stage in
            try stage.everywhere("all that he shared is there") { node in
                node.shows(.moment, stage.reference("alone")) && node.shows(.photo, stage.reference("photo"))
            } + (stage.havePictures(of: 2) ? [] : ["his pictures are lost"])
        }
    )

    private static let leftOnOneDevice = Scenario(
        name: "left-on-one-device",
        summary: "somebody leaves on the phone while the laptop is alone; what that says meanwhile counts for nothing",
        secondDevices: 1,
        steps: [
            .then("all find each other") { $0.acquaintAll() },
            .allAreIn,
            .allAreInSync,
            .then("the laptop is alone") { $0.isolate([2]) },
            .then("its person leaves on the phone", after: .seconds(60)) { try $0.depart(1) },
            .once("the founder knows") { try $0.hasLeft(1, at: 0) },
            .then("the laptop makes a moment") { try $0.moment(by: 2, as: "late") },
            .then("somebody brings the founder all that it said") { try $0.carry(2, to: 0) },
            .once("the founder has it") { $0.knows(0, "late") },
        ],
        findings: { $0.shows(0, .moment, "late") ? ["the founder shows what was said after leaving"] : [] }
    )

    private static let leftBusy = leavingOneAfterTheOther(
        name: "left-busy",
        summary:
            "two leave, one after the other, the second beside one who waits for others' thumbnails first; all their pictures stay",
        sharing: [2, 4]
    )

    private static let leftHeir = leavingOneAfterTheOther(
        name: "left-heir",
        summary:
            "the same, but that the second has shared nothing, and only holds what the first did; that stays as well",
        sharing: [4]
    )

    private static func leavingOneAfterTheOther(name: String, summary: String, sharing: [Int]) -> Scenario {
        Scenario(
            name: name,
            summary: summary,
            peers: 5,
            // So slow that she is not done with them soon.
            change: { $0.bandwidth = 40_000 },
            steps: [
                .then("all find each other") { $0.acquaintAll() },
                .allAreIn,
                .allAreInSync,
                .then("Carl and Erin are apart, and Dora is alone") { stage in
                    stage.leave(3)
                    stage.part([2, 4], [0, 1, 3])
                    stage.link(4, 2)
                },
                .then("Carl and Erin share a photo each, or one of them does") { stage in
                    for node in sharing { try stage.photo(by: node, as: "photo of \(node)") }
                },
                .once("both have all of them") { stage in
                    try sharing.allSatisfy { try stage.havePictures(of: $0, [2, 4]) }
                },
                .then("Erin leaves") { $0.beginToLeave(4) },
                .once("Carl knows") { try $0.hasLeft(4, at: 2) },
                .once("her node is done") { $0.isGone(4) },
                .then("Bob shares many") { stage in
                    for number in 0..<40 { try stage.photo(by: 1, as: "\(number)") }
                },
                .then("Bob and Dora meet, without the others") { stage in
                    stage.world.blocks = []
                    stage.part([1, 3], [0, 2, 4])
                    stage.link(1, 3)
                },
                .once("she has begun to fetch his pictures") { try $0.hasSomePicture(3, of: 1) },
                .then("his machine falls asleep", after: .zero) { $0.sleep(1) },
                .then("she meets Carl", after: .zero) { stage in
                    stage.world.blocks = []
                    stage.part([2, 3], [0, 1, 4])
                    stage.link(3, 2)
                },
                .then("Carl leaves", after: .zero) { $0.beginToLeave(2) },
                .once("she knows") { try $0.hasLeft(2, at: 3) },
                .then("all meet", after: .seconds(30)) { stage in
                    stage.wake(1)
                    stage.meet()
                },
                .once("Carl's node is done") { $0.isGone(2) },
            ],
            findings: { stage in
                try sharing.filter { try !stage.havePictures(of: $0, [0, 1, 3]) }.map {
                    "pictures of node \($0) are lost"
                }
            }
        )
    }

    private static let leftFounder = Scenario(
        name: "left-founder",
        summary: "the founder leaves; the successor whom she named makes a host, who removes somebody",
        peers: 5,
        steps: [
            .then("all find each other") { $0.acquaintAll() },
            .allAreIn,
            .wallIsClosed,
            .allAreInSync,
            .then("the founder names Bob as successor") { try $0.promote(1, to: .successor, by: 0) },
            .allAreInSync,
            .then("she leaves") { try $0.depart(0) },
            .once("all know") { stage in try (1...4).allSatisfy { try stage.hasLeft(0, at: $0) } },
            .then("Bob makes a host of Carl") { try $0.promote(2, to: .host, by: 1) },
            .once("he is one") { try $0.level(of: 2, at: 2) == .host },
            .then("Carl removes Dora", after: .seconds(30)) { try $0.remove(3, by: 2) },
            .once("she is out") { stage in try [1, 2, 4].allSatisfy { try stage.level(of: 3, at: $0) == nil } },
            .then("Erin makes a moment", after: .seconds(60)) { try $0.moment(by: 4, as: "moment") },
            .once("all who are left have it") { stage in [1, 2].allSatisfy { stage.shows($0, .moment, "moment") } },
            .then("somebody hands both all of it", after: .seconds(60)) { stage in
                for node in [0, 3] { try stage.handEverything(of: 4, to: node) }
            },
        ],
        findings: { stage in
            try stage.everywhere("the event keeps its name") { try $0.replica.title() == stage.world.title }
                + [0, 3].filter { stage.shows($0, .moment, "moment") }.map {
                    "node \($0) reads what was sealed without it"
                }
        }
    )

    private static let hostLeavesWhileRemoved = Scenario(
        name: "host-leaves-while-removed",
        summary:
            "15: a host leaves while the founder removes him; whom he let in stays, whom he removed is out, and he is removed",
        peers: 6,
        steps: [
            .then("all find each other") { $0.acquaintAll() },
            .then("the founder makes a host of Bob", after: .seconds(60)) { try $0.promote(1, to: .host, by: 0) },
            .once("he is a host") { try $0.level(of: 1, at: 1) == .host },
            .then("he lets Frank in by a link of his") { stage in
                try stage.invite(5, by: 1)
                try stage.arrive(5)
            },
            .once("Frank is in") { try $0.level(of: 5, at: 1) == .attendee },
            .then("Bob removes Carl") { try $0.remove(2, by: 1) },
            .once("all know that") { stage in
                try [0, 1, 3, 4].allSatisfy {
                    try stage.level(of: 5, at: $0) == .attendee && stage.level(of: 2, at: $0) == nil
                }
            },
            .then("he is apart with Erin") { $0.part([1, 4], [0, 2, 3, 5]) },
            .then("the founder removes him") { try $0.remove(1, by: 0) },
            .then("he leaves") { try $0.depart(1) },
            .once("Erin knows that") { try $0.hasLeft(1, at: 4) },
            .then("they meet", after: .seconds(30)) { $0.meet() },
            .once("all have heard of both") { stage in
                try [0, 3, 4, 5].allSatisfy { try stage.isRemoved(1, at: $0) } && stage.isInSync([0, 3, 4, 5])
            },
            .then("Dora makes a moment", after: .seconds(60)) { try $0.moment(by: 3, as: "moment") },
            .then("somebody hands him all of it", after: .seconds(60)) { try $0.handEverything(of: 0, to: 1) },
        ],
        findings: { stage in
            try stage.everywhere("Frank is in, and Carl is out") { node in
                try stage.level(of: 5, at: node.number) == .attendee && stage.level(of: 2, at: node.number) == nil
            } + (stage.shows(1, .moment, "moment") ? ["he reads what was said after he was removed"] : [])
        },
        late: [5]
    )

    private static let retiredDevice = Scenario(
        name: "retired-device",
        summary:
            "16: a thief's device retires the owner's while the owner's retires the thief's; both are out, nobody else is",
        peers: 5,
        secondDevices: 3,
        steps: [
            .then("all find each other") { $0.acquaintAll() },
            .allAreIn,
            .wallIsClosed,
            .allAreInSync,
            .then("Bob makes a moment on his phone") { try $0.moment(by: 1, as: "before") },
            .allAreInSync,
            .then("he retires a tablet") { try $0.retire(4, by: 1) },
            .once("all know") { stage in try [0, 1, 2, 3].allSatisfy { try stage.isRetired(4, at: $0) } },
            .then("phone and laptop are apart", after: .seconds(30)) { $0.part([1], [0, 2, 3, 4]) },
            .then("each retires the other") { stage in
                try stage.retire(1, by: 2)
                try stage.retire(2, by: 1)
            },
            .then("both post on") { stage in
                for (node, mark) in [(1, "phone"), (2, "laptop")] { try stage.moment(by: node, as: mark) }
            },
            .then("they meet", after: .seconds(30)) { $0.meet() },
            .once("the thief's alone is out, as nobody lets it in to say more") { stage in
                try [0, 3].allSatisfy { try stage.isRetired(1, at: $0) && !stage.isRetired(2, at: $0) }
            },
            .then("an accomplice brings what it said", after: .seconds(30)) { try $0.handEverything(of: 1, to: 0) },
            .once("both are out") { stage in
                try [0, 3].allSatisfy { try stage.isRetired(1, at: $0) && stage.isRetired(2, at: $0) }
            },
            .then("Ana makes a moment", after: .seconds(60)) { try $0.moment(by: 0, as: "secret") },
            .once("his last device has it") { $0.shows(3, .moment, "secret") },
            .then("he posts there") { try $0.comment(by: 3, on: "before", as: "last") },
            .then("somebody hands the others all of it", after: .seconds(60)) { stage in
                for node in [1, 2, 4] { try stage.handEverything(of: 0, to: node) }
            },
        ],
        findings: { stage in
            stage.everywhere("what came before is there, what his last device says, and nothing else") { node in
                node.shows(.moment, stage.reference("before")) && node.shows(.comment, stage.reference("last"))
                    && !["phone", "laptop"].contains { node.shows(.moment, stage.reference($0)) }
            }
                + [1, 2, 4].filter { stage.shows($0, .moment, "secret") }
                .map { "node \($0), which is retired, reads what was sealed without it" }
        }
    )

    private static let retiredUnheard = Scenario(
        name: "retired-unheard",
        summary:
            "a tablet that is alone retires the phone, and its person leaves on the laptop; nobody lets it in any more to tell of that",
        peers: 4,
        secondDevices: 2,
        steps: [
            .then("all find each other") { $0.acquaintAll() },
            .allAreIn,
            .allAreInSync,
            .then("Bob's tablet is alone") { $0.leave(3) },
            .then("it retires his phone") { try $0.retire(1, by: 3) },
            .then("he makes a moment on the phone") { try $0.moment(by: 1, as: "after") },
            .once("Ana has it, and his laptop") { stage in [0, 2].allSatisfy { stage.shows($0, .moment, "after") } },
            .then("he leaves on the laptop") { try $0.depart(2) },
            .once("Ana knows") { try $0.hasLeft(1, at: 0) },
            .then("they meet", after: .seconds(30)) { $0.meet() },
        ],
        findings: { stage in
            try stage.everywhere("what he made is there, and the phone is retired to nobody") { node in
                try node.shows(.moment, stage.reference("after")) && !stage.isRetired(1, at: node.number)
            }
        }
    )
}
