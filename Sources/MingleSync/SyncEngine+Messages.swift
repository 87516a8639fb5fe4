// SPDX-License-Identifier: Apache-2.0

import MingleWire
import SwiftProtobuf

extension SyncEngine {
    /// Reads a message, or those of a bundle one after the other.
    mutating func receive(_ bytes: [UInt8], on lane: Lane, from id: PeerID) {
        guard peers[id] != nil else { return }
        // What a bundle asks for is loaded together.
        defer { serveRuns(to: id) }
        // Who is not let in yet is heard on one lane only, the one with the least room.
        guard peers[id]?.scope != nil || lane == .control else {
            return close(id, "sent a message before it was welcomed")
        }
        guard let message = try? ProtoMessage(serializedBytes: bytes) else { return close(id, "malformed message") }
        guard case .bundle(let bundle)? = message.content else { return receive(message, from: id) }
        guard !bundle.messages.isEmpty else { return spend(id) }
        guard bundle.messages.count <= limits.bundledMessages, bytes.count <= 2 * limits.bundledBytes else {
            return close(id, "too much in a bundle")
        }
        for bytes in bundle.messages where peers[id] != nil {
            guard let message = try? ProtoMessage(serializedBytes: bytes) else { return close(id, "malformed message") }
            receive(message, from: id)
        }
    }

    /// Hands a message on, if its sender has come far enough for it.
    private mutating func receive(_ message: ProtoMessage, from id: PeerID) {
        // Read in place: a copy of the peer would outlive the changes below, and make each of them copy what it changes.
        guard let phase = peers[id]?.phase else { return }
        let scope = peers[id]?.scope
        // A message of a later version, which this one has no part in.
        guard let content = message.content else { return spend(id) }
        switch (content, phase) {
        case (.bundle, _): return close(id, "a bundle in a bundle")
        case (.goodbye(let goodbye), _): return part(id, goodbye)
        case (.hello(let hello), _): return receive(hello, from: id)
        case (.deviceRequest(let request), _): return receive(request, from: id)
        case (.deviceCertified(let answer), _): return receive(answer, from: id)
        case (.welcome, .silent): return close(id, "did not greet first")
        case (.welcome(let welcome), _): return receive(welcome, from: id)
        default: break
        }
        guard let scope else { return close(id, "sent a message before it was welcomed") }
        switch content {
        case .wantBlobs, .blobStatus, .wantChunks, .chunk, .peers:
            guard scope == .all else { return close(id, "sent a message about more than fabric journals") }
        default: break
        }
        receive(content, from: id, scope)
    }

    private mutating func receive(_ content: ProtoMessage.OneOf_Content, from id: PeerID, _ scope: Scope) {
        // What costs work whether it was asked for or not is counted; requests are bounded by their queues, answers by
        // what was asked.
        switch content {
        case .digest: spend(id)
        case .peers(let message): spend(id, items: message.addresses.count)
        case .entries(let message): spend(id, items: message.entries.count)
        default: break
        }
        guard peers[id] != nil else { return }
        switch content {
        case .digest(let message): receive(message, from: id, scope)
        case .entries(let message): receive(message, from: id, scope)
        case .wantRuns(let message): receive(message, from: id, scope)
        case .run(let bytes): receive(run: bytes, from: id, scope)
        case .runsEnd(let message): receive(message, from: id)
        case .wantPayloads(let message): receive(message, from: id, scope)
        case .payloads(let message): receive(message, from: id)
        case .wantBlobs(let message): receive(message, from: id)
        case .blobStatus(let message): receive(message, from: id)
        case .wantChunks(let message): receive(message, from: id)
        case .chunk(let message): receive(message, from: id)
        case .peers(let message): receive(message, from: id)
        case .hello, .welcome, .goodbye, .deviceRequest, .deviceCertified, .bundle: break
        }
    }

    /// Counts a message against what the peer may send unasked; sixteen items count as much as one more message.
    mutating func spend(_ id: PeerID, items: Int = 0) {
        if peers[id]?.allowance.take(items: items, at: now) == false { close(id, "sends too many messages") }
    }

    private mutating func part(_ id: PeerID, _ message: ProtoGoodbye) {
        let goodbye = Goodbye(message) { cause in cause == .linkedAlready ? twin(of: id) : nil }
        actions.append(.close(id, goodbye))
        forget(id)
    }
}
