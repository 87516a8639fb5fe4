// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
package import MingleModel

extension Replica {
    /// One page of the records of a kind that the viewer sees and that fit a query.
    ///
    /// A list by words has the best ``RecordQuery/searchLimit``, one within a circle the closest
    /// ``RecordQuery/closestLimit``; neither has a further page.
    ///
    /// - Throws: `ReplicaError.notFound` for a target or author that is not known, `.invalid` for a field that the kind
    ///   does not have.
    package func records(of kind: Kind, _ query: RecordQuery = RecordQuery()) throws -> Page<ShownRecord> {
        try view { viewer in try RecordList(kind: kind, query: query, viewer: viewer).page() }
    }

    /// One record of a kind that the viewer sees, whether it is switched on or off.
    ///
    /// - Throws: `ReplicaError.notFound` if there is none.
    package func record(_ reference: Reference, of kind: Kind) throws -> ShownRecord {
        try view { viewer in
            let sql = "SELECT * FROM \(viewer.seenOnOrOff(kind)) AS record WHERE id = ?"
            guard let row = try viewer.rows(sql, [viewer.row(of: reference)]).first else {
                throw ReplicaError.notFound(reference.description)
            }
            return try viewer.record(row, of: kind)
        }
    }

    /// What is told with a record of those that hang on it, by the names of their kinds.
    package func aggregates(on reference: Reference, of kind: Kind) throws -> [String: ShownAggregate] {
        try view { viewer in
            let row = try viewer.row(of: reference)
            guard try viewer.sees(row, of: kind) else { throw ReplicaError.notFound(reference.description) }
            return try viewer.aggregates(on: row, of: kind)
        }
    }

    /// The same of several records that the viewer has just read, in one read.
    package func aggregates(on records: [ShownRecord]) throws -> [[String: ShownAggregate]] {
        guard records.contains(where: { $0.kind.children.contains { !$0.shows.isEmpty } }) else {
            return records.map { _ in [:] }
        }
        return try view { viewer in
            try records.map { record in
                guard let row = try record.id.flatMap(viewer.names.row) else { return [:] }
                return try viewer.aggregates(on: row, of: record.kind)
            }
        }
    }
}

extension Viewer {
    /// Reads a row of a view of a kind.
    func record(_ row: Row, of kind: Kind, metres: Double? = nil) throws -> ShownRecord {
        let target: Int64 = row["target"]
        let values = kind.fields.filter { !$0.isSeed }.compactMap { field in
            field.type.value(of: row[field.name]).map { (field.name, $0) }
        }
        return ShownRecord(
            id: kind.identity == .delta ? try names.reference(row["id"]) : nil,
            kind: kind,
            author: try names.person(row["author"]),
            target: kind.target == .person
                ? .person(try names.person(target))
                : target > 0 ? .record(try names.reference(target)) : .nothing,
            targetKind: kind.trait == nil ? nil : Kind.numbered(row["target_kind"]),
            subject: kind.subject == .person ? try names.person(row["subject"]) : nil,
            made: row["made"],
            values: Dictionary(values) { first, _ in first },
            metres: metres,
            isPrivate: (row["audience"] as Int64) != 0,
            hiding: try hiding(of: row)
        )
    }

    /// That a record hangs on the first argument, or on an earlier moment that this one continues.
    private static let isUnder = "(target = ?1 OR target IN (SELECT ancestor FROM lineage WHERE moment = ?1))"

    fileprivate func aggregates(on row: Int64, of kind: Kind) throws -> [String: ShownAggregate] {
        try kind.children.filter { !$0.shows.isEmpty }.reduce(into: [:]) { all, child in
            all[child.name] = try aggregate(of: child, on: row)
        }
    }

    /// How many records of a kind hang on one, the means of their fields, and what the viewer's own says.
    fileprivate func aggregate(of kind: Kind, on target: Int64) throws -> ShownAggregate {
        let fields = kind.shows.compactMap { if case .mean(let name) = $0 { name } else { nil } }
        let means = fields.map { ", avg(\"\($0)\") AS \"\($0)\"" }.joined()
        let isHeard = kind.identity == .delta ? " AND \(Self.isHeard("record.author"))" : ""
        let sql = "SELECT count(*) AS count\(means) FROM visible_\(kind.name) AS record WHERE \(Self.isUnder)\(isHeard)"
        guard let row = try rows(sql, [target]).first else { return ShownAggregate(count: 0, means: [:]) }
        var aggregate = ShownAggregate(
            count: row["count"],
            means: Dictionary(
                uniqueKeysWithValues: fields.compactMap { name in
                    (row[name] as Double?).map { (name, $0) }
                }
            )
        )
        guard kind.shows.contains(.mine) else { return aggregate }
        let own = "SELECT * FROM standing_\(kind.name) AS record WHERE \(Self.isUnder) AND author = ?2 LIMIT 1"
        aggregate.mine = try rows(own, [target, me]).first.map { try record($0, of: kind).values }
        return aggregate
    }
}

extension FieldType {
    /// What a column holds that ``Column`` stored.
    fileprivate func value(of column: DatabaseValue) -> Value? {
        switch self {
        case .text: String.fromDatabaseValue(column).map(Value.text)
        case .number, .flag, .choice, .time, .latitude, .longitude, .metres:
            Int64.fromDatabaseValue(column).map(Value.number)
        case .reference, .references, .person, .device, .ends, .hours:
            Data.fromDatabaseValue(column).map { .data([UInt8]($0)) }
        case .media: Media(column: Data.fromDatabaseValue(column)).map(Value.media)
        }
    }
}
