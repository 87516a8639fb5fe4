// SPDX-License-Identifier: Apache-2.0

/// A part of the product that an event can do without; the numbers are bits on the wire.
///
/// Where an area is off, nodes write no records of its kinds and list none. What was written stays, and is listed again
/// once the area is on.
package enum Area: Int64, Sendable, CaseIterable {
    /// Gatherings with a time and a place.
    case moments = 0
    /// Places that people find, describe and visit.
    case venues = 1
    /// What owners of places offer.
    case deals = 3
    /// What people think of places and deals.
    case ratings = 4
    /// Photos around where somebody stands, and votes that rank them.
    case nearby = 5

    /// The areas of a bit field, such as the event's; those of later versions are left out.
    package static func areas(of bits: Int64) -> Set<Area> { Set(allCases.filter { bits >> $0.rawValue & 1 == 1 }) }

    /// The bit field of some areas.
    package static func bits(of areas: Set<Area>) -> Int64 { areas.reduce(0) { $0 | 1 << $1.rawValue } }

    /// The area's name, for the API and the command line.
    package var word: String { "\(self)" }
}

/// What a new event begins with.
package enum EventPreset: String, Sendable, CaseIterable {
    /// A private party.
    case party
    /// A festival with stages and stands.
    case festival
    /// A fair at which shops offer something.
    case fair

    /// The areas that are on.
    package var areas: Set<Area> {
        switch self {
        case .party: [.moments]
        case .festival: [.moments, .venues, .nearby]
        case .fair: [.venues, .deals, .ratings, .nearby]
        }
    }

    /// What an event is that says nothing of its areas.
    package static let usual = party
}
