// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleClient
import MingleCrypto
import MingleMedia
import MingleModel

/// A node's data folder with one event that has many records: what a start, and a newcomer's wait, is measured on.
struct StartFolder {
    /// The newest photos, whose thumbnails are there to be fetched.
    static let thumbnails = 60

    private let path: String
    private let plan: RecordPlan

    /// Prepares a folder at `path`, which must not exist, with records that so many devices wrote in turn.
    init(path: String, records: Int, authors: Int = 4) {
        self.path = path
        plan = RecordPlan(count: records, authors: authors)
    }

    /// The keys of the last author's other device, whose folder it is (docs/architecture.md, "The data folder").
    private struct Secrets: Encodable {
        let psk, identity, signing, agreement, cameBy: String
        let issued: [String] = []
        let hints: [String] = []
    }

    /// Makes the folder.
    func make() throws {
        let journal = ForeignJournal(plan: plan, path: path + ".runs")
        let event = "\(path)/events/\(journal.event)"
        try FileManager.default.createDirectory(atPath: event, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path + ".runs") }
        try journal.seal(
            thumbnails: NewestThumbnails(
                store: BlobStore(path: event + "/blobs"),
                since: RecordPlan.made(max(0, plan.count - 2 * Self.thumbnails))
            )
        )
        let member = journal.member
        try journal.fill(event + "/replica.sqlite", of: member)
        let secrets = Secrets(
            psk: Base32.encode(Randomness.system.bytes(32)),
            identity: Base32.encode(member.identity.seed.exposed()),
            signing: Base32.encode(member.signing.seed.exposed()),
            agreement: Base32.encode(member.agreement.secret.exposed()),
            cameBy: Base32.encode(journal.seed.exposed())
        )
        try JSONEncoder().encode(secrets).write(to: URL(fileURLWithPath: event + "/secrets.json"))
    }
}
