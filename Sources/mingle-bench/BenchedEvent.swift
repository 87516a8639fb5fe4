// SPDX-License-Identifier: Apache-2.0

import MingleClient
import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire

/// An event with one replica, and people of whom nothing is kept but what they say.
struct BenchedEvent {
    /// People who are merged at once.
    private static let batch = 100

    let replica: Replica
    private let event: EventID
    private let invitation = InvitationKeys(seed: Randomness.system.secret())
    private let epoch: EpochKey

    /// Founds an event in a new file.
    init(_ title: String, path: String, at time: Timestamp) throws {
        let founder = AuthorKeys()
        let salt = Bytes32(at: 0, of: Randomness.system.bytes(32).span)
        event = Certificate.eventID(founder: founder.person, salt: salt)
        let key = Randomness.system.secret()
        let audience = EpochSlots.eventAudience(event)
        epoch = EpochKey(id: EpochSlots.id(key: key, event: event, audience: audience), key: key)
        let own = OwnDevice(
            person: founder.person,
            name: founder.name(in: event),
            signing: founder.signing,
            agreement: founder.agreement
        )
        replica = try Replica(path: path, event: event, own: own, quota: nil)
        let terms = InvitationTerms(id: invitation.id, agreementKey: invitation.agreement.publicKey)
        let beginning: [FabricPayload] = [
            founder.certificate(in: event, foundingSalt: salt), .invitation(terms),
            try founder.epoch(epoch, of: event, for: invitation),
        ]
        _ = try replica.author(beginning.map(Draft.fabric), at: time, randomness: .system)
        _ = try replica.hold(key, of: epoch.id)
        let named = Draft.set(.event, on: .nothing, values: ["title": .text(title)])
        _ = try replica.author([named], at: time, randomness: .system)
    }

    /// Lets people in, each of whom says some things about records.
    ///
    /// - Parameter words: What the person of a number says.
    func join(_ people: Int, at time: Timestamp, saying words: (Int) -> [RecordPayload]) throws {
        for start in stride(from: 0, to: people, by: Self.batch) {
            let runs = try (start..<min(start + Self.batch, people)).map { number in
                try self.runs(of: number, at: time, words(number))
            }
            for part in [runs.map(\.fabric), runs.map(\.content)] {
                let outcome = try replica.merge(part.compactMap(\.self))
                if let first = outcome.refused.first { throw MergeBenchmarkError.refused(first.reason) }
            }
        }
    }

    private func runs(
        of number: Int,
        at time: Timestamp,
        _ words: [RecordPayload]
    ) throws -> (fabric: Run?, content: Run?) {
        let keys = AuthorKeys()
        var author = Author(keys: keys, event: event)
        let statement = FabricPayload.admissionStatement(event: event, person: keys.person)
        try author.write(keys.certificate(in: event), at: time)
        try author.write(
            .admission(invitation: invitation.id, signature: invitation.signing.sign(statement)),
            at: time
        )
        let name = RecordPayload(
            kind: Kind.profile.number,
            target: .nothing,
            changes: [Change(field: 1, value: .text("Guest \(number)"))]
        )
        for payload in [name] + words { _ = try author.seal(payload, root: .none, epoch: epoch, at: time) }
        return (author.finishRun(of: .fabric), author.finishRun(of: .content))
    }
}
