// SPDX-License-Identifier: Apache-2.0

package import MingleModel
package import MingleWire

/// What the engine of one event asks of the shell, in order.
package enum SyncAction: Sendable {
    // MARK: Links
    /// Send a message; the lanes keep their own order, and none overtakes an earlier one on a lane that goes first.
    case send(PeerID, Lane, [UInt8])
    /// Close a link once what was sent is gone, and tell the operator why.
    case close(PeerID, Goodbye)
    /// Tell the operator how a peer does.
    case note(PeerID, PeerState)
    /// Remember addresses that a peer knows; they are claims.
    case learn(PeerID, addresses: [String])

    // MARK: Greeting
    /// Make this node's greeting, bound to the session.
    case makeHello(PeerID, Session)
    /// Check a peer's greeting against the session and the fabric.
    case authenticate(PeerID, Hello, Session)
    /// Certify a device that asks for it by a device link, if one is open here that fits.
    case certify(PeerID, DeviceRequest, Session)
    /// Take the certificate that this node asked for, if it is what was asked for.
    case takeCertificate(PeerID, DeviceCertified)

    // MARK: Journals
    /// Find which headers of a journal are not held.
    case findMissing(JournalKey, [JournalPoint])
    /// Load points of a journal, tips first, ever sparser back to the first header of every branch.
    case loadLocator(JournalKey)
    /// Load what a peer lacks of these journals.
    case loadRuns(PeerID, [RunsRequest])
    /// Merge a run that hangs together but is not proved yet.
    case merge(PeerID, Run)

    // MARK: Payloads
    /// Load payloads for a peer; fabric ones only, if it has no more than that.
    case loadPayloads(PeerID, [Reference])
    /// Merge payloads that are not checked against their headers yet.
    case mergePayloads(PeerID, [ReceivedPayload])

    // MARK: Blobs
    /// Find wanted blobs that the engine let go of, in the records behind a place that the last answer named, 0 at first:
    /// at least as many as the limit where there are so many.
    case findBlobs(after: Int64, limit: Int)
    /// Find what is held of some blobs.
    case loadBlobStates(PeerID, [BlobName])
    /// Read a chunk for a peer.
    case loadChunk(PeerID, BlobName, index: UInt32)
    /// Remember that a peer says to hold these blobs whole, of those that are watched and maybe others; it is a claim.
    case noteHolding(PeerID, [BlobName])
    /// Check a chunk against its root and write it.
    case storeChunk(PeerID, ReceivedChunk)
}

/// What a peer lacks of one journal: on each branch from the highest header that it holds, from the first if it named none or
/// reached back to a sequence of 1.
package struct RunsRequest: Hashable, Sendable {
    /// The journal.
    package let key: JournalKey
    /// What it named of what it holds.
    package let held: [JournalPoint]
    /// Bytes that the answer may have, though one run always may come.
    package let byteLimit: Int

    /// Asks for what lies behind some headers of a journal.
    package init(key: JournalKey, held: [JournalPoint], byteLimit: Int) {
        (self.key, self.held, self.byteLimit) = (key, held, byteLimit)
    }
}

extension SyncAction {
    /// Whether a peer fetches a part of a blob, or what a device wrote.
    package func serves(_ device: DeviceName) -> Bool {
        switch self {
        case .loadChunk: true
        case .loadRuns(_, let requests): requests.contains { $0.key.device == device }
        case .loadPayloads(_, let references): references.contains { $0.device == device.raw.prefix }
        default: false
        }
    }
}

/// How a peer does, for the operator.
package enum PeerState: Hashable, Sendable {
    /// It is let in.
    case admitted(DeviceName, Scope)
    /// It lets this node in.
    case welcomed(Scope)
    /// It holds what this node holds of all that the session carries, or of the fabric alone.
    case inSync(Scope)
    /// It did, and has told of something since that this node lacks.
    case ahead
    /// All that it has told of since is here.
    case caughtUp
    /// It advertises a journal and does not deliver it.
    case gaveUp(JournalKey)
    /// It did not answer for this many payloads.
    case withheldPayloads(Int)
    /// It sent no chunk for too long.
    case stalled
}
