// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica

// Of two devices of one person, the phone is node 1 and the laptop node 2; node 0 is the founder.
extension Scenario {
    /// What several devices of one person say about one record, and what of it comes first.
    static let edits = [editsApart, olderLast, clockSetBack, removedEditor, oneFileTwice]

    private static let editsApart = Scenario(
        name: "edits-apart",
        summary:
            "a moment is edited, hidden and shown again, edited on the phone and then on the laptop; all of it counts",
        secondDevices: 1,
        steps: [
            .allAreIn,
            .then("the phone makes a moment") { try $0.moment(by: 1, as: "moment") },
            .then("it edits it") { try $0.edit("moment", .moment, ["description": .text("Soup")], by: 1) },
            .allAreInSync,
            .then("the founder hides it") { try $0.hide("moment", because: "Why not", by: 0) },
            .then("and shows it again") { try $0.hide("moment", because: nil, by: 0) },
            .allAreInSync,
            .then("the phone edits it again") { try $0.edit("moment", .moment, ["place_name": .text("Pier")], by: 1) },
            .allAreInSync,
            .then("the laptop edits it") { try $0.edit("moment", .moment, ["title": .text("Supper")], by: 2) },
            .allAreInSync,
        ],
        findings: { stage in
            try stage.everywhere("all edits are there") { node in
                let moment = try node.replica.moment(stage.reference("moment"))
                return moment.title == "Supper" && moment.description == "Soup" && moment.place.name == "Pier"
            }
        }
    )

    private static let olderLast = Scenario(
        name: "older-last",
        summary: "what the laptop said of itself earlier, by its clock, comes later, and does not count",
        secondDevices: 1,
        steps: [
            .allAreIn,
            .then("the laptop is alone, a day behind") { stage in
                stage.isolate([2])
                stage.setClock(of: 1, ahead: .zero)
                stage.setClock(of: 2, ahead: .seconds(-86_400))
            },
            .then("both say a name") { stage in
                try stage.rename(1, to: "New")
                try stage.rename(2, to: "Old")
            },
            .then("they meet", after: .seconds(60)) { $0.meet() },
            .allAreInSync,
        ],
        findings: { stage in
            try stage.everywhere("the name is the newer one") { node in
                try stage.lines(.profile, at: node.number).contains { $0.contains("New") && !$0.contains("Old") }
            }
        }
    )

    private static let clockSetBack = Scenario(
        name: "clock-set-back",
        summary: "who says another name once the clock is a day behind is called by it, and it is dated by the first",
        steps: [
            .allAreIn,
            .then("Bob's clock is right") { $0.setClock(of: 1, ahead: .zero) },
            .then("he says a name") { try $0.rename(1, to: "First") },
            .allAreInSync,
            .then("his clock is set back") { $0.setClock(of: 1, ahead: .seconds(-86_400)) },
            .then("he says another") { try $0.rename(1, to: "Second") },
            .allAreInSync,
        ],
        findings: { stage in
            try stage.everywhere("the name is the second") { node in
                try stage.lines(.profile, at: node.number).contains { $0.contains("Second") }
            }
        }
    )

    private static let removedEditor = Scenario(
        name: "removed-editor",
        summary:
            "who is removed had two devices say a name; what came after does not count for those either who merged it",
        peers: 4,
        secondDevices: 1,
        steps: [
            .then("all find each other") { $0.acquaintAll() },
            .allAreIn,
            .then("their clocks are right") { stage in
                for node in 0...3 { stage.setClock(of: node, ahead: .zero) }
            },
            .then("the phone says a name") { try $0.rename($0.laptop, to: "First") },
            .allAreInSync,
            .then("the laptop says another") { try $0.rename(3, to: "Second") },
            .allAreInSync,
            .then("the founder is alone") { $0.isolate([0]) },
            .then("the phone says a third", after: .seconds(60)) { try $0.rename($0.laptop, to: "Third") },
            .once("the witness shows it") {
                try $0.lines(.profile, at: 3 - $0.laptop).contains { $0.contains("Third") }
            },
            .then("the founder removes who does") { try $0.remove($0.laptop, by: 0) },
            .then("they meet", after: .seconds(60)) { $0.meet() },
            .once("the witness knows") { stage in try stage.isRemoved(stage.laptop, at: 3 - stage.laptop) },
        ],
        findings: { stage in
            try [0, 3 - stage.laptop].filter { node in
                try !stage.lines(.profile, at: node).contains { $0.contains("Second") }
            }.map { "node \($0) does not show the name that was said before the removal" }
        }
    )

    private static let oneFileTwice = Scenario(
        name: "one-file-twice",
        summary: "of two photos of one file one is deleted; the other keeps its pictures",
        steps: [
            .allAreIn,
            .then("Bob shares a file as two photos") { try $0.photos(by: 1, as: "first", "second") },
            .once("all have its pictures") { try $0.havePictures(of: 1) },
            .then("he deletes one") { try $0.delete("first", by: 1) },
            .allAreInSync,
            .then("all machines start anew", after: .seconds(10)) { stage in
                for node in stage.world.nodes { try stage.world.reopen(node) }
            },
        ],
        findings: { stage in
            let isKept = try stage.havePictures(of: 1)
            return stage.everywhere("the other is there") { $0.shows(.photo, stage.reference("second")) }
                + (isKept ? [] : ["not everybody has the pictures of the other"])
        }
    )
}
