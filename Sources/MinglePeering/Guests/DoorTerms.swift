// SPDX-License-Identifier: Apache-2.0

/// What a door lets its guests do.
package struct DoorTerms: Equatable, Sendable {
    /// Whether a moderator has to look at what guests send before others see it.
    package var holdsBack: Bool
    /// Whether guests see only what they sent themselves.
    package var isDropOnly: Bool

    /// Describes a door; guests of the usual one see all that is for everybody.
    package init(holdsBack: Bool = false, isDropOnly: Bool = false) {
        (self.holdsBack, self.isDropOnly) = (holdsBack, isDropOnly)
    }
}
