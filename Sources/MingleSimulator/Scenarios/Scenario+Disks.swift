// SPDX-License-Identifier: Apache-2.0

import MingleModel

extension Scenario {
    /// What disks do.
    static let disks = [fullDisk, deletedAmongMany, cutWhileScrubbing, everyKeyLost]

    private static let fullDisk = Scenario(
        name: "full-disk",
        summary: "a disk is full for a quarter of an hour; what it cannot hold is not fetched again and again",
        minutes: 25,
        change: { $0.bandwidth = 250_000 },
        steps: [
            .allAreIn,
            .then("Bob is alone") { $0.isolate([1]) },
            .then("he makes two hundred long moments") { try $0.longMoments(200, by: 1) },
            .then("he meets the others") { $0.meet() },
            .once("Carl knows that there are some") { try $0.lacksPayload(2, "100") },
            .then("his disk is full", after: .zero) { $0.fill(2) },
            .then("there is room", after: .seconds(900)) { try $0.world.makeRoom(on: $0.world.nodes[2]) },
            .once("Carl has all") { stage in (0..<200).allSatisfy { stage.knows(2, "\($0)") } },
        ]
    )

    private static let deletedAmongMany = Scenario(
        name: "deleted-among-many",
        summary:
            "32: words are in no file once deleted, though edits that are longer than before have moved them about",
        steps: [
            .allAreIn,
            .then("Bob makes sixty moments") { stage in
                for number in 0..<60 { try stage.moment(by: 1, description: words(30, number), as: "\(number)") }
            },
            .allAreInSync,
            .then("he writes more about each") { stage in
                for number in 0..<60 {
                    try stage.edit("\(number)", .moment, ["description": .text(words(150, number))], by: 1)
                }
            },
            .allAreInSync,
            .then("he deletes every third one, so that no page is left empty") { stage in
                for number in stride(from: 0, to: 60, by: 3) { try stage.delete("\(number)", by: 1) }
            },
            .allAreInSync,
            .then("all have scrubbed, and he writes the pages again", after: .seconds(90)) { stage in
                // What takes as much room as before is written in its place: else the gaps would be filled by that.
                for number in 0..<60 where number % 3 != 0 {
                    try stage.edit("\(number)", .moment, ["latitude": .number(404_155_001)], by: 1)
                }
            },
            .allAreInSync,
        ],
        findings: { stage in stage.everywhere("the words are in no file") { !$0.isOnDisk("Xylophone") } }
    )

    /// What a moment says of itself: one word in each third one, which is deleted, and another in those that stay.
    private static func words(_ count: Int, _ number: Int) -> String {
        String(repeating: number.isMultiple(of: 3) ? "Xylophone " : "Marimbula ", count: count)
    }

    private static let cutWhileScrubbing = Scenario(
        name: "cut-while-scrubbing",
        summary: "the power of eight nodes is cut while they remove deleted words from their files; none keeps them",
        peers: 8,
        steps: [
            .allAreIn,
            .then("Bob makes a moment") { try $0.moment(by: 1, as: "moment") },
            .once("all show it") { stage in (0..<8).allSatisfy { stage.shows($0, .moment, "moment") } },
            .then("he deletes it") { try $0.delete("moment", by: 1) },
            .once("all are about to scrub") { $0.world.honest.allSatisfy(\.isScrubbing) },
            .then("power is cut in the midst of it, sooner or later", after: .zero) { $0.cutPower() },
            .then("all scrub again", after: .seconds(120)) { _ in },
            .allAreInSync,
        ]
    )

    private static let everyKeyLost = Scenario(
        name: "every-key-lost",
        summary:
            "the disk of the only one who had the event's key is lost; the founder makes another one, and all goes on",
        steps: [
            .once("the relay knows how the event began") { try $0.level(of: 0, at: 3) == .founder },
            .then("the founder's disk is lost", after: .seconds(5)) { try $0.loseDisk(of: 0) },
            // Its own certificate says that by itself; what the former one let in is known only from the relay.
            .once("the founder hears from the relay what was before") { try $0.level(of: 3, at: 0) == .relay },
            .once("the founder can write again") { try $0.hasKey(0) },
            .once("and does not know what it is called") { try !$0.knowsTitle(0) },
            .then("Bob and Carl come") { stage in
                for guest in [1, 2] { try stage.arrive(guest) }
            },
            .allAreIn,
            // To their links the lost key was sealed, so they bring it back.
            .once("all see the name again") { stage in try (0...2).allSatisfy(stage.knowsTitle) },
            .then("the founder makes a moment") { try $0.moment(by: 0, as: "moment") },
            .once("both show it") { stage in [1, 2].allSatisfy { stage.shows($0, .moment, "moment") } },
        ],
        late: [1, 2],
        relays: 1
    )
}
