// SPDX-License-Identifier: Apache-2.0

/// Looks for something that must not be, once all faults are healed and all peers should hold the same.
protocol Checker: Sendable {
    /// What the findings are listed under.
    var name: String { get }

    /// Every difference from what should be, in words.
    func findings(in world: World) throws -> [String]
}

extension World {
    /// All checkers that look at the end.
    static let checkers: [any Checker] = [
        ConvergenceChecker(), KindChecker(), ReadersChecker(), SearchChecker(), PeopleChecker(), ErasureChecker(),
        RemainsChecker(), MediaChecker(), BoundednessChecker(), UsageChecker(), RecomputationChecker(),
        // Behind the one that works everything out anew: no order may change by that.
        ListsChecker(), AuthorshipChecker(), IdentityChecker(), AudienceChecker(), PrivacyChecker(), ReportChecker(),
        TiesChecker(), GuestsChecker(), TrafficChecker(), RelayChecker(), NearbyChecker(), ScenarioChecker(),
    ]

    /// Lets every checker look.
    func check() throws {
        if options.planted == .leaksKey { try leakKey() }
        dumps = [:]
        defer { dumps = nil }
        for checker in Self.checkers {
            for detail in try checker.findings(in: self) { report(checker.name, detail) }
        }
        trace.note(.checked, at: now, UInt64(findings.count))
    }
}

/// The first line in which two sorted lists differ, and whose it is.
func firstDifference(_ left: [String], _ right: [String]) -> (line: String, isLeft: Bool)? {
    // Nearly always they are equal, and hashing long lists takes longer than going through them.
    guard left != right else { return nil }
    let (lefts, rights) = (Set(left), Set(right))
    if let line = left.first(where: { !rights.contains($0) }) { return (line, true) }
    if let line = right.first(where: { !lefts.contains($0) }) { return (line, false) }
    return nil
}
