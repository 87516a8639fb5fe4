// SPDX-License-Identifier: Apache-2.0

package import MingleAPI
package import MingleModel
import MingleReplica
import MingleWire

/// Records of any kind: list, show, create, change, set and delete.
extension EventService {
    /// One page of the records of a kind; none where the kind's area is off.
    package func records(of kind: Kind, _ query: ListQuery) throws -> API.RecordList {
        let page = try page(of: kind, query)
        let records = try shown(page.items)
        return API.RecordList(plural: kind.plural, records: records, next: query.cursor.text(page.next))
    }

    /// The records that a query asks for, less those of areas that are off and what hangs on them.
    func page(of kind: Kind, _ query: ListQuery) throws -> Page<ShownRecord> { try page(of: kind, query.read()) }

    /// The same for a query of the replica.
    func page(of kind: Kind, _ read: RecordQuery) throws -> Page<ShownRecord> {
        let target = try read.target.map { try targetKind(of: $0, for: kind) }
        guard try isOn(kind), try target.map(isOn) ?? true else { return Page(items: []) }
        var page = try replica.records(of: kind, read)
        page.items = try page.items.filter { try $0.targetKind.map(isOn) ?? true }
        return page
    }

    /// One record of a kind.
    package func record(_ id: Reference, of kind: Kind) throws -> API.Record {
        try shown(try found(id, of: kind))
    }

    /// A record of a kind; nothing of an area that is off.
    private func found(_ id: Reference, of kind: Kind) throws -> ShownRecord {
        let record = try replica.record(id, of: kind)
        guard try isOn(kind), try record.targetKind.map(isOn) ?? true else {
            throw ReplicaError.notFound(id.description)
        }
        return record
    }

    /// Makes a record of what a request's body says.
    package func create(_ kind: Kind, _ body: API.JSON) throws -> API.Record {
        let draft = try RecordDraft(kind, body, for: .create)
        try requireMayCreate(kind, on: draft.target, draft.values, hasPicture: draft.picture != nil)
        var made: Reference?
        try withPicture(of: draft) { values, blobs in
            let create = Draft.create(kind, on: draft.target, values: values, blobs: blobs)
            made = try author([create] + following(create)).first
        }
        guard let made else { throw ReplicaError.locked }
        return try record(made, of: kind)
    }

    /// Changes those fields of a record that a request's body names.
    package func change(_ id: Reference, _ kind: Kind, _ body: API.JSON) throws -> API.Record {
        let draft = try RecordDraft(kind, body, for: .change)
        let old = try found(id, of: kind)
        guard !draft.isEmpty else {
            throw API.Problem(.badRequest, "Nothing to change. Name at least one member of the \(kind.noun).")
        }
        try requireMayChange(old, draft.values, hasPicture: draft.picture != nil)
        try draft.requireOneOfEach(after: old.values)
        try withPicture(of: draft) { values, blobs in
            try author([.edit(id, kind, values: values, blobs: blobs)])
        }
        return try record(id, of: kind)
    }

    /// Sets this person's record of a kind on a target, which is its only one there.
    package func set(_ kind: Kind, on text: String, _ body: API.JSON) throws -> API.Record {
        let target = try target(of: kind, text)
        let draft = try RecordDraft(kind, body, for: .set)
        // A deal is used once: said again, the time of the use stays.
        if kind == .dealUse, try keyed(kind, on: target, by: me) != nil {
            return try own(kind, on: target, about: .nothing)
        }
        try requireMayCreate(kind, on: target, about: draft.subject, draft.values)
        try withPicture(of: draft) { values, blobs in
            try author([.set(kind, on: target, about: draft.subject, values: values, blobs: blobs)])
        }
        return try own(kind, on: target, about: draft.subject)
    }

    /// Takes this person's record of a kind on a target back.
    package func unset(_ kind: Kind, on text: String) throws {
        let target = try target(of: kind, text)
        if case .record(let reference) = target { try requireWritable(reference, for: kind) }
        // What is not there needs no word that it is not.
        guard try keyed(kind, on: target, by: me) != nil else { return }
        let values =
            kind.onOff.map { [$0: Value.number(0)] }
            ?? Dictionary(kind.fields.map { ($0.name, Value.cleared) }) { first, _ in first }
        try author([.set(kind, on: target, values: values)])
    }

    /// Deletes a record of this person's, everywhere.
    package func delete(_ id: Reference, _ kind: Kind) throws {
        do {
            try author([.delete(id, kind)])
        } catch ReplicaError.notFound {
            let what = "There is no \(kind.noun) with the id \(id) here"
            throw API.Problem(.notFound, "\(what). It may not have arrived yet, or it was deleted.")
        }
    }

    /// A blob of a record, and whose it is.
    ///
    /// - Parameters:
    ///   - id: The record, or for keyed ones what it hangs on.
    ///   - author: Whose keyed record it is; nil: this person's.
    package func media(
        _ field: Field,
        of kind: Kind,
        _ id: Reference,
        by author: PersonID?
    ) throws -> (media: Media, owner: PersonID) {
        let record =
            try kind.identity == .delta ? found(id, of: kind) : keyed(kind, on: .record(id), by: author ?? me)
        guard let record, try isOn(kind), case .media(let media)? = record.values[field.name] else {
            throw API.Problem(.notFound, "That \(kind.noun) has no \(field.name) here.")
        }
        return (media, record.author)
    }

    // MARK: - Steps

    private func target(of kind: Kind, _ text: String) throws -> Target {
        if kind.target == .person { return .person(try RequestValidation.person(text)) }
        return .record(try RequestValidation.reference(text))
    }

    /// The record of a kind that a person has on a target; nil where none is shown.
    func keyed(
        _ kind: Kind,
        on target: Target,
        about subject: Target = .nothing,
        by author: PersonID
    ) throws -> ShownRecord? {
        var query = RecordQuery()
        (query.author, query.limit) = (author, 1)
        if case .record(let reference) = target { query.target = reference }
        if case .person(let person) = subject { query.subject = person }
        return try replica.records(of: kind, query).items.first
    }

    private func own(_ kind: Kind, on target: Target, about subject: Target) throws -> API.Record {
        guard let found = try keyed(kind, on: target, about: subject, by: me) else {
            throw API.Problem(
                .conflict,
                "The \(kind.noun) was written and is not shown, as what it hangs on is not shown or belongs to others."
            )
        }
        return try shown(found)
    }

    /// Runs `body` with the values of a draft and of the picture that it names.
    private func withPicture(
        of draft: RecordDraft,
        _ body: ([String: Value], [BlobListing]) throws -> Void
    ) throws {
        guard let picture = draft.picture else { return try body(draft.values, []) }
        try attach(picture, draft.kind) { values, blobs in
            try body(draft.values.merging(values) { $1 }, blobs)
        }
    }
}
