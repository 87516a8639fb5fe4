// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica

extension Scenario {
    /// What moderators hide, apart from each other and after they are moderators no more.
    static let moderation = [moderatorsApart, demotedModerator, unknownModerator, reportedModerator]

    private static let moderatorsApart = Scenario(
        name: "moderators-apart",
        summary: "two moderators hide and show one moment apart, while its author changes it; then the founder decides",
        peers: 5,
        steps: [
            .then("all find each other") { $0.acquaintAll() },
            .allAreIn,
            .then("the founder makes moderators of Bob and Carl") { stage in
                for node in [1, 2] { try stage.promote(node, to: .moderator, by: 0) }
            },
            .then("Dora makes a moment") { try $0.moment(by: 3, as: "moment") },
            .once("both are moderators, and have it") { stage in
                try [1, 2].allSatisfy { node in
                    try stage.shows(node, .moment, "moment")
                        && [1, 2].allSatisfy { try stage.level(of: $0, at: node) == .moderator }
                }
            },
            .then("Erin comments") { try $0.comment(by: 4, on: "moment", as: "comment") },
            .allAreInSync,
            .then("they are apart") { stage in for node in [1, 2, 3] { stage.isolate([node]) } },
            .then("Bob hides it") { try $0.hide("moment", because: "rude", by: 1) },
            .then("Carl hides it, and shows it again", after: .seconds(20)) { stage in
                try stage.hide("moment", because: "loud", by: 2)
                try stage.hide("moment", because: nil, by: 2)
            },
            .then("Dora calls it something else") { stage in
                try stage.edit("moment", .moment, ["title": .text("Quiet")], by: 3)
            },
            .then("they meet", after: .seconds(30)) { $0.meet() },
            .allAreInSync,
            .then("the founder hides it") { try $0.hide("moment", because: "enough", by: 0) },
            .once("Erin does not see it") { !$0.shows(4, .moment, "moment") },
        ],
        findings: { stage in
            let unlike = try stage.everywhere("the moment is hidden by the founder") { node in
                try node.replica.hiding(of: stage.reference("moment"))?.reason == "enough"
            }
            let blind = (0...3).filter { !stage.shows($0, .moment, "moment") }.map { "node \($0) does not see it" }
            return unlike + blind + (stage.shows(4, .comment, "comment") ? [] : ["Erin does not see her own words"])
        }
    )

    private static let demotedModerator = Scenario(
        name: "demoted-moderator",
        summary: "a moderator is demoted while apart and hides on: that counts for nothing, what was hidden stays",
        peers: 4,
        steps: [
            .then("all find each other") { $0.acquaintAll() },
            .allAreIn,
            .then("the founder makes a moderator of Bob") { try $0.promote(1, to: .moderator, by: 0) },
            .then("Carl makes two moments") { stage in
                try stage.moment(by: 2, as: "early")
                try stage.moment(by: 2, as: "late")
            },
            .once("Bob has them, and moderates") { stage in
                try ["early", "late"].allSatisfy { stage.shows(1, .moment, $0) }
                    && stage.level(of: 1, at: 1) == .moderator
            },
            .then("he hides one") { try $0.hide("early", because: "rude", by: 1) },
            .once("Dora does not see it") { $0.knows(3, "early") && !$0.shows(3, .moment, "early") },
            .allAreInSync,
            .then("Bob and Dora are apart from the rest") { $0.part([1, 3], [0, 2]) },
            .then("he is made an attendee") { try $0.demote(1, to: .attendee, by: 0) },
            .then("he hides the other, which counts for nothing") { try $0.hideInVain("late", by: 1) },
            .once("Dora, who does not know yet, sees neither") { !$0.shows(3, .moment, "late") },
            .then("they meet") { $0.meet() },
            .once("Dora sees it again") { $0.shows(3, .moment, "late") },
        ],
        findings: { stage in
            [0, 1, 3].filter { !stage.shows($0, .moment, "late") }.map { "node \($0) does not show the late one" }
                + (stage.shows(3, .moment, "early") ? ["what was hidden before came back"] : [])
        }
    )

    private static let unknownModerator = Scenario(
        name: "unknown-moderator",
        summary: "what a moderator hid comes to Carl before he knows that he moderates: it is hidden once he does",
        steps: [
            .allAreIn,
            .then("Ana makes a moment") { try $0.moment(by: 0, as: "moment") },
            .once("Carl has it") { $0.shows(2, .moment, "moment") },
            .allAreInSync,
            .then("Carl is where nobody else is") { $0.leave(2) },
            .then("Ana makes a moderator of Bob") { try $0.promote(1, to: .moderator, by: 0) },
            .once("he moderates") { try $0.level(of: 1, at: 1) == .moderator },
            .then("he hides it") { try $0.hide("moment", because: "rude", by: 1) },
            .then("somebody brings Carl that, and nothing else") { try $0.carry(1, to: 2) },
            .once("Carl sees it still") { $0.shows(2, .moment, "moment") },
            .then("they meet") { $0.meet() },
            .once("Carl does not see it any more") { !$0.shows(2, .moment, "moment") },
        ]
    )

    private static let reportedModerator = Scenario(
        name: "reported-moderator",
        summary: "reports hide a moment of a moderator's, who shows it again: that counts for nothing, others decide",
        peers: 5,
        steps: [
            .then("all find each other") { $0.acquaintAll() },
            .allAreIn,
            .then("Ana makes a moderator of Bob") { try $0.promote(1, to: .moderator, by: 0) },
            .once("he moderates") { try $0.level(of: 1, at: 1) == .moderator },
            .then("he makes a moment") { try $0.moment(by: 1, as: "moment") },
            .allAreInSync,
            .then("the other three report it") { stage in
                for node in [2, 3, 4] { try stage.report("moment", by: node) }
            },
            .once("Ana's node hides it, and Carl does not see it") { !$0.shows(2, .moment, "moment") },
            .allAreInSync,
            .then("Bob shows it again") { try $0.showInVain("moment", by: 1) },
            .allAreInSync,
        ],
        findings: { stage in
            try stage.everywhere("the moment is hidden") { node in
                try node.replica.hiding(of: stage.reference("moment"))?.reason == ReportRule.hidingReason
            }
        }
    )
}
