// SPDX-License-Identifier: Apache-2.0

/// What a message is about, which decides what leaves first: as long as a lane has something to send, lanes below wait.
package enum Lane: UInt8, Sendable, CaseIterable {
    /// Sessions, reconciliation and the fabric.
    case control = 0
    /// New deltas and runs of old ones.
    case deltas = 1
    /// Chunks of thumbnails.
    case thumbnails = 2
    /// Chunks of previews.
    case previews = 3
    /// Chunks of originals.
    case originals = 4
}

/// One value for each lane.
package struct PerLane<Value> {
    private var values: [Value]

    /// Begins with `value` of each lane.
    package init(_ value: (Lane) -> Value) { values = Lane.allCases.map(value) }

    /// The value of `lane`.
    package subscript(lane: Lane) -> Value {
        get { values[Int(lane.rawValue)] }
        _modify { yield &values[Int(lane.rawValue)] }
    }
}

extension PerLane: Sendable where Value: Sendable {}
extension PerLane: Equatable where Value: Equatable {}
