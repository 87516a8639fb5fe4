// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleModel
import MingleReplica
import MingleWire

// Of two devices of one person, the phone is node 1 and the laptop node 2; node 0 is the founder.
extension Scenario {
    /// What becomes of records.
    static let records: [Scenario] = [
        deleteBeatsEdit, deleteBeforePayload, deletedPlace, faveApart, oneMillisecond, yearAhead, largePayloads,
        listedBlob, deletedWords, brokenLine,
    ]

    private static let deleteBeatsEdit = Scenario(
        name: "delete-beats-edit",
        summary: "2: the laptop deletes what the phone edits unseen; both are erased everywhere",
        secondDevices: 1,
        steps: [
            .allAreIn,
            .then("the phone shares a photo") { try $0.photo(by: 1, as: "photo") },
            .once("the laptop shows it") { $0.shows(2, .photo, "photo") },
            .then("the laptop is alone") { $0.isolate([2]) },
            .then("it deletes the photo") { try $0.delete("photo", by: 2) },
            .then("the phone edits it") { try $0.edit("photo", .photo, ["title": .text("Kept")], by: 1) },
            .then("they meet", after: .seconds(90)) { $0.meet() },
            .allAreInSync,
        ],
        findings: { stage in stage.everywhere("it is gone") { !$0.shows(.photo, stage.reference("photo")) } }
    )

    private static let deleteBeforePayload = Scenario(
        name: "delete-before-payload",
        summary: "3: the laptop deletes what it has not received yet",
        secondDevices: 1,
        change: { ($0.latency, $0.bandwidth) = (.milliseconds(400), 40_000) },
        steps: [
            .allAreIn,
            .then("the phone makes a long moment") { stage in
                try stage.moment(by: 1, description: String(repeating: "long ", count: 790), as: "moment")
            },
            .once("the laptop has no more than its header") { try $0.lacksPayload(2, "moment") },
            .then("it deletes the moment", after: .zero) { try $0.delete("moment", by: 2) },
            .allAreInSync,
        ],
        findings: { stage in stage.everywhere("it is gone") { !$0.knows(stage.reference("moment")) } }
    )

    private static let deletedPlace = Scenario(
        name: "deleted-place",
        summary: "4: a moment and a check-in stay when the place is deleted, also for who never saw that",
        peers: 4,
        steps: [
            .once("the first three are in") { stage in
                try (0...2).allSatisfy { try stage.world.nodes[$0].isHere && stage.world.nodes[$0].replica.hasKey() }
            },
            .then("Ana makes a place") { try $0.place(by: 0, as: "place") },
            .once("Bob has it") { $0.knows(1, "place") },
            .then("he makes a moment there") { try $0.moment(by: 1, at: "place", as: "moment") },
            .once("Carl sees the moment") { $0.shows(2, .moment, "moment") },
            .then("he joins and checks in") { stage in
                try stage.join(2, "moment")
                let here: [String: Value] = ["latitude": .number(5), "longitude": .number(6)]
                try stage.world.create(.checkIn, on: stage.reference("moment"), here, by: stage.world.nodes[2])
            },
            .then("Ana deletes the place") { try $0.delete("place", by: 0) },
            .then("a newcomer joins", after: .seconds(30)) { try $0.world.arrive($0.world.nodes[3]) },
            .allAreIn, .allAreInSync,
        ],
        findings: { stage in
            try stage.everywhere("moment and check-in are there, the place is not") { node in
                let lines = try [Kind.moment, .checkIn, .place].map { try stage.lines($0, at: node.number).count }
                return lines == [1, 1, 0]
            }
        },
        late: [3]
    )

    private static let faveApart = Scenario(
        name: "fave-apart",
        summary: "6: two devices toggle a fave apart, with clocks far apart; one answer, and never stuck",
        secondDevices: 1,
        steps: [
            .allAreIn,
            .then("Ana shares a photo") { try $0.photo(by: 0, as: "photo") },
            .once("both devices show it") { $0.shows(1, .photo, "photo") && $0.shows(2, .photo, "photo") },
            .then("the laptop is alone") { $0.isolate([2]) },
            .then("the phone's clock is days ahead") { $0.setClock(of: 1, ahead: .seconds(400_000)) },
            .then("the phone faves") { try $0.fave(true, by: 1, on: "photo") },
            .then("the laptop faves not") { try $0.fave(false, by: 2, on: "photo") },
            .then("they meet", after: .seconds(60)) { $0.meet() },
            .allAreInSync,
            .then("the laptop, behind, takes it back") { try $0.fave(false, by: 2, on: "photo") },
            .allAreInSync,
            .then("the phone's clock is days behind") { $0.setClock(of: 1, ahead: .seconds(-400_000)) },
            .then("the phone faves again") { try $0.fave(true, by: 1, on: "photo") },
            .allAreInSync,
        ],
        findings: { stage in try stage.everywhere("there is one fave", 1, of: .fave) }
    )

    private static let oneMillisecond = Scenario(
        name: "one-millisecond",
        summary: "7: fifty records of one millisecond, and a copied folder on a clock that stands: all names differ",
        copies: [CopyPlan(use: .twin, node: 1, made: .seconds(120), used: .seconds(180))],
        steps: [
            .allAreIn,
            .then("Bob makes fifty moments at once") { stage in
                for number in 0..<50 { try stage.moment(by: 1, title: "Moment \(number)", as: "\(number)") }
            },
            .once("a copy of his folder runs") { $0.world.nodes.count == 4 && $0.world.nodes[3].isHere },
            .then("both make ten more", after: .zero) { stage in
                for number in 50..<60 {
                    for node in [1, 3] { try stage.moment(by: node, title: "Moment \(number)", as: "\(number)") }
                }
            },
            .once("both have new keys") { $0.world.coverage.renewals == 2 },
            .allAreInSync,
        ],
        findings: { stage in try stage.everywhere("there are seventy", 70, of: .moment) }
    )

    private static let yearAhead = Scenario(
        name: "year-ahead",
        summary: "8: who wrote with a clock a year ahead edits it with a right one",
        steps: [
            .allAreIn,
            .then("Bob's clock is a year ahead") { $0.setClock(of: 1, ahead: .seconds(365 * 86_400)) },
            .then("he makes a moment") { try $0.moment(by: 1, as: "moment") },
            .then("Ana makes one") { try $0.moment(by: 0, title: "Ana's", as: "other") },
            .allAreInSync,
            .then("his clock is right") { $0.setClock(of: 1, ahead: .zero) },
            .then("he edits the moment") { try $0.edit("moment", .moment, ["title": .text("Supper")], by: 1) },
            .allAreInSync,
        ],
        findings: { stage in
            try stage.everywhere("it is the edited one") { node in
                try node.replica.moment(stage.reference("moment")).title == "Supper"
            }
        }
    )

    private static let largePayloads = Scenario(
        name: "large-payloads",
        summary: "30: sixty-four large payloads in one run, and a cut in the middle",
        change: { $0.bandwidth = 40_000 },
        steps: [
            .allAreIn,
            .then("Bob is alone") { $0.isolate([1]) },
            .then("he makes sixty-four long moments") { try $0.longMoments(64, by: 1) },
            .then("he meets the others") { $0.meet() },
            .once("Carl has some of them") { $0.knows(2, "10") || $0.knows(2, "20") },
            .then("his links end", after: .zero) { $0.cutLinks(of: 2) },
            .once("Carl has all") { stage in (0..<64).allSatisfy { stage.knows(2, "\($0)") } },
        ]
    )

    private static let listedBlob = Scenario(
        name: "listed-blob",
        summary: "31: somebody lists another's blob; its owner deletes, and it is gone from everybody",
        hostile: [[]],
        steps: [
            .allAreIn,
            .then("Bob shares a photo") { try $0.photo(by: 1, as: "photo") },
            .once("the others have its blobs") { try $0.world.isWhole($0.world.nodes[2]) && $0.knows(3, "photo") },
            .then("a hostile one lists them as its own") { stage in
                let blobs = stage.world.ledger[stage.reference("photo")]?.blobs ?? []
                try stage.world.list(blobs.map { BlobListing(name: $0, size: 1) }, by: stage.world.nodes[3])
            },
            .then("Bob deletes the photo", after: .seconds(10)) { try $0.delete("photo", by: 1) },
            .allAreInSync,
        ]
    )

    private static let deletedWords = Scenario(
        name: "deleted-words",
        summary: "32: deleted words are in no file of anybody's",
        steps: [
            .allAreIn,
            .then("Bob makes a moment") { try $0.moment(by: 1, title: "Xylophone rendezvous", as: "moment") },
            .once("all show it") { stage in (0...2).allSatisfy { stage.shows($0, .moment, "moment") } },
            .then("he edits it") { try $0.edit("moment", .moment, ["title": .text("Xylophone reunion")], by: 1) },
            .allAreInSync,
            .then("he deletes it") { try $0.delete("moment", by: 1) },
            .allAreInSync,
        ],
        findings: { stage in stage.everywhere("the words are in no file") { !$0.isOnDisk("Xylophone") } }
    )

    private static let brokenLine = Scenario(
        name: "broken-line",
        summary:
            "29: three hundred deltas through somebody who got them in other runs, and a link that ends halfway",
        change: { ($0.bandwidth, $0.latency) = (10_000, .milliseconds(200)) },
        steps: [
            .allAreIn,
            .then("Ana and Carl never meet") { $0.part([0], [2]) },
            .then("Carl is alone") { $0.part([1], [2]) },
            .then("Ana says a hundred names") { try $0.rename(0, to: "Ana", 100) },
            .once("Bob has them") { try $0.reach(of: 0, at: 1) >= 100 },
            .then("and two hundred more") { try $0.rename(0, to: "Anne", 200) },
            .once("Bob has those") { try $0.reach(of: 0, at: 1) >= 300 },
            .then("Bob meets Carl") { stage in
                stage.meet()
                stage.part([0], [2])
            },
            .once("Carl has some") { try (64..<300).contains($0.reach(of: 0, at: 2)) },
            .then("the link ends", after: .zero) { $0.cutLinks(of: 2) },
            .once("Carl has all") { try $0.reach(of: 0, at: 2) >= 300 },
        ]
    )
}
