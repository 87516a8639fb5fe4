// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleModel
import MingleWire
import SwiftProtobuf

extension SyncEngine {
    mutating func receive(_ message: ProtoWantPayloads, from id: PeerID, _ scope: Scope) {
        guard let peer = peers[id] else { return }
        let references = message.references.compactMap { Reference(bytes: [UInt8]($0)) }
        guard references.count == message.references.count, references.count <= limits.payloadsPerRequest,
            references.allSatisfy({ scope.includes($0.journal) })
        else { return close(id, "malformed request for payloads") }
        guard peer.serving.payloads.count < limits.waitingRequests else {
            return close(id, "asks for too many payloads at once")
        }
        peers[id]?.serving.payloads.append(references)
        servePayloads(to: id)
    }

    /// Has the shell load what a peer asked for, one request at a time and no faster than it reads.
    mutating func servePayloads(to id: PeerID) {
        guard peers[id]?.serving.isLoadingPayloads == false else { return }
        tellOfPayloads(to: id)
        guard hasRoom(id, on: .deltas), let references = peers[id]?.serving.payloads.popFirst() else { return }
        peers[id]?.serving.isLoadingPayloads = true
        // From now on, as it may come while it is looked for.
        for reference in references { peers[id]?.serving.owe(reference, limits) }
        actions.append(.loadPayloads(id, references))
    }

    mutating func serve(_ answers: [PayloadAnswer], to id: PeerID) {
        guard peers[id] != nil else { return }
        peers[id]?.serving.isLoadingPayloads = false
        var message = ProtoPayloads()
        var byteCount = 0
        for answer in answers {
            var item = ProtoPayloadAnswer()
            item.reference = .init(answer.reference.bytes)
            switch answer.content {
            case .payload(let bytes):
                // An answer has room for the longest payload, or for shorter ones that have as many bytes together.
                if byteCount + bytes.count > Limits.payloadLength, !message.answers.isEmpty {
                    send(.payloads(message), to: id, on: .deltas)
                    (message, byteCount) = (ProtoPayloads(), 0)
                }
                item.payload = .init(bytes)
                byteCount += bytes.count
            case .absent: item.absent = true
            case .erased: item.erased = true
            case .evicted: item.evicted = true
            }
            if answer.content != .absent { peers[id]?.serving.owed.remove(answer.reference) }
            message.answers.append(item)
        }
        if !message.answers.isEmpty { send(.payloads(message), to: id, on: .deltas) }
        servePayloads(to: id)
    }

    /// Tells a peer that payloads have come that it asked for in vain; it asks for those again that nobody else has sent it.
    ///
    /// This goes on the lane of answers, where it cannot overtake the one that says that they are absent.
    private mutating func tellOfPayloads(to id: PeerID) {
        while hasRoom(id, on: .deltas), let references = peers[id]?.serving.takeDue(limits) {
            var message = ProtoPayloads()
            message.answers = references.map { reference in
                .with { ($0.reference, $0.came) = (.init(reference.bytes), true) }
            }
            send(.payloads(message), to: id, on: .deltas)
        }
    }
}
