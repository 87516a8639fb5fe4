// SPDX-License-Identifier: Apache-2.0

import Testing

/// What `mingle-simulate` says of runs that showed something, or too little.
@Suite(.timeLimit(.minutes(5)))
struct SimulateTests {
    private let simulate = Mingle(data: "/nowhere", program: "mingle-simulate")

    @Test func `a scenario in which nothing is wrong ends with 0, and says which it was`() throws {
        let words = ["--seed", "1", "--scenario", "two-faces", "--complete", "--require", "links=2"]
        let outcome = try simulate(words)
        #expect(outcome.code == 0, "\(outcome)")
        #expect(outcome.output.contains("seed 1, two-faces: 4 peers"))
    }

    @Test(arguments: [("flippedBits", "flippedBits"), ("links=1000000", "links 1000000 times")])
    func `runs in which it did not happen as often as required prove little`(required: String, missing: String) throws {
        let outcome = try simulate("--seed", "1", "--scenario", "two-faces", "--require", required)
        #expect(outcome.code == 21 && outcome.output.contains("Not in these runs: \(missing)."), "\(outcome)")
    }

    @Test func `what is found ends with 20, and with the command that plays it again`() throws {
        let words = ["--seed", "1", "--scenario", "two-faces", "--plant", "disowns"]
        let outcome = try simulate(words)
        #expect(outcome.code == 20 && outcome.output.contains("FAILED authorship"), "\(outcome)")
        #expect(outcome.output.contains("replay: mingle-simulate \(words.joined(separator: " "))"))
    }

    @Test(arguments: [
        ["--scenario", "two-face"], ["--require", "renewal"], ["--require", "renewals=0"], ["--require", "renewals=x"],
        ["--scenario", "all", "--trace", "/nowhere/trace"], ["--scenario", "all", "--peers", "3"],
        ["--scenario", "two-faces", "--behaviour", "greed"],
    ])
    func `what cannot be played is refused`(words: [String]) throws {
        let outcome = try simulate(["--seed", "1"] + words)
        #expect(outcome.code == 64 && outcome.output.isEmpty, "\(outcome)")
    }
}
