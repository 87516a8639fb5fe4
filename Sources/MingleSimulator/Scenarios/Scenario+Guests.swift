// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import MingleReplica

extension Scenario {
    /// People who take part by a phone; beside three devices the door is node 3.
    static let phoning = [phonesShare, phoneRemoved, doorClosed, doorRestored]

    private static let arriving: [Step] = [
        .allAreIn,
        .once("a guest has a name") { stage in try stage.phone(0) { try $0.rename(3, to: "Ana") } },
        .once("another one, too") { stage in try stage.phone(1) { try $0.rename(3, to: "Ben") } },
        .once("the founder knows both") { try $0.knows(phones: [0, 1], at: 0) },
    ]

    private static let phonesShare = Scenario(
        name: "phones-share",
        summary: "two phones at one door are two people: what each says is the person's own everywhere",
        steps: arriving + [
            .once("one shares a photo") { stage in try stage.phone(0) { try $0.photo(by: 3, as: "photo") } },
            .once("the other comments") { stage in
                try stage.phone(1) { try $0.comment(by: 3, on: "photo", as: "comment") }
            },
            .once("all see both, and the picture") { stage in
                (0...2).allSatisfy { stage.shows($0, .photo, "photo") && stage.shows($0, .comment, "comment") }
                    && stage.havePicture("photo", [0, 1, 2])
            },
            .once("who shared it deletes it") { stage in try stage.phone(0) { try $0.delete("photo", by: 3) } },
            .once("it is gone everywhere", within: .seconds(60)) { stage in
                (0...3).allSatisfy { !stage.shows($0, .photo, "photo") }
            },
        ],
        phones: 2
    )

    private static let phoneRemoved = Scenario(
        name: "phone-removed",
        summary: "who was removed is refused at the door's next request, what came before stays, and the others go on",
        steps: arriving + [
            .once("both share a photo") { stage in
                try stage.phone(0) { try $0.photo(by: 3, as: "first") }
                    && stage.phone(1) { try $0.photo(by: 3, as: "second") }
            },
            .once("the founder sees both") { $0.shows(0, .photo, "first") && $0.shows(0, .photo, "second") },
            .then("the founder removes one") { try $0.remove(phone: 0, by: 0) },
            .once("the door refuses that one, and serves the other") { stage in
                try !stage.phone(0) { try $0.rename(3, to: "Ana again") }
                    && stage.phone(1) { try $0.comment(by: 3, on: "first", as: "comment") }
            },
            .allAreInSync,
            .once("what came before stays", within: .seconds(60)) { stage in
                (0...2).allSatisfy { stage.shows($0, .photo, "first") && stage.shows($0, .comment, "comment") }
            },
        ],
        phones: 2
    )

    private static let doorClosed = Scenario(
        name: "door-closed",
        summary: "a host closes a door: nobody takes part by it any more, and what all shared stays",
        steps: arriving + [
            .once("one shares a photo") { stage in try stage.phone(0) { try $0.photo(by: 3, as: "photo") } },
            .once("the founder has it") { $0.shows(0, .photo, "photo") && $0.havePicture("photo", [0, 1, 2]) },
            .then("the founder closes the door") { try $0.close(door: 3, by: 0) },
            .once("the door knows, or is let in by nobody", within: .seconds(60)) { stage in
                try stage.level(of: 3, at: 3) == nil || stage.world.nodes[3].isShutOut
            },
            .then("no phone is served, be it new") { stage in
                for phone in 0...2 where try stage.phone(phone, { try $0.rename(3, to: "Late") }) {
                    stage.world.report("guests", "phone \(phone) is served at a closed door")
                }
            },
            .once("the photo stays") { stage in (0...2).allSatisfy { stage.shows($0, .photo, "photo") } },
        ],
        phones: 3
    )

    private static let doorRestored = Scenario(
        name: "door-restored",
        summary:
            "a door's backup is put back: guests go on as the same people with new devices, and nothing is said twice",
        minutes: 30,
        copies: [CopyPlan(use: .restoring, node: 3, made: .seconds(300), used: .seconds(600))],
        steps: arriving + [
            .once("the backup is made", within: .seconds(400)) { $0.world.now > .seconds(310) },
            .once("one says something since") { stage in try stage.phone(0) { try $0.photo(by: 3, as: "since") } },
            .once("all have it") { stage in (0...2).allSatisfy { stage.shows($0, .photo, "since") } },
            .once("the backup is put back, and the door knows that", within: .seconds(600)) { stage in
                stage.world.now > .seconds(660) && stage.shows(3, .photo, "since")
            },
            .once("the same people go on") { stage in
                try stage.phone(0) { try $0.rename(3, to: "Ana again") }
                    && stage.phone(1) { try $0.rename(3, to: "Ben") }
            },
            .allAreInSync,
        ],
        findings: { stage in
            stage.world.coverage.guestRenewals > 0 ? [] : ["no guest went on as a new device"]
        },
        phones: 2
    )
}
