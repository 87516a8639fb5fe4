// SPDX-License-Identifier: Apache-2.0

package import MingleAPI
import MingleModel
import MingleReplica

/// The places with which this person has to do; nobody else is told.
extension EventService {
    /// One page of places: those that fit a query, or one of the person's own lists.
    package func places(_ query: ListQuery) throws -> API.RecordList {
        guard let name = query.list else { return try records(of: .place, query) }
        guard let list = OwnPlaces(rawValue: name) else {
            let names = OwnPlaces.allCases.map(\.rawValue).joined(separator: ", ")
            throw API.Problem(.badRequest, "`list` must be one of: \(names).")
        }
        guard query.isPageOf("list") else {
            throw API.Problem(.badRequest, "`list` goes with `before` and `limit` only.")
        }
        let read = try query.read()
        let areas = try replica.settings().areas
        guard areas.contains(.venues), list != .rated || areas.contains(.ratings) else {
            return API.RecordList(plural: Kind.place.plural, records: [], next: nil)
        }
        let page = try replica.places(list, before: read.before, limit: read.limit)
        return API.RecordList(
            plural: Kind.place.plural,
            records: try shown(page.items),
            next: query.cursor.text(page.next)
        )
    }
}
