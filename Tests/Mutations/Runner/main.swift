// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleSimulator

// The program that scripts/mutation-check builds: `mutant SEED PEERS HOURS FOLDER` plays one event and prints the result
// as JSON. It ends with 20 if a checker found something, and with 21 if the event could not be played to its end.

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 4, let seed = UInt64(arguments[1]), let peers = Int(arguments[2]),
    let hours = Int(arguments[3])
else {
    print("usage: mutant SEED PEERS HOURS FOLDER")
    exit(64)
}

do {
    let result = try Simulation.run(SimulationOptions(seed: seed, peers: peers, hours: hours, folder: arguments[4]))
    print(String(decoding: try JSONEncoder().encode(result), as: UTF8.self))
    exit(result.findings.isEmpty ? 0 : 20)
} catch {
    print(error)
    exit(21)
}
