// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleModel
import MingleSync
import MingleWire
import SwiftProtobuf

extension ProtoMessage.OneOf_Content {
    /// The message as it travels.
    var bytes: [UInt8] { (try? ProtoMessage.with { $0.content = self }.serializedBytes()) ?? [] }
}

extension SyncAction {
    /// What is sent, to whom.
    var sent: (peer: PeerID, content: ProtoMessage.OneOf_Content)? {
        guard case .send(let peer, _, let bytes) = self,
            let content = try? ProtoMessage(serializedBytes: bytes).content
        else { return nil }
        return (peer, content)
    }
}

extension [SyncAction] {
    /// The same with the messages of each bundle as if they were sent one after the other.
    var unbundled: [SyncAction] {
        flatMap { action -> [SyncAction] in
            guard case .send(let peer, let lane, _) = action, case (_, .bundle(let bundle))? = action.sent else {
                return [action]
            }
            return bundle.messages.map { .send(peer, lane, [UInt8]($0)) }
        }
    }

    /// The names of chunks, with their indexes, that are asked for.
    var wantedChunks: [(peer: PeerID, name: BlobName, indexes: [UInt32])] {
        compactMap { action in
            guard case (let peer, .wantChunks(let message))? = action.sent else { return nil }
            return BlobName(bytes: message.name).map { (peer, $0, message.indexes) }
        }
    }

    /// What is said of all that is held.
    var digests: [ProtoDigest] {
        compactMap { action in
            guard case (_, .digest(let digest))? = action.sent else { return nil }
            return digest
        }
    }

    /// Who is told of journals.
    var told: [PeerID] {
        compactMap { action in
            guard case (let peer, .entries)? = action.sent else { return nil }
            return peer
        }
    }

    /// The payloads that are asked for.
    var wantedPayloads: [(peer: PeerID, references: [Reference])] {
        compactMap { action in
            guard case (let peer, .wantPayloads(let message))? = action.sent else { return nil }
            return (peer, message.references.compactMap { Reference(bytes: [UInt8]($0)) })
        }
    }

    /// The journals that are asked for.
    var wantedRuns: [(peer: PeerID, device: DeviceName)] {
        compactMap { action in
            guard case (let peer, .wantRuns(let message))? = action.sent else { return nil }
            return DeviceName(bytes: message.device).map { (peer, $0) }
        }
    }

    /// Why sessions are closed.
    var goodbyes: [Goodbye] {
        compactMap { action in if case .close(_, let goodbye) = action { goodbye } else { nil } }
    }
}
