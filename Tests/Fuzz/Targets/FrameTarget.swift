// SPDX-License-Identifier: Apache-2.0

@testable import MingleWire

/// Records in a stream, heads of fragments, and their reassembly.
///
/// The same bytes give the same records however the stream was cut, only one incomplete record is kept, and messages
/// are exactly their fragments and within their lanes' limits.
enum FrameTarget: FuzzTarget {
    private static let limits = PerLane { lane in 1500 << Int(lane.rawValue) }

    static func run(_ input: inout FuzzInput) throws {
        let length = 1 + Int(input.byte())
        let bytes = input.rest()
        let records = records(bytes, cutEvery: length)
        require(records == Self.records(bytes, cutEvery: max(1, bytes.count)), "cuts make no difference")
        var reassembly = Reassembly(limits: limits)
        var partial = PerLane { _ in [UInt8]() }
        for record in records {
            guard let byte = record.first, let head = FragmentHead(byte) else { return }
            require(head.byte == byte, "a head has one form")
            let message = try reassembly.add(record[1...], head)
            partial[head.lane] += record.dropFirst()
            require(partial[head.lane].count <= limits[head.lane], "a message is within its lane's limit")
            require((message != nil) == head.isLast, "a message is handed out with its last fragment")
            guard let message else { continue }
            require(message == partial[head.lane] && !message.isEmpty, "a message is its fragments")
            partial[head.lane] = []
            let held = Lane.allCases.reduce(0) { $0 + partial[$1].count }
            require(reassembly.partialBytes == held, "what is held is counted")
        }
    }

    private static func records(_ bytes: [UInt8], cutEvery length: Int) -> [[UInt8]] {
        var stream = RecordStream()
        var records: [[UInt8]] = []
        for start in stride(from: 0, to: bytes.count, by: length) {
            stream.append(Array(bytes[start..<min(start + length, bytes.count)]))
            while let range = stream.next() { records.append(Array(stream.buffer[range])) }
            stream.dropFinished()
            require(stream.buffer.count < 65_537, "no more than one record is kept")
        }
        return records
    }

    static var seeds: [[UInt8]] {
        func record(_ lane: Lane, _ isLast: Bool, _ count: Int) -> [UInt8] {
            FuzzInput.piece([FragmentHead(lane: lane, isLast: isLast).byte] + [UInt8](repeating: 7, count: count))
        }
        return [
            joined([9], record(.control, true, 3), record(.deltas, true, 1)),
            joined([200], record(.originals, false, 1024), record(.control, true, 20), record(.originals, true, 5)),
            joined([0], record(.previews, true, 30), [0, 9, 1]),
        ]
    }
}
