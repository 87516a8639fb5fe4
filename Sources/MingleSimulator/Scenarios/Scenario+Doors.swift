// SPDX-License-Identifier: Apache-2.0

import MingleModel

extension Scenario {
    /// How people come in.
    static let doors = [twoNewcomers]

    private static let twoNewcomers = Scenario(
        name: "two-newcomers",
        summary: "two newcomers meet before anybody has let them in, and only one of them ever meets a member",
        minutes: 5,
        steps: [
            .then("the founder is alone") { $0.isolate([0]) },
            .then("two newcomers come") { stage in
                for node in [1, 2] { try stage.world.arrive(stage.world.nodes[node]) }
            },
            .then("one of them meets the founder", after: .seconds(60)) { stage in
                stage.meet()
                stage.part([0], [2])
            },
            .once("both are in") { try $0.allAreIn() },
            .then("the founder makes a moment") { try $0.moment(by: 0, as: "moment") },
            .once("the other has it, by the link that was there before", within: .seconds(20)) { stage in
                stage.shows(2, .moment, "moment")
            },
        ],
        late: [1, 2]
    )
}
