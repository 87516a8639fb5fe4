// SPDX-License-Identifier: Apache-2.0

import NodeTestSupport
import Testing

@testable import MingleNode

/// For how long an event is kept that somebody leaves.
struct FarewellTests {
    private static let (hour, day): (Int64, Int64) = (3_600_000, 86_400_000)

    @Test func `a node that runs gives up after seven days, and says from the first when that is`() {
        var farewell = Farewell(began: 1000, erases: false)
        #expect(farewell.end == 1000 + 7 * Self.day)
        for hour in 1..<(7 * 24) {
            #expect(farewell.look(at: 1000 + Int64(hour) * Self.hour) && !farewell.isOver)
        }
        #expect(farewell.end == 1000 + 7 * Self.day)
        #expect(farewell.look(at: farewell.end) && farewell.isOver)
    }

    @Test func `a clock that is set, or a node that is off, counts for a day at most`() {
        var farewell = Farewell(began: 0, erases: false)
        for now in [365 * Self.day, 0, 365 * Self.day, -365 * Self.day, 0, Int64.max / 2, 0] {
            _ = farewell.look(at: now)
        }
        #expect(farewell.waited == 4 * Self.day && farewell.end == 3 * Self.day)
    }

    @Test func `it is written down as often as ten minutes are full, and goes on from there`() async throws {
        try await withTemporaryFolder { folder in
            #expect(try Farewell(in: folder) == nil)
            var farewell = Farewell(began: 0, erases: true)
            let written = (1...3600).filter { farewell.look(at: Int64($0) * 1000) }
            #expect(written == [600, 1200, 1800, 2400, 3000, 3600])
            try farewell.write(in: folder)
            #expect(try Farewell(in: folder) == farewell)
        }
    }
}
