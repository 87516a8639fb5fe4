// SPDX-License-Identifier: Apache-2.0

import MingleModel
import Testing

/// The button table and the posting matrix, cell by cell (inJoin, figure 5.19).
struct MomentRulesTests {
    /// What one cell of the two tables says.
    struct Cell: Sendable, CustomTestStringConvertible {
        let participation: ParticipationState?
        let status: MomentStatus
        let button: MomentButton
        let mayPost: Bool

        var testDescription: String {
            let who = participation.map { "\($0)" } ?? "nobody"
            return "\(who), \(status)"
        }
    }

    static let cells: [Cell] = [
        Cell(participation: nil, status: .notStarted, button: .join, mayPost: false),
        Cell(participation: nil, status: .ongoing, button: .join, mayPost: false),
        Cell(participation: nil, status: .ended, button: .ended, mayPost: false),
        Cell(participation: .ignored, status: .notStarted, button: .join, mayPost: false),
        Cell(participation: .ignored, status: .ongoing, button: .join, mayPost: false),
        Cell(participation: .ignored, status: .ended, button: .ended, mayPost: false),
        Cell(participation: .joined, status: .notStarted, button: .joined, mayPost: true),
        Cell(participation: .joined, status: .ongoing, button: .checkIn, mayPost: false),
        Cell(participation: .joined, status: .ended, button: .ended, mayPost: false),
        // Nobody checks in before the start, but the creator may move the start afterwards.
        Cell(participation: .checkedIn, status: .notStarted, button: .checkedIn, mayPost: true),
        Cell(participation: .checkedIn, status: .ongoing, button: .checkedIn, mayPost: true),
        Cell(participation: .checkedIn, status: .ended, button: .ended, mayPost: true),
    ]

    @Test(arguments: cells)
    func `the button is the one of the table`(cell: Cell) {
        #expect(MomentRules.button(cell.participation, cell.status) == cell.button)
    }

    @Test(arguments: cells)
    func `who may post is what the matrix says`(cell: Cell) {
        #expect(MomentRules.mayPost(cell.participation, cell.status) == cell.mayPost)
    }

    @Test func `the tables have every cell once`() {
        let names = Set(Self.cells.map(\.testDescription))
        #expect(names.count == Self.cells.count)
        #expect(names.count == (ParticipationState.allCases.count + 1) * MomentStatus.allCases.count)
    }

    @Test(
        arguments: [
            (999, .notStarted), (1000, .ongoing), (1001, .ongoing), (1999, .ongoing), (2000, .ended), (2001, .ended),
        ] as [(Int64, MomentStatus)]
    )
    func `a moment goes on from its start until just before its end`(now: Int64, status: MomentStatus) {
        let (start, end) = (Timestamp(milliseconds: 1000), Timestamp(milliseconds: 2000))
        #expect(MomentStatus(start: start, end: end, now: Timestamp(milliseconds: now)) == status)
    }

    @Test func `a moment that ends as it starts never goes on`() {
        let instant = Timestamp(milliseconds: 1000)
        for now: Int64 in [0, 999, 1000, 1001] {
            #expect(MomentStatus(start: instant, end: instant, now: Timestamp(milliseconds: now)) != .ongoing)
        }
    }

    @Test func `the words of the API are those that it documents`() {
        #expect(MomentStatus.allCases.map(\.rawValue) == ["not_started", "ongoing", "ended"])
        #expect(MomentButton.allCases.map(\.rawValue) == ["join", "joined", "check_in", "checked_in", "ended"])
    }

    @Test func `taking part goes from ignoring to being there`() {
        #expect(ParticipationState.allCases.sorted() == [.ignored, .joined, .checkedIn])
        #expect(ParticipationState.allCases.map(\.rawValue) == [1, 2, 3])
    }

    @Test func `times before 1970 are taken for its beginning`() {
        #expect(Timestamp(milliseconds: -1) == Timestamp(milliseconds: 0))
        #expect(Timestamp(milliseconds: .min).milliseconds == 0)
        #expect(Timestamp(milliseconds: .max).milliseconds == .max)
    }
}

/// How photos stand outside of their moment.
struct MomentBoundsTests {
    /// From 1000 to 2000, 100 metres around a point.
    private let bounds = MomentBounds(start: 1000, end: 2000, latitude: 0, longitude: 0, radius: 100)

    @Test func `a photo within time and place has no mark, and one outside has what fits`() {
        #expect(bounds.outside(taken: 1000, latitude: 0, longitude: 0).isEmpty)
        #expect(bounds.outside(taken: 2000, latitude: 5000, longitude: 0).isEmpty)
        #expect(bounds.outside(taken: 999, latitude: 0, longitude: 0) == [.before])
        #expect(bounds.outside(taken: 2001, latitude: 10_000, longitude: 0) == [.after, .elsewhere])
        #expect(bounds.outside(taken: nil, latitude: 1_000_000, longitude: 0) == [.elsewhere])
    }

    @Test func `what is not known is not outside`() {
        #expect(bounds.outside(taken: nil, latitude: nil, longitude: nil).isEmpty)
        #expect(bounds.outside(taken: nil, latitude: 1_000_000, longitude: nil).isEmpty)
        for (latitude, radius) in [(Int64?.none, Int64?.some(1)), (0, nil)] {
            let open = MomentBounds(start: 1, end: 2, latitude: latitude, longitude: 0, radius: radius)
            #expect(open.outside(taken: 1, latitude: 1_000_000, longitude: 0).isEmpty)
        }
    }
}
