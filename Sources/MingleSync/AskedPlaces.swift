// SPDX-License-Identifier: Apache-2.0

/// The places of a growing list that a peer was asked about: what came last is asked about first, so that a newcomer sees
/// what is going on before what was.
struct AskedPlaces: Sendable, Equatable {
    /// In ascending order, with gaps in between: one at most for each question that came too late for all that was new.
    private var stretches: [Range<Int>] = []

    /// The last places before `count` that the peer was not asked about, at most so many; nil if there is none.
    func latestGap(before count: Int, most: Int) -> Range<Int>? {
        var end = count
        for stretch in stretches.reversed() {
            if stretch.upperBound < end { return max(stretch.upperBound, end - most)..<end }
            end = stretch.lowerBound
        }
        return end > 0 ? max(0, end - most)..<end : nil
    }

    /// Notes that the peer was asked about some places.
    mutating func insert(_ places: Range<Int>) {
        let first = stretches.firstIndex { $0.upperBound >= places.lowerBound } ?? stretches.count
        let last = stretches[first...].firstIndex { $0.lowerBound > places.upperBound } ?? stretches.count
        let lower = min(places.lowerBound, stretches[first..<last].first?.lowerBound ?? places.lowerBound)
        let upper = max(places.upperBound, stretches[first..<last].last?.upperBound ?? places.upperBound)
        stretches.replaceSubrange(first..<last, with: [lower..<upper])
    }

    /// Follows a list from which places were taken out; `remaining` says of each place how many before it stay.
    mutating func compact(_ remaining: [Int]) {
        let moved = stretches.map { remaining[$0.lowerBound]..<remaining[$0.upperBound] }
        stretches = []
        for stretch in moved where !stretch.isEmpty { insert(stretch) }
    }
}
