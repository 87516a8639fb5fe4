// SPDX-License-Identifier: Apache-2.0

extension World {
    /// How long something new may take to be everywhere while nothing is wrong: less than until peers compare what they
    /// hold, which would hide that they were not told.
    private static let promptness = Duration.seconds(25)

    /// Shares something when all is well, and looks whether everybody has it soon.
    func sendCanaries() throws {
        let writers = honest.filter { !$0.isRetired }
        for node in [dice.pick(writers), dice.pick(writers)] {
            try rename(node)
            try sharePhoto(node)
            let end = now + Self.promptness
            var isLevel = false
            while !isLevel, now < end {
                try run(until: now + .seconds(1))
                isLevel = try ConvergenceChecker.isLevel(self)
            }
            if !isLevel { report("promptness", "not all have what node \(node.number) shared when all was well") }
        }
        // What was fetched last is still being told of.
        try run(until: now + .seconds(20))
    }
}
