// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import MingleWire
import Synchronization

/// What light devices hold, once for all of them: a replica in memory that proves and opens what any of them gets first.
final class LightStore: Sendable {
    let link: InvitationLink
    /// Judges whom a device meets, and answers what it is asked.
    let responder: Responder
    private let replica: Replica
    // The hash of a run's last header stands for all of the run.
    private let proved = Mutex<Set<HeaderHash>>([])
    /// Names that were seen, which a thousand devices ask for.
    private let shown = Mutex<Set<String>>([])

    /// Begins with nothing; `folder` is for blobs, of which there are none.
    init(for link: String, folder: String) throws {
        let link = try InvitationLink(link)
        self.link = link
        let own = AuthorKeys().own(in: link.event, invitation: InvitationKeys(seed: link.seed))
        replica = try Replica(path: nil, event: link.event, own: own)
        responder = Responder(replica: replica, blobs: try BlobStore(path: folder))
    }

    /// Proves and keeps a run; nil unless it was refused.
    func hold(_ run: Run) throws -> MergeRefusal? {
        guard !proved.withLock({ $0.contains(run.last.hash) }) else { return nil }
        if let refused = try replica.merge([run]).refused.first { return refused.reason }
        proved.withLock { _ = $0.insert(run.last.hash) }
        return nil
    }

    /// Whether somebody in the event is called so, as what came says that could be opened.
    func shows(name: String) throws -> Bool {
        if shown.withLock({ $0.contains(name) }) { return true }
        guard try replica.people().contains(where: { $0.name == name }) else { return false }
        shown.withLock { _ = $0.insert(name) }
        return true
    }
}
