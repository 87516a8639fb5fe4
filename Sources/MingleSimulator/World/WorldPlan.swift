// SPDX-License-Identifier: Apache-2.0

import MingleReplica
import MingleSync

/// What kind of world a run takes place in, drawn before it begins: every seed has another one.
struct WorldPlan {
    /// Devices that take part.
    var peers: Int
    /// Of these, how many are second devices of somebody.
    var secondDevices: Int
    /// How long people post and things go wrong.
    var length: Duration
    /// How long all may take to hold the same once everything is healed.
    let healing = Duration.seconds(15 * 60)
    /// Peers that each device dials.
    let degree: Int
    /// How long a byte is on its way, at the least.
    var latency: Duration
    /// Bytes a second of a link in one direction.
    var bandwidth: Int
    /// What a person does in an hour.
    var deedsPerHour: Int
    /// How long a peer's queues take for a piece of work, at the most, in microseconds.
    var slowness: Int
    /// Peers besides these that do harm.
    var hostile: [Hostility]
    /// Relays besides these.
    var relays: Int
    /// Phones that take part by doors, of which there is one, or none without phones.
    var phones: Int
    /// Bytes of each other person's words that nodes hold until all is healed; nil: as much as ever.
    var keptWords: Int?
    /// Words of one hour of each other person's that nodes hold until all is healed; nil: as many as ever.
    var keptHourly: Int?
    /// What sessions are bound by.
    var limits = SyncLimits()
    /// Copies of peers' files that are used later.
    var copies: [CopyPlan]
    /// Bits that flip.
    var flips: [FlipPlan]
    /// Whether things go wrong by chance.
    var hasFaults = true
    /// The milliseconds in which clocks go on.
    let clockStep: Int64
    /// How often each kind of fault happens, somewhere: the mean time between two.
    let pause: FaultPauses

    struct FaultPauses {
        let cut, block, sleep, restart, jump, powerCut, fullDisk: Duration
    }

    init(_ options: SimulationOptions, _ dice: inout Dice) {
        // What is given is drawn nevertheless, so that the rest of the world stays the same.
        let drawnPeers = dice.number(4...12)
        peers = max(2, options.peers ?? drawnPeers)
        secondDevices = peers < 4 ? 0 : max(1, peers * dice.number(20...45) / 100)
        length = .seconds(max(60, Int(options.hours * 3600)))
        degree = dice.number(2...5)
        latency = dice.milliseconds(1...120)
        bandwidth = dice.pick([40_000, 250_000, 2_000_000])
        let drawnDeeds = dice.number(25...80)
        deedsPerHour = options.posts ?? drawnDeeds
        let drawnSlowness = dice.pick([500, 5000, 200_000])
        // Nobody answers a crowd, or shares a picture among it, within seconds where a piece of that takes a tenth of a second to read;
        // and the larger it is, the more come at once and ask for all journals.
        slowness = peers > Self.slowPeers ? min(drawnSlowness, 5000 * Self.slowPeers / peers) : drawnSlowness
        pause = FaultPauses(
            cut: .seconds(dice.number(60...900)),
            block: .seconds(dice.number(200...1200)),
            sleep: .seconds(dice.number(200...1200)),
            restart: .seconds(dice.number(200...1200)),
            jump: .seconds(dice.number(300...1500)),
            powerCut: .seconds(dice.number(200...1200)),
            fullDisk: .seconds(dice.number(300...1500))
        )
        clockStep = dice.pick([1, 1, 60_000, 1_800_000])
        hostile = Self.hostile(options)
        copies = Self.copies(options, peers: peers, length: length)
        relays = Self.relays(options)
        phones = Self.phones(options)
        keptWords = Self.keptWords(options)
        keptHourly = Self.keptHourly(options)
        flips = Self.flips(options, peers: peers, relays: relays, length: length)
    }

    /// Drawn apart, too.
    private static func relays(_ options: SimulationOptions) -> Int {
        var dice = Dice(seed: options.seed &+ 0x7265_6c61_7973)
        let drawn = dice.pick([(0, 50), (1, 35), (2, 15)])
        return options.relays ?? drawn
    }

    /// Drawn apart, too.
    private static func phones(_ options: SimulationOptions) -> Int {
        var dice = Dice(seed: options.seed &+ 0x7068_6f6e_6573)
        let drawn = dice.pick([(0, 60), (dice.number(1...8), 30), (dice.number(9...20), 10)])
        return options.phones ?? drawn
    }

    /// What nodes of a run hold until all is healed, drawn apart, too.
    static func keptWords(_ options: SimulationOptions) -> Int? {
        var dice = Dice(seed: options.seed &+ 0x6b65_7074)
        let drawn = dice.pick([(0, 80), (500, 10), (4000, 10)])
        let kept = options.keptWords ?? (options.scenario == nil ? drawn : 0)
        return kept > 0 ? kept : nil
    }

    /// What nodes of a run hold of one hour until all is healed, drawn apart, too.
    static func keptHourly(_ options: SimulationOptions) -> Int? {
        var dice = Dice(seed: options.seed &+ 0x686f_7572)
        let drawn = dice.pick([(0, 80), (4, 10), (15, 10)])
        let kept = options.keptHourly ?? (options.scenario == nil ? drawn : 0)
        return kept > 0 ? kept : nil
    }

    /// Drawn apart, so that a seed's world is the same with and without them.
    private static func hostile(_ options: SimulationOptions) -> [Hostility] {
        var dice = Dice(seed: ~options.seed)
        let drawn = dice.pick([(0, 40), (1, 35), (2, 25)])
        return (0..<(options.hostile ?? drawn)).map { _ in Hostility.drawn(among: options.behaviours, &dice) }
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

extension WorldPlan {
    /// Above so many peers their files take more memory than there is.
    private static let peersInMemory = 100
    /// Above so many none is so slow that those who come together wait for it.
    private static let slowPeers = 50

    /// What nodes hold of each other person until all is healed.
    ///
    /// Keys have room: who lacks one can do nothing at all.
    var quota: Quota {
        let usual = Quota.customary
        return Quota(words: keptWords ?? usual.words, keys: usual.keys, hourly: keptHourly ?? usual.hourly)
    }

    /// Whether nodes hold less of each other person than they usually do.
    var keepsLittle: Bool { quota != .customary }

    /// Whether people leave, or are removed, by chance: who is out takes along what nobody kept.
    var maySendAway: Bool { hasFaults && !keepsLittle }

    /// Whether nodes have disks of their own; else their files go to a folder.
    var hasDisks: Bool { peers <= Self.peersInMemory }
}
