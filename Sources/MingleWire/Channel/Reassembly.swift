// SPDX-License-Identifier: Apache-2.0

/// Puts fragments together, for each lane by itself: a message may be overtaken by one of a higher lane at any fragment.
struct Reassembly: Sendable {
    private static let longLength = 256 << 10
    /// Bytes of one message, by lane; where it is 0 nothing may come.
    var limits: PerLane<Int>
    private var partial = PerLane { _ in [UInt8]() }
    private var completed = PerLane { _ in UInt64(0) }
    /// Bytes of all messages that are not complete; never above the sum of the lanes' greatest limits.
    private(set) var partialBytes = 0

    /// Takes messages up to `limits`.
    init(limits: PerLane<Int>) { self.limits = limits }

    /// The messages that are not complete: how many came before on their lane, and their bytes so far.
    var unfinished: [(lane: Lane, number: UInt64, byteCount: Int)] {
        Lane.allCases.compactMap { partial[$0].isEmpty ? nil : ($0, completed[$0], partial[$0].count) }
    }

    /// Adds a fragment and returns the message that it completes, if it does.
    mutating func add(_ fragment: ArraySlice<UInt8>, _ head: FragmentHead) throws(ChannelError) -> [UInt8]? {
        let lane = head.lane
        guard fragment.count >= (head.isLast ? 1 : ChannelLimits.leastFragmentLength) else {
            throw .fragmentTooShort(lane)
        }
        let held = partial[lane].count
        guard held + fragment.count <= limits[lane] else { throw .messageTooLong(lane) }
        guard head.isLast else {
            // One that is long already will likely be as long as it may: room for that costs nothing until it is used.
            if held >= Self.longLength, partial[lane].capacity < limits[lane] {
                partial[lane].reserveCapacity(limits[lane])
            }
            partial[lane].append(contentsOf: fragment)
            partialBytes += fragment.count
            return nil
        }
        completed[lane] += 1
        guard held > 0 else { return Array(fragment) }
        var message: [UInt8] = []
        swap(&message, &partial[lane])
        message.append(contentsOf: fragment)
        partialBytes -= held
        return message
    }
}
