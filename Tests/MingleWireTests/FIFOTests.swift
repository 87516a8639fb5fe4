// SPDX-License-Identifier: Apache-2.0

import MingleWire
import TestSupport
import Testing

struct FIFOTests {
    @Test(arguments: 0..<40 as Range<UInt64>)
    func `what came first leaves first, however many wait`(seed: UInt64) {
        var numbers = SplitMix(seed: seed)
        var queue = FIFO<Int>()
        var expected: [Int] = []
        for number in 0..<2000 {
            // It grows to hundreds in some stretches and runs empty in others.
            if Int.random(in: 0..<100, using: &numbers) < (number / 400 % 2 == 0 ? 80 : 20) {
                queue.append(number)
                expected.append(number)
            } else {
                #expect(queue.popFirst() == (expected.isEmpty ? nil : expected.removeFirst()))
            }
            #expect(queue.first == expected.first && queue.count == expected.count)
            #expect(queue.isEmpty == expected.isEmpty)
        }
    }
}
