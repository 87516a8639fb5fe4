// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import Synchronization

/// What a run's chance is drawn from (SplitMix64): the same seed gives the same numbers everywhere.
struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return word ^ (word >> 31)
    }

    /// Whether something happens that does so `percent` times in a hundred.
    mutating func chance(_ percent: Int) -> Bool { number(0...99) < percent }

    /// A whole number.
    mutating func number(_ range: ClosedRange<Int>) -> Int {
        let width = UInt64(range.upperBound - range.lowerBound) + 1
        return range.lowerBound + Int(next() % width)
    }

    /// A length of time, in whole milliseconds.
    mutating func milliseconds(_ range: ClosedRange<Int>) -> Duration { .milliseconds(number(range)) }

    /// A length of time around `mean`, from a half of it to one and a half.
    mutating func around(_ mean: Duration) -> Duration {
        let milliseconds = max(Int(mean / .milliseconds(1)), 2)
        return .milliseconds(number((milliseconds / 2)...(milliseconds * 3 / 2)))
    }

    /// One of the elements, of which there must be one.
    mutating func pick<Elements: RandomAccessCollection>(_ elements: Elements) -> Elements.Element {
        elements[elements.index(elements.startIndex, offsetBy: number(0...(elements.count - 1)))]
    }

    /// One of the elements, each as often as its weight says.
    mutating func pick<Element>(_ weights: [(Element, Int)]) -> Element {
        var left = number(0...(weights.reduce(0) { $0 + $1.1 } - 1))
        for (element, weight) in weights {
            left -= weight
            if left < 0 { return element }
        }
        return weights[0].0
    }

    /// Other dice, whose throws do not depend on how often these are thrown later.
    mutating func fork() -> Dice { Dice(seed: next()) }

    /// Bytes of a seed, for keys and salts: every call gives the following ones.
    mutating func randomness() -> Randomness {
        let generator = Mutex(fork())
        return Randomness { count in
            generator.withLock { generator in
                var bytes: [UInt8] = []
                bytes.reserveCapacity(count + 8)
                while bytes.count < count {
                    let word = generator.next()
                    for shift in stride(from: 0, to: 64, by: 8) {
                        bytes.append(UInt8(truncatingIfNeeded: word >> shift))
                    }
                }
                bytes.removeLast(bytes.count - count)
                return bytes
            }
        }
    }
}
