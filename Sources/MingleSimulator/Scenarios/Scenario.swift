// SPDX-License-Identifier: Apache-2.0

/// An event of which the people, what they do and what goes wrong are written down; a seed varies the rest: the network,
/// the delays and the keys.
package struct Scenario: Sendable {
    /// One thing that happens once the one before it has.
    struct Step: Sendable {
        let name: String
        let pause: Duration
        /// How long it is waited for.
        var patience = Duration.seconds(300)
        /// Does it; false to be asked again a little later.
        let act: @Sendable (Stage) throws -> Bool

        /// Something that is done, a while after what came before.
        static func then(
            _ name: String,
            after pause: Duration = .seconds(1),
            _ act: @escaping @Sendable (Stage) throws -> Void
        ) -> Step {
            Step(name: name, pause: pause) { stage in
                try act(stage)
                return true
            }
        }

        /// Something that is waited for.
        static func once(
            _ name: String,
            within patience: Duration = .seconds(300),
            _ condition: @escaping @Sendable (Stage) throws -> Bool
        ) -> Step {
            Step(name: name, pause: .zero, patience: patience, act: condition)
        }

        /// The founder closes the link on the wall.
        static let wallIsClosed = then("the founder closes the link on the wall, which whoever has it could read by") {
            try $0.closeWall(by: 0)
        }
        /// All who are there can read and write.
        static let allAreIn = once("all are in") { try $0.allAreIn() }
        /// All honest nodes hold the same headers.
        static let allAreInSync = once("all hold the same") { try $0.isInSync() }
    }

    /// What it is called on the command line.
    package let name: String
    /// What has to come of it, and of which counterexamples it is.
    package let summary: String
    /// Devices that take part, and how many of them are second devices of the people before them.
    var peers = 3
    var secondDevices = 0
    /// How the hostile peers behave that are there besides, one peer for each list.
    var hostile: [[Behaviour]] = []
    var minutes = 20
    var copies: [CopyPlan] = []
    /// What is done to the plan besides.
    var change: @Sendable (inout WorldPlan) -> Void = { _ in }
    let steps: [Step]
    /// What must not be at the end, besides what the checkers find.
    var findings: @Sendable (Stage) throws -> [String] = { _ in [] }
    /// Devices that a step brings to the event.
    var late: Set<Int> = []
    /// Relays, which come behind the devices.
    var relays = 0
    /// Phones at a door, which comes behind the relays.
    var phones = 0

    /// Every scenario there is.
    package static let all =
        records + edits + orders + sources + disks + devices + doors + links + removals + leavings + moderation
        + places + privately + relaying + company + strangers + linking + nearby + phoning

    /// The scenario of a name.
    package static func named(_ name: String) -> Scenario? { all.first { $0.name == name } }
}

extension WorldPlan {
    /// Takes from a scenario what that fixes.
    mutating func adopt(_ scenario: Scenario) {
        (peers, secondDevices) = (scenario.peers, scenario.secondDevices)
        length = .seconds(scenario.minutes * 60)
        (deedsPerHour, hasFaults) = (0, false)
        copies = scenario.copies
        (relays, phones) = (scenario.relays, scenario.phones)
        var dice = Dice(seed: UInt64(bandwidth))
        hostile = scenario.hostile.map { Hostility($0, isStranger: false, dice.fork()) }
        scenario.change(&self)
    }
}
