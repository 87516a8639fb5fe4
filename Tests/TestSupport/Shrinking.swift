// SPDX-License-Identifier: Apache-2.0

/// What is left of a failing case after a search for a smaller one that fails as well.
package struct Shrunk<Case> {
    /// The smallest failing case that was found.
    package var smallest: Case
    /// What is wrong with it.
    package var complaint: String
    /// How many cases were tried.
    package var attempts = 0
}

/// Looks for a small failing case, in steps that each keep it failing.
///
/// - Parameters:
///   - failing: a case that fails.
///   - complaint: what is wrong with it.
///   - limit: how many cases are tried at most.
///   - smaller: simpler cases than a given one, the boldest first; none of them may be as complex.
///   - check: what is wrong with a case; nil if nothing.
package func shrink<Case>(
    _ failing: Case,
    complaint: String,
    attempts limit: Int,
    smaller: (Case) -> [Case],
    check: (Case) throws -> String?
) rethrows -> Shrunk<Case> {
    var found = Shrunk(smallest: failing, complaint: complaint)
    var candidates = smaller(failing)
    var place = 0
    // Candidates tried since the last that failed: when all of them hold, nothing smaller is in reach.
    var idle = 0
    while idle < candidates.count, found.attempts < limit {
        found.attempts += 1
        let candidate = candidates[place % candidates.count]
        guard let complaint = try check(candidate) else {
            (place, idle) = (place + 1, idle + 1)
            continue
        }
        (found.smallest, found.complaint) = (candidate, complaint)
        // Goes on from the same place: what lies before it was tried on nearly the same case.
        candidates = smaller(candidate)
        idle = 0
    }
    return found
}

extension Array {
    /// This array without one stretch: first without halves, then without ever shorter ones, the last elements first.
    package var withoutStretches: [[Element]] {
        var shorter: [[Element]] = []
        var length = (count + 1) / 2
        while length > 0 {
            for end in stride(from: count, to: 0, by: -length) {
                var rest = self
                rest.removeSubrange(Swift.max(0, end - length)..<end)
                shorter.append(rest)
            }
            length = length == 1 ? 0 : (length + 1) / 2
        }
        return shorter
    }
}
