// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import MingleReplica

extension Scenario {
    /// The event that is open to anyone nearby.
    static let nearby = [openedNearby, openedTooLong, openedAndRemoved]

    private static let openedNearby = Scenario(
        name: "opened-nearby",
        summary:
            "the event is open to anyone nearby; somebody comes by what Bob says, and once it is closed by what Carl says, who has not heard",
        steps: [
            .then("all find each other") { $0.acquaintAll() },
            .allAreIn,
            .wallIsClosed,
            .allAreInSync,
            .once("nobody says that it is open") { try $0.sayOpen() == [] },
            .clocksGoRight,
            .then("Ana opens it") { try $0.openToNearby(by: 0) },
            .once("all say so") { try $0.sayOpen() == [0, 1, 2] },
            .then("Ana is away") { $0.leave(0) },
            .then("Dora comes by what Bob says") { try $0.walkIn(near: 1) },
            .once("she is in", within: .seconds(30)) { stage in
                try stage.level(of: 3, at: 1) == .attendee && stage.world.nodes[3].replica.hasKey()
            },
            .then("she makes a moment") { try $0.moment(by: 3, as: "moment") },
            .then("Ana comes back") { $0.meet() },
            .once("Ana has it, too", within: .seconds(120)) { $0.shows(0, .moment, "moment") },
            .allAreInSync,
            .then("Carl is away", after: .seconds(30)) { $0.leave(2) },
            .then("Ana closes it") { try $0.closeToNearby(by: 0) },
            .once("nobody but Carl says so") { try $0.sayOpen() == [2] },
            .then("somebody who kept what was said knocks at Ana's, and at Dora's") { stage in
                for node in [0, 3] { try stage.knock(at: node) }
            },
            .then("Erin comes by what Carl says") { stage in
                stage.meet()
                stage.part([2, 4], [0, 1, 3])
                try stage.walkIn(near: 2)
            },
            .once("Carl lets her in, who has not heard", within: .seconds(60)) {
                try $0.level(of: 4, at: 2) == .attendee
            },
            .then("they meet") { $0.meet() },
            .once("Erin waits, as who closed it had not heard of her", within: .seconds(120)) { stage in
                try stage.world.nodes[0].replica.isWaiting(stage.world.nodes[4].secrets.person)
            },
            .once("nobody says so any more who is in") { try $0.sayOpen().allSatisfy { $0 == 4 } },
            .then("Ana lets her in") { try $0.promote(4, to: .attendee, by: 0) },
            .once("she reads all, and says nothing", within: .seconds(300)) { stage in
                try stage.shows(4, .moment, "moment") && stage.sayOpen() == []
            },
            .allAreInSync,
        ],
        findings: { stage in
            try stage.everywhere("Dora, who came in time, is in, and who knocked later is not") { node in
                let dora = stage.world.nodes[3].secrets.person
                return try node.replica.level(of: dora) == .attendee && node.shows(.moment, stage.reference("moment"))
                    && stage.visitorsIn(at: node) == 0
            }
        }
    )

    private static let openedTooLong = Scenario(
        name: "opened-too-long",
        summary: "an opening runs out after twelve hours by each clock: it is said no more, and lets nobody in",
        steps: [
            .then("all find each other") { $0.acquaintAll() },
            .allAreIn,
            .wallIsClosed,
            .clocksGoRight,
            .then("Ana opens the event") { try $0.openToNearby(by: 0) },
            .once("all say so") { try $0.sayOpen() == [0, 1, 2] },
            .then("somebody knocks who saw that") { try $0.knock(at: 1) },
            .then("Carl's clock is eleven hours on, and Bob's thirteen") { stage in
                stage.setClock(of: 1, ahead: .seconds(13 * 3600))
                stage.setClock(of: 2, ahead: .seconds(11 * 3600))
            },
            .once("Bob says nothing any more") { try $0.sayOpen() == [0, 2] },
            .then("somebody knocks at Bob's, and at Carl's") { stage in
                for node in [1, 2] { try stage.knock(at: node) }
            },
            .then("the night is over", after: .seconds(60)) { stage in
                for node in 0...2 { stage.setClock(of: node, ahead: .seconds(14 * 3600)) }
            },
            .once("nobody says so") { try $0.sayOpen() == [] },
            .then("somebody knocks who kept what was said") { stage in
                for node in 0...2 { try stage.knock(at: node) }
            },
            .then("Ana opens it again") { try $0.openToNearby(by: 0) },
            .once("all say so again") { try $0.sayOpen() == [0, 1, 2] },
        ],
        findings: { stage in
            try stage.everywhere("two of those who knocked are in: who came in time by each clock") {
                try stage.visitorsIn(at: $0) == 2
            }
        }
    )

    private static let openedAndRemoved = Scenario(
        name: "opened-and-removed",
        summary:
            "a removal closes the event to anyone nearby, whatever links are kept: who was removed has what was said",
        peers: 4,
        steps: [
            .then("all find each other") { $0.acquaintAll() },
            .allAreIn,
            .allAreInSync,
            .clocksGoRight,
            .then("Ana opens the event") { try $0.openToNearby(by: 0) },
            .once("all say so") { try $0.sayOpen() == [0, 1, 2, 3] },
            .then("she removes Dora, and keeps the links") { try $0.removeKeepingLinks(3, by: 0) },
            .once("nobody who takes part says so") { try $0.sayOpen() == [] },
            .then("Dora comes again as somebody else", after: .seconds(30)) { stage in
                for node in 0...2 { try stage.knock(at: node) }
            },
            .then("Ana opens it again, for others") { try $0.openToNearby(by: 0) },
            .once("all who take part say so") { try $0.sayOpen() == [0, 1, 2] },
        ],
        findings: { stage in
            try stage.everywhere("nobody came by what was closed") { try stage.visitorsIn(at: $0) == 0 }
        }
    )
}

extension Scenario.Step {
    /// Else what some take for over is open at others.
    fileprivate static let clocksGoRight = then("all clocks go right") { stage in
        for node in stage.world.nodes { stage.setClock(of: node.number, ahead: .zero) }
    }
}
