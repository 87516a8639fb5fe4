// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleCrypto
import MingleModel
import MingleWire

/// Writes this device's deltas inside one transaction: composes, seals, signs, stores and applies each.
struct Pen {
    let transaction: Transaction
    let timestamp: Timestamp
    let randomness: Randomness
    private var written: [Journal: [Delta]] = [:]
    /// Private audiences to which somebody was invited who lacks the keys.
    var invited: Set<Int64> = []
    /// What is being written for.
    var purpose = Purpose.deed
    var own: OwnDevice { transaction.replica.own }
    /// What this device's person may do.
    var ownStanding: Standing? {
        transaction.memory.persons[own.person]?.standing
    }
    var ownLevel: Level? { ownStanding?.level }

    init(transaction: Transaction, timestamp: Timestamp, randomness: Randomness) {
        (self.transaction, self.timestamp, self.randomness) = (transaction, timestamp, randomness)
    }

    /// Writes one delta and returns its name.
    mutating func write(_ draft: Draft) throws -> Reference {
        let outer = purpose
        defer { purpose = outer }
        if draft.takesBack { purpose = .takingBack }
        return try compose(draft)
    }

    private mutating func compose(_ draft: Draft) throws -> Reference {
        switch draft {
        case .fabric(let payload):
            return try append(.fabric, root: .none, content: .fabric(payload), plain: payload.encoded())
        case .open(let terms): return try open(terms)
        case .close(let invitation): return try close(invitation)
        case .closeDoor(let invitation): return try closeDoor(invitation)
        case .setLevel(let person, let level): return try setLevel(of: person, to: level)
        case .remove(let person, let keepsLinks): return try remove(person, keepsLinks: keepsLinks)
        case .decline(let person): return try decline(person)
        case .rescue(let person, let time): return try rescue(person, until: time)
        case .leave: return try leave()
        case .retire(let device): return try retire(device)
        case .hide(let reference, let reason): return try hide(reference, because: reason)
        case .renewKey: return try renewKey(of: 0)
        case .renew(let audience): return try renewKey(of: try transaction.audienceRow(audience))
        case .invite(let person, let moment): return try invite(person, to: moment)
        case .uninvite(let person, let moment): return try uninvite(person, from: moment)
        case .delete(let reference, let kind):
            let record = try ownRecord(reference)
            // What cannot be opened here may be of any kind, and is the author's to delete.
            let opened = transaction.contribution(of: record)?.payload.kind
            guard record.delta.header.root == .itself, kind == nil || opened == nil || opened == kind?.number
            else { throw ReplicaError.notFound(reference.description) }
            try transaction.requireNoInvite(record.row)
            return try append(.content, root: .reference(reference), content: .deletion, plain: nil)
        case .create(let kind, let target, let values, let blobs, let audience):
            try kind.requireComplete(values)
            try requireWriters(of: values, kind, isAuthor: true, isMaking: true)
            let audience = try audience ?? transaction.audience(for: kind, on: target)
            return try append(kind, root: .itself, target: target, values: values, blobs: blobs, for: audience)
        case .set(let kind, let target, let subject, let values, let blobs, let audience):
            if kind == .connection { try transaction.requirePartner(target, for: values) }
            let audience = try audience ?? transaction.audience(for: kind, on: target)
            return try append(
                kind,
                root: .none,
                target: target,
                subject: subject,
                values: values,
                blobs: blobs,
                overwrites: try others(kind, on: target, about: subject, for: audience),
                for: audience
            )
        case .edit(let reference, let kind, let values, let blobs):
            return try edit(reference, kind, values: values, blobs: blobs)
        }
    }

    /// Signs what was written and moves the journals' tips; returns it as it travels.
    mutating func finish() throws -> [Run] {
        try handOnToInvited()
        var runs: [Run] = []
        for journal in Journal.allCases {
            guard var deltas = written[journal], let last = deltas.indices.last else { continue }
            deltas[last].signature = own.signing.sign(deltas[last].hash.bytes)
            try transaction.moveTip(of: try branch(journal), to: deltas[last])
            runs += Run.split(deltas)
        }
        return runs
    }

    mutating func append(
        _ kind: Kind,
        root: Root,
        target: Target,
        subject: Target = .nothing,
        values: [String: Value],
        blobs: [BlobListing] = [],
        overwrites: [UInt32: [Reference]] = [:],
        isPinned: Bool = false,
        for audience: Audience
    ) throws -> Reference {
        try transaction.settleLevels()
        try requirePart()
        // Who was not let in yet writes, and it counts once they are.
        if let level = ownLevel, level < kind.writers { throw ReplicaError.notAtYourLevel(level) }
        if kind.subject == .person, case .nothing = subject {
            throw ReplicaError.invalid("\(kind.article.capitalized) \(kind.noun) needs a person whom it is about.")
        }
        if kind.subject == .nothing, subject != .nothing {
            throw ReplicaError.invalid("\(kind.article.capitalized) \(kind.noun) is not about a person.")
        }
        try transaction.requireRoomForWords(for: purpose, at: timestamp)
        let payload = RecordPayload(
            kind: kind.number,
            target: target,
            subject: subject,
            changes: try kind.changes(values, overwriting: overwrites, isPinned: isPinned)
        )
        return try append(payload, root: root, blobs: blobs, for: audience)
    }

    /// Seals what is said about a record for an audience, and appends it.
    ///
    /// - Throws: `ReplicaError.notInvited` for whoever does not belong to the audience.
    mutating func append(
        _ payload: RecordPayload,
        root: Root,
        blobs: [BlobListing] = [],
        for audience: Audience
    ) throws -> Reference {
        let row = try transaction.audienceRow(audience)
        guard audience == .event || transaction.members(of: row).contains(own.person) else {
            throw ReplicaError.notInvited
        }
        guard row == 0 || !own.isDoor else { return try sealForOthers(payload, root: root, blobs: blobs, in: row) }
        let epoch = try writingEpoch(of: row)
        return try append(
            .content,
            root: root,
            content: .record(OpenedRecord(payload, root: root, listings: blobs, author: own.person)),
            plain: payload.encoded(),
            blobs: blobs,
            epoch: epoch
        )
    }

    /// Seals something that nobody reads here: the key is made for it alone, and is not kept.
    private mutating func sealForOthers(
        _ payload: RecordPayload,
        root: Root,
        blobs: [BlobListing],
        in audience: Int64
    ) throws -> Reference {
        let epoch = try makeKeyForOthers(of: audience)
        return try append(
            .content,
            root: root,
            content: .locked,
            plain: payload.encoded(),
            blobs: blobs,
            epoch: epoch
        )
    }

    /// Writes a private audience's key.
    mutating func write(_ epoch: PrivateEpoch) throws -> Reference {
        try append(.content, root: .none, content: .key(epoch), plain: epoch.encoded())
    }

    private mutating func append(
        _ journal: Journal,
        root: Root,
        content: Content,
        plain: [UInt8]?,
        blobs: [BlobListing] = [],
        epoch: (id: EpochID, key: Secret)? = nil
    ) throws -> Reference {
        let branchID = try branch(journal, certificate: content)
        guard let branch = transaction.memory.branches[branchID],
            let device = transaction.memory.devices[own.name]
        else { throw ReplicaError.locked }
        var header = Header(
            event: transaction.replica.event,
            device: own.name,
            journal: journal,
            sequence: branch.tipSequence + UInt32(written[journal]?.count ?? 0) + 1,
            previous: written[journal]?.last?.hash ?? branch.tipHash,
            timestamp: timestamp,
            salt: UInt64(bigEndianAt: 0, of: randomness.bytes(8).span),
            epoch: epoch?.id ?? .plaintext,
            root: root,
            isDeletion: content.isDeletion,
            blobs: blobs
        )
        let payload = try seal(plain, under: epoch?.key, into: &header)
        try transaction.takeInOwn(header, of: device)
        var delta = Delta(header: header, hash: header.hash, payload: payload, signature: nil)
        if journal == .fabric || header.sequence % UInt32(Limits.runLength) == 0 {
            delta.signature = own.signing.sign(delta.hash.bytes)
        }
        let stored = header.stored(payloadIsHeld: payload != nil)
        let row = try transaction.insert([delta], headers: [stored], kinds: [content.madeKind], branch: branchID)
        written[journal, default: []].append(delta)
        try transaction.apply(row, delta, content, device: device)
        try transaction.storeNewRecords()
        return delta.reference
    }

    /// Seals a content payload under a key; fabric stays readable.
    private func seal(_ plain: [UInt8]?, under key: Secret?, into header: inout Header) throws -> [UInt8]? {
        guard var payload = plain else {
            header.payloadHash = Blake2b.hash(.payload, [])
            return []
        }
        if let key {
            let prefix = header.sealedPrefix
            payload = Sealing.seal(payload, key: key, nonce: header.nonce, associatedData: prefix)
        }
        guard payload.count <= Limits.payloadLength else {
            throw ReplicaError.invalid(
                "The text has \(payload.count) bytes. At most \(Limits.payloadLength) bytes fit."
            )
        }
        header.payloadLength = UInt32(payload.count)
        header.payloadHash = Blake2b.hash(.payload, payload)
        return payload
    }

    /// The branch that this device writes to; its first fabric delta, the certificate, makes the device known.
    private func branch(_ journal: Journal, certificate content: Content? = nil) throws -> Int64 {
        if transaction.memory.devices[own.name] == nil, case .fabric(.certificate(let certificate))? = content {
            _ = try transaction.enrol(certificate)
        }
        guard let device = transaction.memory.devices[own.name] else { throw ReplicaError.locked }
        let branches = transaction.memory.branches(of: device.id, journal)
        guard !transaction.memory.copiedDevices.contains(device.id), branches.count <= 1 else {
            throw ReplicaError.keyUsedElsewhere
        }
        return try branches.first?.id ?? transaction.makeBranch(of: device, journal, parent: nil, leaves: 0)
    }

    private func ownRecord(_ reference: Reference) throws -> StoredDelta {
        let record = try record(reference)
        guard record.device.owner == own.person else { throw ReplicaError.notYours("The record \(reference)") }
        return record
    }

    /// The delta that a reference means; throws if it has not come, or was erased.
    func record(_ reference: Reference) throws -> StoredDelta {
        guard let row = try transaction.resolve(reference), let record = try transaction.stored(row), !record.isErased
        else { throw ReplicaError.notFound(reference.description) }
        return record
    }

    /// What other devices said of a field and an edit names, so that a clock that runs behind theirs does no harm.
    func others(_ field: Field, among contributions: [Contribution]) -> [Reference] {
        let named = RecordState.named(byEditAt: timestamp, of: field, among: contributions)
        return Array(named.filter { $0.device != own.name.raw.prefix }.prefix(Limits.overwritesPerChange))
    }

    /// The same of each field of a record.
    func others(_ kind: Kind, about record: Int64) throws -> [UInt32: [Reference]] {
        let contributions = try transaction.contributions(to: record, of: kind)
        return Dictionary(kind.ownFields.map { ($0.number, others($0, among: contributions)) }) { first, _ in first }
    }

    /// The same for the record that kind, author, target and subject name, if anything was said of it before.
    private func others(
        _ kind: Kind,
        on target: Target,
        about subject: Target,
        for audience: Audience
    ) throws -> [UInt32: [Reference]] {
        var key = RecordTarget()
        switch target {
        case .nothing: break
        case .record(let reference):
            guard let row = try transaction.resolve(reference) else { return [:] }
            key.row = row
        case .person(let person): key.row = try transaction.personRow(person)
        }
        if case .person(let person) = subject { key.subject = try transaction.personRow(person) }
        guard let author = transaction.memory.persons.id(of: own.person),
            let record = try transaction.keyed(kind, key, by: author, in: transaction.audienceRow(audience))
        else { return [:] }
        return try others(kind, about: record)
    }
}

extension Content {
    fileprivate var isDeletion: Bool {
        if case .deletion = self { true } else { false }
    }
}

extension Run {
    /// Cuts consecutive deltas where every node keeps a signature.
    static func split(_ deltas: [Delta]) -> [Run] {
        var runs: [Run] = []
        var current: [Delta] = []
        for delta in deltas {
            current.append(delta)
            if delta.header.sequence % UInt32(Limits.runLength) == 0 {
                runs.append(Run(current))
                current = []
            }
        }
        return current.isEmpty ? runs : runs + [Run(current)]
    }
}

extension Kind {
    /// The changes that set fields by name.
    ///
    /// - Parameter isPinned: Whether what is said of shared fields ranks before what others say.
    fileprivate func changes(
        _ values: [String: Value],
        overwriting overwrites: [UInt32: [Reference]],
        isPinned: Bool
    ) throws -> [Change] {
        for name in values.keys where field(named: name) == nil {
            throw ReplicaError.invalid("\(article.capitalized) \(noun) has no field \(name).")
        }
        return try fields.compactMap { field in
            guard let value = values[field.name] else { return nil }
            guard field.fits(value) else {
                throw ReplicaError.invalid("The \(field.name) of \(article) \(noun) is too long or out of range.")
            }
            guard field.admits(value) else {
                throw ReplicaError.invalid("The \(field.name) of \(article) \(noun) needs a visible character.")
            }
            if field.isRequired, value == .cleared {
                throw ReplicaError.invalid("\(article.capitalized) \(noun) needs a \(field.name).")
            }
            return Change(
                field: field.number,
                value: value,
                overwrites: overwrites[field.number] ?? [],
                isPinned: isPinned && field.isShared
            )
        }
    }

    fileprivate func requireComplete(_ values: [String: Value]) throws {
        for field in fields where field.isRequired && values[field.name] == nil {
            throw ReplicaError.invalid("\(article.capitalized) \(noun) needs a \(field.name).")
        }
        for case .anyOf(let names) in shownIf where names.allSatisfy({ values[$0] ?? .cleared == .cleared }) {
            throw ReplicaError.invalid("\(article.capitalized) \(noun) needs one of \(names.joined(separator: ", ")).")
        }
    }
}
