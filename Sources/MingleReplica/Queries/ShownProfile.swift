// SPDX-License-Identifier: Apache-2.0

package import MingleModel

/// What a viewer learns of a person beside the name: nothing of what the viewer cannot open.
package struct ShownProfile: Hashable, Sendable {
    /// The person.
    package var person: ShownPerson
    /// Photos that the person shared; like all numbers here at most ``Replica/profileLimit``.
    package var photos = 0
    /// Pictures that the person has had in the profile.
    package var pictures = 0
    /// Moments by the person's part in them.
    package var moments: [MomentPart: Int] = [:]
    /// Places at which the person checked in, as everybody sees.
    package var visited = 0
    /// Places that the person rated, as everybody sees.
    package var rated = 0
    /// People who let everybody see that they are connected with the viewer and with the person.
    package var commonConnections = 0
    /// The latest of the person's check-ins.
    package var lastSeen: ShownLastSeen?
}

/// Where and when somebody was last, as far as the viewer may know.
package struct ShownLastSeen: Hashable, Sendable {
    /// The moment; nil at a place.
    package let moment: Reference?
    /// The name of the place, if it was at one.
    package let placeName: String?
    /// When, in milliseconds since 1970.
    package let at: Int64
}

/// A picture that a person has, or had, in the profile.
package struct ShownProfilePicture: Hashable, Sendable {
    /// The record.
    package var id: Reference
    /// When it was set, in milliseconds since 1970.
    package var posted: Int64
    /// Whether the person wears it now.
    package var isCurrent: Bool
    /// Small enough for a row.
    package var thumbnail: Media
    /// Large enough for a screen; nil where its author stored none.
    package var preview: Media?
}
