// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import MingleReplica

extension Scenario {
    /// Further devices of people, by a link that another one shows.
    static let linking = [linkedDevice, linkRefused, linkedCopy]

    private static let linkedDevice = Scenario(
        name: "linked-device",
        summary:
            "Bob links a phone while nobody else is near; it reads all that he reads, at once, writes in his name, and is retired later",
        steps: [
            .allAreIn,
            .wallIsClosed,
            .allAreInSync,
            .then("Ana makes a moment, and Bob one for Carl alone") { stage in
                try stage.moment(by: 0, as: "moment")
                try stage.privateMoment(by: 1, for: [2], as: "private")
            },
            .once("Carl has both") { $0.shows(2, .moment, "moment") && $0.shows(2, .moment, "private") },
            .allAreInSync,
            .then("Bob is where nobody else is", after: .seconds(30)) { stage in
                stage.cutLinks(of: 1)
                stage.part([1, 3], [0, 2])
            },
            .then("he links a phone") { try $0.link(to: 1) },
            .once("it has a certificate", within: .seconds(30)) { $0.isCertified(3) },
            .once("it reads both, before it would be anybody's turn", within: .seconds(5)) {
                $0.shows(3, .moment, "moment") && $0.shows(3, .moment, "private")
            },
            .then("it comments on both") { stage in
                try stage.comment(by: 3, on: "moment", as: "public")
                try stage.whisper(by: 3, on: "private", as: "whisper")
            },
            .then("they meet") { $0.meet() },
            .once("Carl reads both in Bob's name") {
                $0.shows(2, .comment, "public") && $0.shows(2, .comment, "whisper")
            },
            .allAreInSync,
            .then("Bob retires the phone", after: .seconds(30)) { try $0.retire(3, by: 1) },
            .once("all know") { stage in try [0, 1, 2].allSatisfy { try stage.isRetired(3, at: $0) } },
            .once("all have a key that it lacks") { stage in
                try [0, 1, 2].allSatisfy { try !stage.isKeyOutdated($0) }
            },
            .then("Ana comments", after: .seconds(30)) { try $0.comment(by: 0, on: "moment", as: "after") },
            .once("Carl reads it") { $0.shows(2, .comment, "after") },
            .then("somebody hands the phone all of it", after: .seconds(30)) { try $0.handEverything(of: 0, to: 3) },
        ],
        findings: { stage in
            let said = stage.everywhere("what the phone said in time is there") {
                $0.shows(.comment, stage.reference("public"))
            }
            return said + (stage.shows(3, .comment, "after") ? ["it reads what was said after it was retired"] : [])
                + (stage.shows(0, .moment, "private") ? ["Ana sees what is not for her"] : [])
        }
    )

    private static let linkRefused = Scenario(
        name: "link-refused",
        summary:
            "a linked device certifies nobody, nor does one that was retired, nor a link twice; who asked in vain is nobody's device",
        peers: 4,
        secondDevices: 1,
        steps: [
            .then("all find each other") { $0.acquaintAll() },
            .allAreIn,
            .wallIsClosed,
            .allAreInSync,
            .then("who has two devices links a phone") { try $0.link(to: $0.laptop, dialling: [0]) },
            .once("it has a certificate", within: .seconds(30)) { $0.isCertified(4) },
            .then("a thief saw the link, and comes second") { try $0.link(to: $0.laptop, byLinkOf: 4) },
            .then("the phone would link a watch, as a program that was changed") { try $0.link(to: 4) },
            .then("the laptop shows another link, and is retired", after: .seconds(40)) { stage in
                stage.showLink(on: stage.laptop)
                try stage.retire(stage.laptop, by: 3)
            },
            .then("it hears of that") { try $0.handEverything(of: 3, to: $0.laptop) },
            .once("it knows") { try $0.isRetired($0.laptop, at: $0.laptop) },
            .then("a tablet comes by that") { try $0.link(to: $0.laptop, byLinkOf: nil) },
            .once("neither thief, watch nor tablet is anybody's device", within: .seconds(60)) { stage in
                (5...7).allSatisfy { stage.hasStopped($0) }
            },
        ],
        findings: { stage in
            let devices = try stage.world.nodes[0].replica.devices(of: stage.world.nodes[3].secrets.person).count
            return (5...7).filter { stage.isCertified($0) }.map { "node \($0) was certified" }
                + (devices == 3 ? [] : ["the person has \(devices) devices and not three, with the retired one"])
        }
    )

    private static let linkedCopy = Scenario(
        name: "linked-copy",
        summary:
            "the folder of a linked device is copied, and both post: neither goes on, both say so, and what was said stays",
        steps: [
            .allAreIn,
            .then("Ana makes a moment") { try $0.moment(by: 0, as: "moment") },
            .then("Bob links a phone") { try $0.link(to: 1) },
            .once("it shows the moment", within: .seconds(60)) { $0.shows(3, .moment, "moment") },
            .allAreInSync,
            .then("its folder is copied, and the copy used where nobody is") { stage in
                try stage.copy(3)
                stage.isolate([4])
            },
            .then("both comment") { stage in
                for node in [3, 4] { try stage.comment(by: node, on: "moment", text: "From \(node)") }
            },
            .once("all have the one's") { stage in
                try [0, 1, 2].allSatisfy { try stage.lines(.comment, at: $0).count == 1 }
            },
            .then("they meet") { $0.meet() },
            .once("one of them has noticed, at the least") { $0.hasStopped(3) || $0.hasStopped(4) },
            .once("Bob has linked another one, which reads the same", within: .seconds(300)) { stage in
                stage.world.nodes.count > 5 && stage.isCertified(5) && stage.shows(5, .moment, "moment")
            },
            .then("it comments") { try $0.comment(by: 5, on: "moment", text: "Again") },
            .allAreInSync,
        ],
        findings: { stage in
            let texts = try stage.lines(.comment, at: 0).count
            return try stage.everywhere("the same comments are there") {
                try stage.lines(.comment, at: $0.number).count == texts
            } + (texts < 2 ? ["what was said before the copy was noticed is gone"] : [])
                + (stage.world.coverage.renewals == 0 ? [] : ["a linked device certified itself anew"])
        }
    )
}
