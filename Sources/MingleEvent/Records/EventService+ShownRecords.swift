// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleMedia
import MingleModel
import MingleReplica

/// Records as the API tells of them.
extension EventService {
    /// Records as the API tells of them.
    func shown(_ records: [ShownRecord]) throws -> [API.Record] {
        var known = Known()
        return try zip(records, replica.aggregates(on: records)).map { try shown($0, $1, &known) }
    }

    /// A record as the API tells of it.
    func shown(_ record: ShownRecord) throws -> API.Record {
        var known = Known()
        return try shown(record, replica.aggregates(on: [record])[0], &known)
    }

    /// What was read already for other records of a page: mostly it is the same.
    private struct Known {
        var people: [PersonID: API.Person] = [:]
        var zone: TimeZone?
    }

    private func shown(
        _ record: ShownRecord,
        _ aggregates: [String: ShownAggregate],
        _ known: inout Known
    ) throws -> API.Record {
        func told(_ id: PersonID) throws -> API.Person {
            if let person = known.people[id] { return person }
            let read = person(try replica.person(id))
            known.people[id] = read
            return read
        }
        var members = fields(of: record).merging(summaries(aggregates, on: record.kind)) { first, _ in first }
        members["open"] = try isOpen(record, &known).map(API.JSON.flag)
        return API.Record(
            id: record.id?.description,
            kind: record.kind.name,
            target: record.target.text,
            targetKind: record.targetKind?.name ?? (record.kind.target == .person ? "person" : nil),
            subject: try record.subject.map(told),
            author: try told(record.author),
            posted: Date(milliseconds: record.made),
            private: record.isPrivate,
            hidden: record.hiding.map { API.Hidden($0, here: present) },
            distanceM: record.metres.map { Int($0.rounded()) },
            members: members
        )
    }

    /// Whether it is open now; nil for a record without opening hours.
    private func isOpen(_ record: ShownRecord, _ known: inout Known) throws -> Bool? {
        guard let hours = record.hours else { return nil }
        let zone = try known.zone ?? zone()
        known.zone = zone
        return hours.isOpen(at: now, in: zone)
    }

    private func fields(of record: ShownRecord) -> [String: API.JSON] {
        record.kind.members.reduce(into: [:]) { members, field in
            guard let value = record.values[field.name] else { return }
            if case .media(let media) = value {
                members[field.member] = self.media(media, field, of: record)
            } else {
                members[field.member] = field.type.json(of: value)
            }
        }
    }

    private func media(_ media: Media, _ field: Field, of record: ShownRecord) -> API.JSON? {
        guard let path = record.id?.description ?? record.target.text else { return nil }
        let author = record.kind.identity == .key ? "?author=\(record.author)" : ""
        return [
            "type": .text(media.type), "size": .integer(Int64(media.size)),
            "held": .flag(blobs.isComplete(media.name(owner: record.author))),
            "url": .text("/api/v1/\(record.kind.plural)/\(path)/\(field.name)\(author)"),
        ]
    }

    /// What is told with a record of those that hang on it.
    private func summaries(_ aggregates: [String: ShownAggregate], on kind: Kind) -> [String: API.JSON] {
        let children = Dictionary(kind.children.map { ($0.name, $0) }) { first, _ in first }
        return aggregates.reduce(into: [:]) { members, found in
            guard let child = children[found.key] else { return }
            members[child.plural] = child.summary(of: found.value)
        }
    }
}

extension Target {
    /// The id of what is meant; nil for the event itself.
    fileprivate var text: String? {
        switch self {
        case .nothing: nil
        case .record(let reference): reference.description
        case .person(let person): person.description
        }
    }
}

extension ShownAggregate {
    /// The word for the mean of a field; nil where it has none.
    fileprivate func word(of field: String, in words: [String]) -> API.JSON? {
        means[field].flatMap { RatingWords.word(of: $0, in: words) }.map(API.JSON.text)
    }
}

extension Kind {
    /// What a record tells of those of this kind that hang on it.
    fileprivate func summary(of found: ShownAggregate) -> API.JSON {
        var members: [String: API.JSON] = ["count": .integer(found.count)]
        if !found.means.isEmpty { members["means"] = .object(found.means.mapValues { .number($0) }) }
        if self == .rating {
            members["word"] = found.word(of: "overall", in: RatingWords.quality)
            members["price_word"] = found.word(of: "price_level", in: RatingWords.price)
        }
        if shows.contains(.mine) {
            if onOff != nil {
                members["mine"] = .flag(found.mine != nil)
            } else if let mine = found.mine {
                let values = self.members.compactMap { field in
                    mine[field.name].flatMap(field.type.json).map { (field.member, $0) }
                }
                members["mine"] = .object(Dictionary(values) { first, _ in first })
            }
        }
        return .object(members)
    }
}
