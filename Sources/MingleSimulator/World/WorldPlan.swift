// SPDX-License-Identifier: Apache-2.0

/// What kind of world a run takes place in, drawn before it begins: every seed has another one.
struct WorldPlan {
    /// Devices that take part.
    let peers: Int
    /// Of these, how many are second devices of somebody.
    let secondDevices: Int
    /// How long people post and things go wrong.
    let length: Duration
    /// How long all may take to hold the same once everything is healed.
    let healing = Duration.seconds(15 * 60)
    /// Peers that each device dials.
    let degree: Int
    /// How long a byte is on its way, at the least.
    let latency: Duration
    /// Bytes a second of a link in one direction.
    let bandwidth: Int
    /// What a person does in an hour.
    let deedsPerHour: Int
    /// How long a peer's queues take for a piece of work, at the most, in microseconds.
    let slowness: Int
    /// The milliseconds in which clocks go on.
    let clockStep: Int64
    /// How often each kind of fault happens, somewhere: the mean time between two.
    let pause: FaultPauses

    struct FaultPauses {
        let cut, block, sleep, restart, jump: Duration
    }

    init(_ options: SimulationOptions, _ dice: inout Dice) {
        peers = max(2, options.peers ?? dice.number(4...12))
        secondDevices = peers < 4 ? 0 : max(1, peers * dice.number(20...45) / 100)
        length = .seconds(max(1, options.hours) * 3600)
        degree = dice.number(2...5)
        latency = dice.milliseconds(1...120)
        bandwidth = dice.pick([40_000, 250_000, 2_000_000])
        deedsPerHour = dice.number(25...80)
        slowness = dice.pick([500, 5000, 200_000])
        pause = FaultPauses(
            cut: .seconds(dice.number(60...900)),
            block: .seconds(dice.number(200...1200)),
            sleep: .seconds(dice.number(200...1200)),
            restart: .seconds(dice.number(200...1200)),
            jump: .seconds(dice.number(300...1500))
        )
        clockStep = dice.pick([1, 1, 60_000, 1_800_000])
    }

    /// How busy people are after a share of the event: arrival, ceremony, dinner, midnight.
    func rhythm(at time: Duration) -> Int {
        switch Int(time / length * 100) {
        case ..<15: 100
        case 15..<22: 20
        case 22..<26: 500
        case 26..<60: 80
        case 60..<63: 800
        default: 60
        }
    }
}
