// SPDX-License-Identifier: Apache-2.0

/// What a device's clock said: milliseconds since 1970, UTC.
///
/// It is a claim. Merging never compares it with the local clock; it only breaks ties between concurrent changes.
package struct Timestamp: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z; never negative.
    package let milliseconds: Int64

    /// Clamps negative values to the epoch.
    package init(milliseconds: Int64) { self.milliseconds = max(0, milliseconds) }

    package static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }
}
