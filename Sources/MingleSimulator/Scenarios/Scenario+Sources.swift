// SPDX-License-Identifier: Apache-2.0

import MingleModel

// Ada is node 0, Bob node 1 and Carl node 2. A large picture has four chunks, of six seconds each.
extension Scenario {
    /// What becomes of who waits for somebody else.
    static let sources = [sourceLeaves, pictureInPart, pictureResumed, wantedAnew, threeStalls, wordsOnTheirWay]

    private static let largePicture = 1 << 20

    private static let sourceLeaves = Scenario(
        name: "source-leaves",
        summary: "who sends a picture leaves for good; the rest comes from somebody else who has it",
        change: { $0.bandwidth = 40_000 },
        steps: [
            .allAreIn,
            .then("Carl is alone") { $0.leave(2) },
            .then("Ada shares a large picture") { try $0.photo(by: 0, length: largePicture, as: "photo") },
            .once("Bob has it") { try $0.havePictures(of: 0, [1]) },
            .then("Carl meets Ada", after: .seconds(60)) { stage in
                stage.meet()
                stage.part([1], [2])
                stage.link(2, 0)
            },
            .once("he has some of it") { try $0.hasPictureInPart(2, of: 0) },
            .then("he meets Bob") { stage in
                stage.meet()
                stage.link(2, 1)
            },
            .then("Ada leaves", after: .seconds(5)) { $0.leave(0) },
            .once("Carl has the picture", within: .seconds(60)) { try $0.havePictures(of: 0, [2]) },
        ]
    )

    private static let pictureInPart = Scenario(
        name: "picture-in-part",
        summary: "somebody who has a part of a picture is asked for it, and has the rest later",
        change: { $0.bandwidth = 40_000 },
        steps: [
            .allAreIn,
            .then("Carl is alone") { $0.leave(2) },
            .then("Ada shares a large picture") { try $0.photo(by: 0, length: largePicture, as: "photo") },
            .once("Bob has some of it") { try $0.hasPictureInPart(1, of: 0) },
            .then("Carl meets Bob") { stage in
                stage.meet()
                stage.part([0], [2])
                stage.link(2, 1)
            },
            .once("both have all of it", within: .seconds(60)) { try $0.havePictures(of: 0) },
        ]
    )

    private static let pictureResumed = Scenario(
        name: "picture-resumed",
        summary: "a program ends when it has a part of a picture, and fetches the rest once it runs again",
        change: { $0.bandwidth = 40_000 },
        steps: [
            .allAreIn,
            .then("Carl is alone") { $0.leave(2) },
            .then("Ada shares a large picture") { try $0.photo(by: 0, length: largePicture, as: "photo") },
            .once("Bob has it") { try $0.havePictures(of: 0, [1]) },
            .then("Carl meets the others") { $0.meet() },
            .once("he has some of it") { try $0.hasPictureInPart(2, of: 0) },
            .then("his program starts anew", after: .zero) { try $0.world.reopen($0.world.nodes[2]) },
            .once("he has the picture", within: .seconds(120)) { try $0.havePictures(of: 0, [2]) },
        ]
    )

    private static let wantedAnew = Scenario(
        name: "wanted-anew",
        summary: "a picture is erased and wanted anew while a chunk of it is written that nobody wanted in between",
        change: { $0.bandwidth = 40_000 },
        steps: [
            .allAreIn,
            .then("Ada shares a large picture") { try $0.photo(by: 0, length: largePicture, as: "photo") },
            .once("Carl has some of it") { try $0.hasPictureInPart(2, of: 0) },
            .then("he wants it anew") { try $0.wantAnew(2, of: 0) },
            .once("all have it", within: .seconds(90)) { try $0.havePictures(of: 0) },
        ]
    )

    private static let threeStalls = Scenario(
        name: "three-stalls",
        summary: "three times an answer takes too long, and the next one does not; the same peer is asked again",
        steps: [
            .allAreIn,
            .then("Ada and Carl never meet") { stage in
                stage.cutLinks(of: 2)
                stage.part([0], [2])
            },
            .then("Ada says a name", after: .seconds(60)) { try $0.rename(0, to: "Ada") }, carlHasIt,
        ] + (1...3).flatMap(stall)
    )

    private static let wordsOnTheirWay = Scenario(
        name: "words-on-their-way",
        summary: "somebody asks for long words of who has only heard of them, and has them once they are there",
        change: { $0.bandwidth = 40_000 },
        steps: [
            .allAreIn,
            .then("Ada is alone") { $0.isolate([0]) },
            .then("she makes sixty-four long moments") { try $0.longMoments(64, by: 0) },
            .then("she meets Bob, and he meets Carl") { stage in
                stage.meet()
                stage.part([0], [2])
                stage.link(1, 0)
                stage.link(2, 1)
            },
            .once("Carl can read all", within: .seconds(120)) { stage in
                (0..<64).allSatisfy { stage.knows(2, "\($0)") }
            },
        ]
    )

    private static let carlHasIt = Step.once("Carl has it", within: .seconds(20)) { stage in
        try stage.reach(of: 0, at: 2) == stage.reach(of: 0, at: 0)
    }

    /// What Carl asks Bob for takes too long once, and comes in time then.
    private static func stall(_ number: Int) -> [Step] {
        adaSays("Anna \(number)") { $0.block([2], [1]) } + [
            .then("they get through", after: .seconds(18)) { stage in
                stage.meet()
                stage.part([0], [2])
            },
            carlHasIt,
        ] + adaSays("Anne \(number)") + [carlHasIt]
    }

    /// Ada says a name while she is alone, so that nobody pushes it on: Bob asks her for it, and Carl has to ask Bob.
    private static func adaSays(_ name: String, then change: @escaping @Sendable (Stage) -> Void = { _ in }) -> [Step] {
        [
            .then("Ada is alone", after: .seconds(45)) { $0.leave(0) },
            .then("she says a name") { try $0.rename(0, to: name) },
            .then("she meets Bob") { stage in
                stage.meet()
                stage.part([0], [2])
                change(stage)
                stage.link(1, 0)
            },
        ]
    }
}
