// SPDX-License-Identifier: Apache-2.0

import MingleModel

extension Scenario {
    /// What is said of places: by their owners, by others in their stead, and by several at once.
    static let places = [othersDeal, ownerLeft, placeDecided]

    private static let othersDeal = Scenario(
        name: "others-deal",
        summary: "Bob, who owns a place, and Carl, who does not, offer a deal there each: Bob's counts, and two use it",
        peers: 4,
        steps: placeOwnedByBob() + [
            .then("Bob and Carl offer a deal") { stage in
                for node in [1, 2] { try stage.deal(by: node, at: "place", as: "deal of \(node)") }
            },
            .allAreInSync,
            .then("Carl and Dora use Bob's") { stage in
                for node in [2, 3] { try stage.use("deal of 1", by: node) }
            },
            .allAreInSync,
            .then("Bob confirms both") { stage in
                for node in [2, 3] { try stage.confirm("deal of 1", usedBy: node, by: 1) }
            },
            .allAreInSync,
        ],
        findings: { stage in
            try stage.everywhere("Bob's deal is shown, and Carl's is not") { node in
                node.shows(.deal, stage.reference("deal of 1")) && !node.shows(.deal, stage.reference("deal of 2"))
            } + stage.everywhere("both uses are confirmed", 2, of: .dealConfirmation)
        }
    )

    private static let ownerLeft = Scenario(
        name: "owner-left",
        summary: "Bob, who owns a place and offers a deal there, leaves: the deal is shown no more",
        peers: 4,
        steps: placeOwnedByBob() + [
            .then("Bob offers a deal") { try $0.deal(by: 1, at: "place", as: "deal") },
            .once("all show it") { stage in [0, 2, 3].allSatisfy { stage.shows($0, .deal, "deal") } },
            .then("he leaves") { try $0.depart(1) },
            .once("all know") { stage in try [0, 2, 3].allSatisfy { try stage.hasLeft(1, at: $0) } },
        ],
        findings: { stage in
            stage.everywhere("the deal is shown no more") { !$0.shows(.deal, stage.reference("deal")) }
        }
    )

    private static let placeDecided = Scenario(
        name: "place-decided",
        summary: "two moderators say apart where a place is, and then Dora does, who has seen the later: that stays",
        peers: 4,
        steps: [
            .then("all find each other") { $0.acquaintAll() },
            .allAreIn,
            .then("Carl's clock is ahead of all others") { $0.setClock(of: 2, ahead: .seconds(900 * 86_400)) },
            .then("Ana makes a place, and moderators of Bob and Carl") { stage in
                try stage.place(by: 0, as: "place")
                for node in [1, 2] { try stage.promote(node, to: .moderator, by: 0) }
            },
            .once("both moderate") { stage in
                try [1, 2].allSatisfy { try stage.level(of: $0, at: $0) == .moderator }
            },
            .allAreInSync,
            .then("Bob is apart from Carl and Dora") { $0.part([0, 1], [2, 3]) },
            .then("he says where it is") { try $0.edit("place", .place, ["address": .text("Old")], by: 1) },
            .then("Carl does, too") { try $0.edit("place", .place, ["address": .text("New")], by: 2) },
            .once("Dora has that") { stage in try stage.lines(.place, at: 3).contains { $0.contains("New") } },
            .then("she says something else") { try $0.edit("place", .place, ["address": .text("Hers")], by: 3) },
            .then("they meet") { $0.meet() },
            .allAreInSync,
        ],
        findings: { stage in
            try stage.everywhere("it is where Carl says") { node in
                try stage.lines(.place, at: node.number).contains { $0.contains("New") }
            }
        }
    )

    /// Ana makes a place, of which Bob is the owner; all know.
    private static func placeOwnedByBob() -> [Step] {
        [
            .then("all find each other") { $0.acquaintAll() },
            .allAreIn,
            .then("Ana makes a place") { try $0.place(by: 0, as: "place") },
            .allAreInSync,
            .then("she makes Bob its owner") { try $0.makeOwner(1, of: "place", by: 0) },
            .allAreInSync,
        ]
    }
}
