// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleSimulator

// The program that scripts/mutation-check builds: `mutant SEED FOLDER [NAME=VALUE …]` plays one event and prints the
// result as JSON. Names are peers, hours, posts, hostile, copies, behaviour, scenario, and calm=1, with which nothing goes
// wrong. It ends with 20 if a checker found something, with 21 if the event could not be played, and with 64 if it was
// called with words that it does not know.

/// Ends the program over a word that it does not know.
func refuse(_ word: String) -> Never {
    print("mutant: what is \(word)?")
    exit(64)
}

/// What the call says about the world, by name.
struct Words {
    private var values: [String: String] = [:]

    init(_ arguments: some Sequence<String>) {
        for word in arguments {
            guard let sign = word.firstIndex(of: "=") else { refuse(word) }
            values[String(word[..<sign])] = String(word[word.index(after: sign)...])
        }
    }

    /// A name that was not asked for.
    var left: String? { values.keys.min() }

    /// Takes the value of a name; nil if there is none.
    mutating func take<Value>(_ name: String, _ read: (String) -> Value?) -> Value? {
        guard let word = values.removeValue(forKey: name) else { return nil }
        guard let value = read(word) else { refuse("\(name)=\(word)") }
        return value
    }
}

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count >= 2, let seed = arguments.first.flatMap(UInt64.init) else {
    print("usage: mutant SEED FOLDER [NAME=VALUE …]")
    exit(64)
}

var words = Words(arguments.dropFirst(2))
let options = SimulationOptions(
    seed: seed,
    peers: words.take("peers", Int.init),
    posts: words.take("posts", Int.init),
    hours: words.take("hours", Double.init) ?? 1,
    without: words.take("calm") { $0 == "1" ? Set(Fault.allCases) : nil } ?? [],
    folder: arguments.dropFirst().first ?? "",
    hostile: words.take("hostile", Int.init),
    copies: words.take("copies", Int.init),
    scenario: words.take("scenario", Scenario.named),
    behaviours: words.take("behaviour", Behaviour.init).map { [$0] }
)
if let unknown = words.left { refuse(unknown) }

let result: SimulationResult
do {
    result = try Simulation.run(options)
} catch {
    print(error)
    exit(21)
}
print(String(decoding: try JSONEncoder().encode(result), as: UTF8.self))
exit(result.findings.isEmpty ? 0 : 20)
