// SPDX-License-Identifier: Apache-2.0

/// Moments of a person by the person's part in them.
package enum MomentPart: String, Sendable, CaseIterable {
    /// The person made them.
    case made
    /// The person joined, and may have checked in.
    case joined
    /// The person checked in.
    case checkedIn = "checked_in"
    /// The viewer and the person made, joined or are invited to them.
    case common
    /// The viewer and the person checked in.
    case crossed
}
