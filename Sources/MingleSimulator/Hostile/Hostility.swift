// SPDX-License-Identifier: Apache-2.0

import MingleSync
import MingleWire

/// What makes a node hostile: how it behaves, and what it remembers for that.
struct Hostility {
    /// Greetings that are kept to be used again.
    private static let greetingLimit = 8

    let behaviours: [Behaviour]
    /// Whether it holds no more than the key to the door.
    let isStranger: Bool
    var dice: Dice
    /// How often it did what.
    private(set) var deeds: [Behaviour: Int] = [:]
    /// The last delta of the branch of its own journal that it goes on with.
    var tip: Delta?
    /// Greetings that it has heard or said.
    private var greetings: [[UInt8]] = []

    init(_ behaviours: [Behaviour], isStranger: Bool, _ dice: Dice) {
        (self.behaviours, self.isStranger, self.dice) = (behaviours, isStranger, dice)
    }

    /// Draws what a hostile peer is like.
    static func drawn(among wanted: [Behaviour]?, _ dice: inout Dice) -> Hostility {
        if let wanted { return Hostility(wanted, isStranger: false, dice.fork()) }
        let isStranger = dice.chance(20)
        // Silence is a scenario's; withholding has it among others.
        var left = Behaviour.allCases.filter { $0 != .silence && (!isStranger || $0.needsNoAdmission) }
        var chosen: [Behaviour] = []
        for _ in 0..<dice.number(1...4) {
            chosen.append(left.remove(at: dice.number(0...(left.count - 1))))
        }
        return Hostility(chosen, isStranger: isStranger, dice.fork())
    }

    func does(_ behaviour: Behaviour) -> Bool { behaviours.contains(behaviour) }

    /// Notes that it did what it does.
    mutating func note(_ behaviour: Behaviour) { deeds[behaviour, default: 0] += 1 }

    /// Keeps a greeting.
    mutating func keep(greeting: [UInt8]) {
        guard does(.replays), greetings.count < Self.greetingLimit else { return }
        greetings.append(greeting)
    }

    /// A greeting of another session, if it wants to use one.
    mutating func oldGreeting() -> [UInt8]? {
        guard does(.replays), !greetings.isEmpty, dice.chance(60) else { return nil }
        return dice.pick(greetings)
    }
}
