// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleClient
import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire

/// Journals of some devices, sealed beforehand into a file of encoded runs.
struct ForeignJournal {
    private let plan: RecordPlan
    private let path: String
    let event: EventID
    private let salt: Bytes32
    /// What the invitation's keys follow from.
    let seed = Randomness.system.secret()
    private let invitation: InvitationKeys
    private let epoch: EpochKey
    private let keys: [AuthorKeys]
    /// The runs before the records that count: people, the event's key and title, moments and who takes part in them.
    private var preludeRuns: Int { 2 * plan.authors + 1 }

    init(plan: RecordPlan, path: String) {
        (self.plan, self.path) = (plan, path)
        keys = (0..<plan.authors).map { _ in AuthorKeys() }
        salt = Bytes32(at: 0, of: Randomness.system.bytes(32).span)
        invitation = InvitationKeys(seed: seed)
        event = Certificate.eventID(founder: keys[0].person, salt: salt)
        let key = Randomness.system.secret()
        let audience = EpochSlots.eventAudience(event)
        epoch = EpochKey(id: EpochSlots.id(key: key, event: event, audience: audience), key: key)
    }

    /// Writes the file; the newest photos get their thumbnails from `thumbnails`.
    func seal(thumbnails: NewestThumbnails? = nil) throws {
        var file = try RunFileWriter(path: path)
        var authors = keys.map { Author(keys: $0, event: event) }
        let moments = try sealPrelude(by: &authors, into: &file)
        var photos: [Reference] = []
        for var record in plan {
            if let thumbnails { record.changes = try thumbnails.put(into: record, by: keys[record.author].person) }
            let target =
                switch record.target {
                case .moment(let index): moments[index]
                case .photo(let index): photos[index]
                }
            let payload = RecordPayload(kind: record.kind.number, target: .record(target), changes: record.changes)
            let reference = try authors[record.author].seal(payload, root: .itself, epoch: epoch, at: record.made)
            if record.kind == .photo { photos.append(reference) }
            if authors[record.author].pendingCount(of: .content) == Limits.runLength {
                try finishRun(of: .content, by: &authors[record.author], into: &file)
            }
        }
        for index in authors.indices { try finishRun(of: .content, by: &authors[index], into: &file) }
        try file.close()
    }

    /// Merges the file into a new replica at `path`, and then once more.
    func merge(into path: String) throws -> MergeMeasurement {
        let own = AuthorKeys().own(in: event, invitation: invitation)
        // A few authors write what many do, so that it is counted and nothing is too much.
        let quota = Quota(words: .max / 2, hourly: .max / 2)
        let replica = try Replica(path: path, event: event, own: own, quota: quota)
        let reader = try RunFileReader(path: self.path, event: event)
        for _ in 0..<preludeRuns {
            if let run = try reader.next() { try Self.requireNone(try replica.merge([run]).refused) }
        }
        try replica.checkpoint()
        try ProcessMemory.resetPeak()
        let start = Stopwatch.processorSeconds
        let merging = try Stopwatch.seconds { try merge(reader, into: replica) }
        let checkpoint = try Stopwatch.seconds { try replica.checkpoint() }
        let processor = Stopwatch.processorSeconds - start
        let peak = try ProcessMemory.peak()
        let all = try RunFileReader(path: self.path, event: event)
        let again = try Stopwatch.seconds { try merge(all, into: replica) }
        let visible = try [Kind.photo, .comment].map { try replica.visibleCount(of: $0) }
        try replica.close()
        let firstPage = try Stopwatch.seconds {
            let reopened = try Replica(path: path, event: event, own: replica.own)
            _ = try reopened.photos(limit: 60)
            try reopened.close()
        }
        return MergeMeasurement(
            visible: visible,
            merging: merging,
            checkpoint: checkpoint,
            peakMemory: peak,
            processor: processor,
            again: again,
            firstPage: firstPage,
            fileSize: try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        )
    }

    /// Keys of another device of the last author's.
    var member: AuthorKeys { keys[keys.count - 1].anotherDevice }

    /// Merges the file into a new replica at `path` that belongs to a member.
    func fill(_ path: String, of member: AuthorKeys) throws {
        let own = member.own(in: event, invitation: invitation)
        let replica = try Replica(path: path, event: event, own: own, quota: nil)
        try merge(RunFileReader(path: self.path, event: event), into: replica)
        let statement = FabricPayload.admissionStatement(event: event, person: own.person)
        let admission = FabricPayload.admission(
            invitation: invitation.id,
            signature: invitation.signing.sign(statement)
        )
        _ = try replica.author(
            [.fabric(member.certificate(in: event)), .fabric(admission)],
            at: Timestamp(milliseconds: 1_770_000_000_000),
            randomness: .system
        )
        try replica.close()
    }

    /// Reads, decodes, proves and opens everything, and forgets it.
    func openAll() throws {
        let reader = try RunFileReader(path: path, event: event)
        let replica = try Replica(path: nil, event: event, own: AuthorKeys().own(in: event, invitation: invitation))
        for _ in 0..<preludeRuns {
            if let run = try reader.next() { try Self.requireNone(try replica.merge([run]).refused) }
        }
        let opener = replica.opener
        while let run = try reader.next() { _ = opener.open(run) }
        try replica.close()
    }

    private func merge(_ reader: RunFileReader, into replica: Replica) throws {
        try MergePipeline().merge(into: replica, next: { try reader.next() }) { outcome in
            try Self.requireNone(outcome.refused)
        }
    }

    private static func requireNone(_ refused: [(index: Int, reason: MergeRefusal)]) throws {
        if let first = refused.first { throw MergeBenchmarkError.refused(first.reason) }
    }
}

extension ForeignJournal {
    /// Lets everybody join, and makes the moments that photos hang on; returns those.
    private func sealPrelude(by authors: inout [Author], into file: inout RunFileWriter) throws -> [Reference] {
        let time = Timestamp(milliseconds: 1_770_000_000_000)
        try authors[0].write(keys[0].certificate(in: event, foundingSalt: salt), at: time)
        let terms = InvitationTerms(id: invitation.id, agreementKey: invitation.agreement.publicKey)
        try authors[0].write(.invitation(terms), at: time)
        try authors[0].write(keys[0].epoch(epoch, of: event, for: invitation), at: time)
        try finishRun(of: .fabric, by: &authors[0], into: &file)
        _ = try authors[0].seal(Self.named(.event, "Benchmark"), root: .none, epoch: epoch, at: time)
        for index in 1..<authors.count {
            try authors[index].write(keys[index].certificate(in: event), at: time)
            let statement = FabricPayload.admissionStatement(event: event, person: keys[index].person)
            let signature = invitation.signing.sign(statement)
            try authors[index].write(.admission(invitation: invitation.id, signature: signature), at: time)
            try finishRun(of: .fabric, by: &authors[index], into: &file)
        }
        let moments = try (0..<RecordPlan.moments).map { number in
            try authors[0].seal(Self.moment(number), root: .itself, epoch: epoch, at: time)
        }
        try finishRun(of: .content, by: &authors[0], into: &file)
        for index in authors.indices {
            _ = try authors[index].seal(Self.named(.profile, "Guest \(index)"), root: .none, epoch: epoch, at: time)
            for moment in moments {
                let joined = RecordPayload(
                    kind: Kind.participation.number,
                    target: .record(moment),
                    changes: [Change(field: 1, value: .number(ParticipationState.joined.rawValue))]
                )
                _ = try authors[index].seal(joined, root: .none, epoch: epoch, at: time)
            }
            try finishRun(of: .content, by: &authors[index], into: &file)
        }
        return moments
    }

    /// An event's title, or a person's name.
    private static func named(_ kind: Kind, _ name: String) -> RecordPayload {
        RecordPayload(kind: kind.number, target: .nothing, changes: [Change(field: 1, value: .text(name))])
    }

    private static func moment(_ number: Int) -> RecordPayload {
        let values: [(UInt32, Value)] = [
            (1, .text("Moment \(number)")), (3, .number(1_780_000_000_000)), (4, .number(1_790_000_000_000)),
            (6, .text("Hall")), (7, .number(0)), (8, .number(0)), (9, .number(100)),
        ]
        return RecordPayload(
            kind: Kind.moment.number,
            target: .nothing,
            changes: values.map { Change(field: $0.0, value: $0.1) }
        )
    }

    private func finishRun(of journal: Journal, by author: inout Author, into file: inout RunFileWriter) throws {
        if let run = author.finishRun(of: journal) { try file.append(run) }
    }
}
