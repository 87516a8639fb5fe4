// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica

extension Scenario {
    /// What becomes of devices that are many, copied or put back.
    static let devices: [Scenario] = [
        copiedFolder, restoredUnseen, restoredSeen, restoredAndWritten, syncedFolder, seventeenDevices,
    ]

    private static let allAreIn = Step.once("all are in") { try $0.allAreIn() }
    private static let allAreLevel = Step.once("all hold the same") { try $0.isLevel() }
    /// A copy that the steps make and use themselves.
    private static let byHand = Duration.seconds(1 << 30)

    private static func copy(_ use: CopyPlan.Use) -> CopyPlan {
        CopyPlan(use: use, node: 1, made: byHand, used: byHand)
    }

    private static let backUp = Step.then("Bob's folder is copied") { try $0.world.makeCopy(0) }
    private static let useCopy = Step.then("the copy is used") { try $0.world.useCopy(0) }

    private static let copiedFolder = Scenario(
        name: "copied-folder",
        summary: "17: an honest copied folder posts on both sides; nothing is lost, and both become new devices",
        copies: [copy(.twin)],
        steps: [
            allAreIn,
            .then("Bob makes a moment") { try $0.moment(by: 1, as: "moment") },
            allAreLevel, backUp,
            .then("Bob is alone") { $0.isolate([1]) },
            useCopy,
            .then("he comments") { try $0.comment(by: 1, on: "moment", text: "From one") },
            .then("the copy comments") { try $0.comment(by: 3, on: "moment", text: "From the copy") },
            .then("it renames him") { try $0.rename(3, to: "Ben") },
            .then("they meet", after: .seconds(60)) { $0.meet() },
            .once("both have new keys") { $0.world.coverage.renewals == 2 },
            .once("both are in again") { try $0.allAreIn() },
            .then("both comment") { stage in
                for node in [1, 3] { try stage.comment(by: node, on: "moment", text: "Again") }
            },
            allAreLevel,
        ],
        findings: { stage in
            try stage.everywhere("there are four comments") { try stage.lines(.comment, at: $0.number).count == 4 }
        }
    )

    private static let restoredUnseen = Scenario(
        name: "restored-unseen",
        summary: "21: a backup is put back before the others saw what came after it, which is lost and nothing else",
        copies: [copy(.restoring)],
        steps: [
            allAreIn,
            .then("Bob makes a moment") { try $0.moment(by: 1, as: "moment") },
            allAreLevel, backUp,
            .then("Bob is alone") { $0.isolate([1]) },
            .then("he comments") { try $0.comment(by: 1, on: "moment", text: "Lost") },
            .then("he shares a photo") { try $0.photo(by: 1, as: "photo") },
            .then("he renames himself") { try $0.rename(1, to: "Lost") },
            useCopy,
            .then("he meets the others", after: .seconds(60)) { $0.meet() },
            .then("he comments again") { try $0.comment(by: 1, on: "moment", text: "Kept") },
            allAreLevel,
        ],
        findings: { stage in
            let kept = try stage.everywhere("there is one comment") {
                try stage.lines(.comment, at: $0.number).count == 1
            }
            return kept + (stage.world.coverage.renewals == 0 ? [] : ["a device was replaced without need"])
        }
    )

    private static let restoredSeen = Scenario(
        name: "restored-seen",
        summary: "21: a backup is put back after the others saw what came after it: nothing is lost",
        copies: [copy(.restoring)],
        steps: [
            allAreIn,
            .then("Bob makes a moment") { try $0.moment(by: 1, as: "moment") },
            allAreLevel, backUp,
            .then("he comments") { try $0.comment(by: 1, on: "moment", text: "Seen") },
            .then("he shares a photo") { try $0.photo(by: 1, as: "photo") },
            .once("all have all of it") { stage in
                try stage.isLevel() && stage.world.honest.allSatisfy { try stage.world.isWhole($0) }
            },
            useCopy,
            .once("he has new keys") { $0.world.coverage.renewals == 1 },
            .once("he is in again") { try $0.allAreIn() },
            .then("he comments again") { try $0.comment(by: 1, on: "moment", text: "After") },
            allAreLevel,
        ],
        findings: { stage in
            let kept = try stage.everywhere("both comments are there") {
                try stage.lines(.comment, at: $0.number).count == 2
            }
            return kept + (stage.world.forgotten.isEmpty ? [] : ["something was lost"])
        }
    )

    private static let restoredAndWritten = Scenario(
        name: "restored-and-written",
        summary: "21: a restored backup writes before it meets what it has forgotten; both stay",
        copies: [copy(.restoring)],
        steps: [
            allAreIn,
            .then("Bob makes a moment") { try $0.moment(by: 1, as: "moment") },
            allAreLevel, backUp,
            .then("he comments") { try $0.comment(by: 1, on: "moment", text: "Seen") },
            .then("he edits the moment") { try $0.edit("moment", .moment, ["title": .text("Seen")], by: 1) },
            allAreLevel,
            .then("he is alone") { $0.isolate([1]) },
            useCopy,
            .then("he comments") { try $0.comment(by: 1, on: "moment", text: "Unseen") },
            .then("he edits the moment") { try $0.edit("moment", .moment, ["title": .text("Unseen")], by: 1) },
            .then("he meets the others", after: .seconds(60)) { $0.meet() },
            .once("he has new keys") { $0.world.coverage.renewals == 1 },
            .once("he is in again") { try $0.allAreIn() },
            .then("he edits it once more") { try $0.edit("moment", .moment, ["title": .text("Both")], by: 1) },
            allAreLevel,
        ],
        findings: { stage in
            try stage.everywhere("both comments are there, and the last title") { node in
                let title = try node.replica.moment(stage.reference("moment")).title
                return try stage.lines(.comment, at: node.number).count == 2 && title == "Both"
            }
        }
    )

    private static let syncedFolder = Scenario(
        name: "synced-folder",
        summary: "36: a file-sync tool puts an old folder back while the node is off",
        copies: [copy(.restoring)],
        steps: [
            allAreIn,
            .then("Bob makes a moment") { try $0.moment(by: 1, as: "moment") },
            allAreLevel, backUp,
            .then("he comments") { try $0.comment(by: 1, on: "moment", text: "Seen") },
            allAreLevel,
            .then("his machine is off") { $0.sleep(1) },
            .then("Ana comments") { try $0.comment(by: 0, on: "moment", text: "Meanwhile") },
            useCopy,
            .then("his machine is on", after: .seconds(120)) { $0.wake(1) },
            .once("he has new keys") { $0.world.coverage.renewals == 1 },
            allAreLevel,
        ],
        findings: { stage in
            try stage.everywhere("both comments are there") { try stage.lines(.comment, at: $0.number).count == 2 }
        }
    )

    private static let seventeenDevices = Scenario(
        name: "seventeen-devices",
        summary: "22: seventeen devices of one person",
        peers: 18,
        secondDevices: 16,
        minutes: 10,
        steps: [
            allAreIn,
            .then("Ana makes a moment") { try $0.moment(by: 0, as: "moment") },
            allAreLevel,
            .then("all seventeen rename him and comment") { stage in
                for node in 1...17 {
                    try stage.rename(node, to: "Bob \(node)")
                    try stage.comment(by: node, on: "moment", text: "From \(node)")
                }
            },
            allAreLevel,
            .then("the last one renames him") { try $0.rename(17, to: "Bob") },
            allAreLevel,
        ],
        findings: { stage in
            try stage.everywhere("two people, one name each, all comments") { node in
                let lines = try [Kind.profile, .comment].map { try stage.lines($0, at: node.number).count }
                return try node.replica.people().count == 2 && lines == [1, 17]
            }
        }
    )
}
