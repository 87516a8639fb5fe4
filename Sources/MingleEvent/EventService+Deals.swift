// SPDX-License-Identifier: Apache-2.0

package import MingleAPI
package import MingleModel
package import MingleReplica

/// Deals: those that can be used now, and what became of their uses.
extension EventService {
    /// The deals that a query asks for, those that end first standing first; none where the area is off.
    package func deals(_ query: DealQuery) throws -> API.RecordList {
        guard try isOn(.deal), try isOn(.place) else {
            return API.RecordList(plural: Kind.deal.plural, records: [], next: nil)
        }
        let found = try replica.deals(query, at: now.milliseconds)
        let records = zip(try shown(found.map(\.record)), found).map(told)
        return API.RecordList(plural: Kind.deal.plural, records: records, next: nil)
    }

    /// One deal.
    package func deal(_ id: Reference) throws -> API.Record {
        guard try isOn(.deal), try isOn(.place) else { throw ReplicaError.notFound(id.description) }
        let deal = try replica.deal(id)
        return told(try shown(deal.record), of: deal)
    }

    /// A record of a deal with what became of it.
    private func told(_ record: API.Record, of deal: ShownDeal) -> API.Record {
        var told = record
        let record = deal.record
        guard let id = record.id, let start = record.number("start"), let end = record.number("end") else {
            return told
        }
        told.members["state"] = .text(DealState(start: start, end: end, at: now.milliseconds).rawValue)
        told.members["place"] = place(deal.place)
        told.members["left"] = deal.left.map(API.JSON.integer)
        told.members["confirms"] = .flag(isConfirming(record, id))
        if let used = deal.used {
            // The venue's clock and not the guest's says when it was confirmed.
            let word: DealUseState = deal.confirmed != nil ? .confirmed : deal.left == 0 ? .usedUp : .waiting
            var use: [String: API.JSON] = [
                "at": FieldType.time.json(of: .number(used)) ?? .null, "state": .text(word.rawValue),
            ]
            use["confirmed"] = deal.confirmed.flatMap { FieldType.time.json(of: .number($0)) }
            told.members["use"] = .object(use)
        }
        return told
    }

    private func place(_ place: ShownRecord) -> API.JSON {
        var members: [String: API.JSON] = ["id": .text(place.id?.description ?? ""), "name": .text(place.text("name"))]
        for name in ["latitude", "longitude"] {
            guard let field = place.kind.field(named: name), let value = place.values[name] else { continue }
            members[name] = field.type.json(of: value)
        }
        return .object(members)
    }
}
