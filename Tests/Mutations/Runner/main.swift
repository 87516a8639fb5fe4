// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleSimulator

// The program that scripts/mutation-check builds: `mutant SEED FOLDER [NAME=VALUE …]` plays one event and prints the
// result as JSON. Names are peers, hours, posts, hostile, copies, behaviour, scenario, and calm, with which nothing goes
// wrong. It ends with 20 if a checker found something, and with 21 if the event could not be played to its end.

var arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 2, let seed = UInt64(arguments[0]) else {
    print("usage: mutant SEED FOLDER [NAME=VALUE …]")
    exit(64)
}

let pairs = arguments.dropFirst(2).map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
let world = Dictionary(pairs.map { ($0[0], $0.last ?? "") }) { $1 }

let options = SimulationOptions(
    seed: seed,
    peers: world["peers"].flatMap(Int.init),
    posts: world["posts"].flatMap(Int.init),
    hours: world["hours"].flatMap(Double.init) ?? 1,
    without: world["calm"] == nil ? [] : Set(Fault.allCases),
    folder: arguments[1],
    hostile: world["hostile"].flatMap(Int.init),
    copies: world["copies"].flatMap(Int.init),
    scenario: world["scenario"].flatMap(Scenario.named),
    behaviours: world["behaviour"].flatMap(Behaviour.init).map { [$0] }
)

do {
    let result = try Simulation.run(options)
    print(String(decoding: try JSONEncoder().encode(result), as: UTF8.self))
    exit(result.findings.isEmpty ? 0 : 20)
} catch {
    print(error)
    exit(21)
}
