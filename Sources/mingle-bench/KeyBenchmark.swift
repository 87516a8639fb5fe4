// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleClient
import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire

/// What a new key of the event costs: what its maker computes, what travels, and what each of the others computes.
struct KeyBenchmark {
    private let devices: Int
    private let folder: URL
    private let time = Timestamp(milliseconds: 1_770_000_000_000)
    private let salt = Bytes32(at: 0, of: Randomness.system.bytes(32).span)
    private let founder = AuthorKeys()
    private let member = AuthorKeys()
    private let invitation = InvitationKeys(seed: Randomness.system.secret())
    private var event: EventID { Certificate.eventID(founder: founder.person, salt: salt) }

    /// Prepares an event of `devices`, of which each is another person's, in a new folder at `folder`.
    init(devices: Int, folder: String) {
        self.devices = devices
        self.folder = URL(fileURLWithPath: folder, isDirectory: true)
    }

    /// Measures, and removes the folder.
    func run() throws -> KeyBenchmarkResult {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (maker, reader) = (try replica(of: founder), try replica(of: member))
        defer { for replica in [maker, reader] { try? replica.close() } }
        let guests = [member] + (2..<devices).map { _ in AuthorKeys() }
        let beginning = try found(in: maker) + guests.map { try introduction(of: $0) }
        for replica in [maker, reader] { _ = try replica.merge(beginning) }
        let renewal = try measure(.renewKey, of: maker, to: reader)
        let removal = try measure(.remove(guests[guests.count - 1].person, keepsLinks: false), of: maker, to: reader)
        return KeyBenchmarkResult(devices: devices, renewal: renewal, removal: removal)
    }

    private func measure(_ draft: Draft, of maker: Replica, to reader: Replica) throws -> KeyBenchmarkResult.Cost {
        var start = Stopwatch.processorSeconds
        let authored = try maker.author([draft], at: time, randomness: .system)
        let making = Stopwatch.processorSeconds - start
        start = Stopwatch.processorSeconds
        guard try reader.merge(authored.runs).refused.isEmpty, try !reader.isKeyOutdated() else {
            throw KeyBenchmarkError.notTaken
        }
        return KeyBenchmarkResult.Cost(
            bytes: authored.runs.reduce(0) { $0 + $1.encoded().count },
            making: making,
            taking: Stopwatch.processorSeconds - start
        )
    }

    private func replica(of keys: AuthorKeys) throws -> Replica {
        let path = folder.appendingPathComponent("\(keys.person).sqlite").path
        return try Replica(path: path, event: event, own: keys.own(in: event, invitation: invitation))
    }

    /// The founder's first deltas: a certificate, the first key, and an invitation for everybody.
    private func found(in replica: Replica) throws -> [Run] {
        let key = Randomness.system.secret()
        let id = EpochSlots.id(key: key, event: event, audience: EpochSlots.eventAudience(event))
        let terms = InvitationTerms(id: invitation.id, agreementKey: invitation.agreement.publicKey)
        let drafts: [FabricPayload] = [
            founder.certificate(in: event, foundingSalt: salt), .invitation(terms),
            try founder.epoch(EpochKey(id: id, key: key), of: event, for: invitation),
        ]
        return try replica.author(drafts.map { .fabric($0) }, at: time, randomness: .system).runs
    }

    private func introduction(of keys: AuthorKeys) throws -> Run {
        var author = Author(keys: keys, event: event)
        try author.write(keys.certificate(in: event), at: time)
        let statement = FabricPayload.admissionStatement(event: event, person: keys.person)
        let signature = invitation.signing.sign(statement)
        try author.write(.admission(invitation: invitation.id, signature: signature), at: time)
        guard let run = author.finishRun(of: .fabric) else { throw KeyBenchmarkError.notTaken }
        return run
    }
}

/// Why the figures would mean nothing.
enum KeyBenchmarkError: Error, CustomStringConvertible {
    /// The other member did not get the key.
    case notTaken

    var description: String { "The other member did not take the new key; nothing was measured." }
}

/// The figures of `mingle-bench keys`.
struct KeyBenchmarkResult: Codable, Sendable {
    /// What one act costs.
    struct Cost: Codable, Sendable {
        /// Bytes of the runs that everybody gets.
        let bytes: Int
        /// Seconds of processor time of who does it, until it is on the disk.
        let making: Double
        /// Seconds of processor time of another member, until it can write under the key.
        let taking: Double
    }

    /// Devices that take part.
    let devices: Int
    /// A new key for all of them.
    let renewal: Cost
    /// The end of somebody's part, of the link that everybody came by, and the key that follows from that.
    let removal: Cost
}
