// SPDX-License-Identifier: Apache-2.0

/// Why a simulation could not be run.
package enum SimulationError: Error, Equatable, CustomStringConvertible {
    /// The trace's file cannot be made, or not be written to its end.
    case trace(path: String)
    /// The folder for the peers' files cannot be made.
    case folder(path: String)

    package var description: String {
        switch self {
        case .trace(let path): "The trace \(path) cannot be written; make room, or choose another file with --trace."
        case .folder(let path): "The folder \(path) cannot be made; remove it, or choose another place with --folder."
        }
    }
}

/// A mistake that is built in on purpose, to prove that a checker finds it.
package enum PlantedFault: String, Sendable, CaseIterable {
    /// A peer says of some runs that it merged them and does not.
    case dropsRun = "drops-run"
    /// A peer never answers a request for runs.
    case neverServes = "never-serves"
    /// A peer tells its person that something is shared and does not store it.
    case losesWrite = "loses-write"
    /// A peer keeps the blobs of what was deleted.
    case keepsBlobs = "keeps-blobs"
    /// A relay's folder holds a key of the event's.
    case leaksKey = "leaks-key"
    /// A peer that meets its own key elsewhere does not draw another.
    case keepsKey = "keeps-key"
    /// A peer holds in its own name what it did not write.
    case disowns
    /// A peer takes whoever passes on what a hostile one wrote for its forger.
    case blames
}

/// What one run is made of; everything else follows from the seed.
package struct SimulationOptions: Sendable {
    /// What everything is drawn from.
    package var seed: UInt64
    /// How many devices take part; nil lets the seed draw 4 to 12.
    package var peers: Int?
    /// What a person does in an hour on the average; nil lets the seed draw 25 to 80.
    package var posts: Int?
    /// How long people post and things go wrong, in virtual hours.
    package var hours: Double
    /// What does not go wrong.
    package var without: Set<Fault>
    /// Where the folder of the peers' files is made, which is removed after the run.
    package var folder: String
    /// Where the trace is written, if it is.
    package var trace: String?
    /// A mistake to build in.
    package var planted: PlantedFault?
    /// How many peers besides these are hostile; nil lets the seed draw.
    package var hostile: Int?
    /// What is played instead of what the seed would draw.
    package var scenario: Scenario?
    /// How many times a peer's files are copied and used again; nil lets the seed draw.
    package var copies: Int?
    /// How many relays there are besides; nil lets the seed draw.
    package var relays: Int?
    /// How many phones take part by a door; nil lets the seed draw.
    package var phones: Int?
    /// How often bits flip on somebody's disk; nil for never.
    package var flips: Int?
    /// Bytes of each other person's words that nodes hold until all is healed, 0 for as much as ever; nil lets the seed draw.
    package var keptWords: Int?
    /// Words of each other person's that carry times of one hour and that nodes hold until all is healed, 0 for as many as ever; nil lets
    /// the seed draw.
    package var keptHourly: Int?
    /// How all hostile peers behave; nil lets the seed draw for each.
    package var behaviours: [Behaviour]?

    /// Describes a run.
    package init(
        seed: UInt64,
        peers: Int? = nil,
        posts: Int? = nil,
        hours: Double = 1,
        without: Set<Fault> = [],
        folder: String,
        trace: String? = nil,
        planted: PlantedFault? = nil,
        hostile: Int? = nil,
        copies: Int? = nil,
        relays: Int? = nil,
        phones: Int? = nil,
        keptWords: Int? = nil,
        keptHourly: Int? = nil,
        flips: Int? = nil,
        scenario: Scenario? = nil,
        behaviours: [Behaviour]? = nil
    ) {
        (self.seed, self.peers, self.posts, self.hours) = (seed, peers, posts, hours)
        self.without = without
        (self.folder, self.trace, self.planted) = (folder, trace, planted)
        (self.hostile, self.copies, self.behaviours) = (hostile, copies, behaviours)
        (self.relays, self.keptWords, self.keptHourly) = (relays, keptWords, keptHourly)
        self.phones = phones
        (self.scenario, self.flips) = (scenario, flips)
    }
}

/// Something that must not be.
package struct Finding: Hashable, Codable, Sendable {
    /// The checker that found it.
    package let checker: String
    /// What is wrong.
    package let detail: String
    /// When it was found, in virtual seconds.
    package let seconds: Int
}

/// What a run showed.
package struct SimulationResult: Codable, Sendable {
    /// The run's seed.
    package let seed: UInt64
    /// The scenario that was played, if one was.
    package let scenario: String?
    /// Devices that took part.
    package let peers: Int
    /// Virtual hours of posting and faults.
    package let hours: Double
    /// Those hours, counted for each node from when it came: also for relays, devices that were linked and people who came by chance.
    package let peerHours: Double
    /// A hash of all that happened.
    package let trace: String
    /// How many things that was.
    package let events: Int
    /// Virtual seconds between the end of all faults and the moment when all peers held the same; nil if never.
    package let healedAfter: Int?
    /// How often what makes a run worth anything happened.
    package let coverage: Coverage
    /// What must not be.
    package let findings: [Finding]
}
