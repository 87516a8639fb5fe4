// SPDX-License-Identifier: Apache-2.0

import MingleModel
import Testing

@testable import MingleReplica

private let hour: Int64 = 3_600_000

/// Which of many reported records a moderator's node hides.
struct HidingChoiceTests {
    private func reported(_ count: Int64, in hours: Int64...) -> [Reported] {
        let times = hours.flatMap { at in (0..<count).map { at * hour + $0 } }
        return times.enumerated().map {
            Reported(row: Int64($0.offset), posted: Timestamp(milliseconds: $0.element))
        }
    }

    @Test func `of a full hour however much may be reported, it is asked about once`() {
        var asked: [Int64] = []
        var looked: [Int64] = []
        let choice = HidingChoice(of: reported(1000, in: 1, 2, 3), at: Timestamp(milliseconds: 9 * hour)) { at in
            asked.append(at)
            return at == 3
        } isForEverybody: { row in
            looked.append(row)
            return row > 2001
        }
        #expect(choice.row == 2002 && !choice.waitsForNextHour)
        #expect(asked == [1, 2, 3] && looked == [2000, 2001, 2002])
    }

    @Test func `what is dated ahead waits for the next hour where this one is full, and nothing else does`() {
        func waits(in hours: Int64, isFull: Bool) -> Bool {
            let choice = HidingChoice(of: reported(2, in: hours), at: Timestamp(milliseconds: 5 * hour + 7)) {
                #expect($0 == min(hours, 5))
                return !isFull
            } isForEverybody: { _ in
                false
            }
            #expect(choice.row == nil)
            return choice.waitsForNextHour
        }
        #expect(waits(in: 6, isFull: true) && waits(in: 90, isFull: true))
        #expect(!waits(in: 6, isFull: false) && !waits(in: 5, isFull: true) && !waits(in: 4, isFull: true))
    }
}
