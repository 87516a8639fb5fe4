// SPDX-License-Identifier: Apache-2.0

package import MingleCrypto
package import MingleMedia
import MingleModel
package import MingleReplica
package import MingleSync
import MingleWire

/// Answers what the engine of one event asks, from the event's replica and its blobs.
///
/// Everything is synchronous and without clocks or randomness of its own, so that the node, which asks from several
/// queues, and the simulator, which has one thread, run the same code.
package struct Responder: Sendable {
    let replica: Replica
    let blobs: BlobStore
    /// Invitations that this device has made.
    let issued: Set<InvitationID>

    /// Answers from a replica and a store of blobs.
    ///
    /// - Parameter issued: Seeds of the invitations that this device had made when the replica was opened.
    package init(replica: Replica, blobs: BlobStore, issued: [Secret] = []) {
        (self.replica, self.blobs) = (replica, blobs)
        self.issued = Set(issued.map { InvitationKeys(seed: $0).id })
    }

    /// Answers an action that reads and changes nothing; nil for all others.
    package func answer(_ action: SyncAction) throws -> SyncInput? {
        switch action {
        case .makeHello(let peer, let session): .hello(peer, try hello(in: session))
        case .findMissing(let key, let points): .missing(key, try missing(points, of: key))
        case .loadLocator(let key): .locator(key, try locator(of: key))
        case .loadRuns(let peer, let requests): .runs(peer, try requests.map { try runs(for: $0) })
        case .loadPayloads(let peer, let references): .payloads(peer, try payloads(references))
        case .findBlobs(let row, let limit): try unfinished(after: row, limit: limit)
        case .loadBlobStates(let peer, let names): .blobStates(peer, try states(of: names))
        case .loadChunk(let peer, let name, let index): .chunk(peer, name, index: index, chunk(index, of: name))
        default: nil
        }
    }

    /// What the engine is told in place of an answer that could not be read: it, or a peer, would wait for one for ever.
    ///
    /// Of several journals those that can be read are sent.
    package func excuse(for action: SyncAction) -> SyncInput? {
        guard case .loadRuns(let peer, let requests) = action else { return Self.emptyAnswer(to: action) }
        return .runs(peer, requests.map { (try? runs(for: $0)) ?? RunsAnswer(key: $0.key, runs: []) })
    }

    /// The same where nothing can be read.
    package static func emptyAnswer(to action: SyncAction) -> SyncInput? {
        switch action {
        // What is held may be asked for once more.
        case .findMissing(let key, let points): .missing(key, points)
        case .loadLocator(let key): .locator(key, [])
        case .loadRuns(let peer, let requests): .runs(peer, requests.map { RunsAnswer(key: $0.key, runs: []) })
        case .loadPayloads(let peer, let references):
            .payloads(peer, references.map { PayloadAnswer(reference: $0, content: .absent) })
        case .loadBlobStates(let peer, _): .blobStates(peer, [])
        case .loadChunk(let peer, let name, let index): .chunk(peer, name, index: index, nil)
        default: nil
        }
    }
}
