// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica

extension Scenario {
    /// What becomes of devices that are many, copied or put back.
    static let devices: [Scenario] = [
        copiedFolder, restoredUnseen, restoredSeen, restoredAndWritten, syncedFolder, seventeenDevices,
    ]

    /// What comes of a copy of Bob's folder, made when all hold a moment of his, and used when the steps say so.
    private static func aboutCopy(
        _ use: CopyPlan.Use,
        _ name: String,
        _ summary: String,
        steps: [Step],
        findings: @escaping @Sendable (Stage) throws -> [String]
    ) -> Scenario {
        // No copy is made or used at a time of its own.
        let never = Duration.seconds(1 << 30)
        let beginning: [Step] = [
            .allAreIn,
            .then("Bob makes a moment") { try $0.moment(by: 1, as: "moment") },
            .allAreInSync,
            .then("Bob's folder is copied") { try $0.world.makeCopy(0) },
        ]
        return Scenario(
            name: name,
            summary: summary,
            copies: [CopyPlan(use: use, node: 1, made: never, used: never)],
            steps: beginning + steps,
            findings: findings
        )
    }

    private static let useCopy = Step.then("the copy is used") { try $0.world.useCopy(0) }
    private static let heHasNewKeys = Step.once("he has new keys") { $0.world.coverage.renewals == 1 }
    private static let heIsInAgain = Step.once("he is in again") { try $0.allAreIn() }
    private static let heMeetsTheOthers = Step.then("he meets the others", after: .seconds(60)) { $0.meet() }

    private static func heComments(_ text: String) -> Step {
        .then("he comments") { try $0.comment(by: 1, on: "moment", text: text) }
    }

    private static func heEdits(_ name: String = "he edits the moment", to title: String) -> Step {
        .then(name) { try $0.edit("moment", .moment, ["title": .text(title)], by: 1) }
    }

    private static let copiedFolder = aboutCopy(
        .twin,
        "copied-folder",
        "17: an honest copied folder posts on both sides; nothing is lost, and both become new devices",
        steps: [
            .then("Bob is alone") { $0.isolate([1]) },
            useCopy,
            heComments("From one"),
            .then("the copy comments") { try $0.comment(by: 3, on: "moment", text: "From the copy") },
            .then("it renames him") { try $0.rename(3, to: "Ben") },
            .then("they meet", after: .seconds(60)) { $0.meet() },
            .once("both have new keys") { $0.world.coverage.renewals == 2 },
            .once("both are in again") { try $0.allAreIn() },
            .then("both comment") { stage in
                for node in [1, 3] { try stage.comment(by: node, on: "moment", text: "Again") }
            },
            .allAreInSync,
        ],
        findings: { stage in try stage.everywhere("there are four comments", 4, of: .comment) }
    )

    private static let restoredUnseen = aboutCopy(
        .restoring,
        "restored-unseen",
        "21: a backup is put back before the others saw what came after it, which is lost and nothing else",
        steps: [
            .then("Bob is alone") { $0.isolate([1]) },
            heComments("Lost"),
            .then("he shares a photo") { try $0.photo(by: 1, as: "photo") },
            .then("he renames himself") { try $0.rename(1, to: "Lost") },
            useCopy,
            heMeetsTheOthers,
            .then("he comments again") { try $0.comment(by: 1, on: "moment", text: "Kept") },
            .allAreInSync,
        ],
        findings: { stage in
            let kept = try stage.everywhere("there is one comment", 1, of: .comment)
            return kept + (stage.world.coverage.renewals == 0 ? [] : ["a device was replaced without need"])
        }
    )

    private static let restoredSeen = aboutCopy(
        .restoring,
        "restored-seen",
        "21: a backup is put back after the others saw what came after it: nothing is lost",
        steps: [
            heComments("Seen"),
            .then("he shares a photo") { try $0.photo(by: 1, as: "photo") },
            .once("all have all of it") { stage in
                try stage.isInSync() && stage.world.honest.allSatisfy { try stage.world.isWhole($0) }
            },
            useCopy,
            heHasNewKeys,
            heIsInAgain,
            .then("he comments again") { try $0.comment(by: 1, on: "moment", text: "After") },
            .allAreInSync,
        ],
        findings: { stage in
            let kept = try stage.everywhere("both comments are there", 2, of: .comment)
            return kept + (stage.world.forgotten.isEmpty ? [] : ["something was lost"])
        }
    )

    private static let restoredAndWritten = aboutCopy(
        .restoring,
        "restored-and-written",
        "21: a restored backup writes before it meets what it has forgotten; both stay",
        steps: [
            heComments("Seen"),
            heEdits(to: "Seen"),
            .allAreInSync,
            .then("he is alone") { $0.isolate([1]) },
            useCopy,
            heComments("Unseen"),
            heEdits(to: "Unseen"),
            heMeetsTheOthers,
            heHasNewKeys,
            heIsInAgain,
            heEdits("he edits it once more", to: "Both"),
            .allAreInSync,
        ],
        findings: { stage in
            try stage.everywhere("both comments are there, and the last title") { node in
                let title = try node.replica.moment(stage.reference("moment")).title
                return try stage.lines(.comment, at: node.number).count == 2 && title == "Both"
            }
        }
    )

    private static let syncedFolder = aboutCopy(
        .restoring,
        "synced-folder",
        "36: a file-sync tool puts an old folder back while the node is off",
        steps: [
            heComments("Seen"),
            .allAreInSync,
            .then("his machine is off") { $0.sleep(1) },
            .then("Ana comments") { try $0.comment(by: 0, on: "moment", text: "Meanwhile") },
            useCopy,
            .then("his machine is on", after: .seconds(120)) { $0.wake(1) },
            heHasNewKeys,
            .allAreInSync,
        ],
        findings: { stage in try stage.everywhere("both comments are there", 2, of: .comment) }
    )

    private static let seventeenDevices = Scenario(
        name: "seventeen-devices",
        summary: "22: seventeen devices of one person",
        peers: 18,
        secondDevices: 16,
        minutes: 10,
        steps: [
            .allAreIn,
            .then("Ana makes a moment") { try $0.moment(by: 0, as: "moment") },
            .allAreInSync,
            .then("all seventeen rename him and comment") { stage in
                for node in 1...17 {
                    try stage.rename(node, to: "Bob \(node)")
                    try stage.comment(by: node, on: "moment", text: "From \(node)")
                }
            },
            .allAreInSync,
            .then("the last one renames him") { try $0.rename(17, to: "Bob") },
            .allAreInSync,
        ],
        findings: { stage in
            try stage.everywhere("two people, one name each, all comments") { node in
                let lines = try [Kind.profile, .comment].map { try stage.lines($0, at: node.number).count }
                return try node.replica.people().count == 2 && lines == [1, 17]
            }
        }
    )
}
