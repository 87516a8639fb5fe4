// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleModel
import MingleWire

extension SyncEngine {
    /// Takes missing payloads; the peer that brought their headers is asked first.
    mutating func want(_ wants: [PayloadWant], from id: PeerID?) {
        for want in wants where payloads.wants[want.reference] == nil {
            payloads.wants[want.reference] = PayloadQueue.Want(length: want.length)
        }
        assign(wants.map(\.reference), preferring: id)
        for id in peers.keys { requestPayloads(of: id) }
    }

    /// Settles what came along with a run, of which it is seldom known that anybody waits for it.
    mutating func settle(_ run: Run) {
        let isAwaited = !payloads.wants.isEmpty || peers.keys.contains { !(peers[$0]?.serving.owed.isEmpty ?? true) }
        if isAwaited { settle(run.deltas.filter { $0.payload != nil }.map(\.reference)) }
    }

    /// Forgets payloads that are missing no more, and tells peers that asked in vain.
    mutating func settle(_ references: [Reference]) {
        for reference in references { payloads.wants[reference] = nil }
        for id in peers.keys {
            guard let owed = peers[id]?.serving.owed, !owed.isEmpty else { continue }
            let due = references.filter { owed.contains($0) }
            guard !due.isEmpty else { continue }
            peers[id]?.serving.owed.subtract(due)
            for reference in due { peers[id]?.serving.due.append(reference) }
            servePayloads(to: id)
        }
    }

    /// Lets a peer that has become ready answer for what nobody else does.
    mutating func offerPayloads(to id: PeerID) {
        for reference in payloads.wants.keys { assign(reference, to: id) }
        requestPayloads(of: id)
    }

    private mutating func requestPayloads(of id: PeerID) {
        // What is fetched onto a full disk cannot be stored.
        guard !pulls.isPaused, peers[id]?.asked.payloads.isEmpty == true else { return }
        var references: [Reference] = []
        var byteCount = 0
        while references.count < limits.payloadsPerRequest, let next = peers[id]?.asked.payloadQueue.first {
            let want = payloads.wants[next]
            let length = want?.assigned == id ? want?.length ?? 0 : 0
            if !references.isEmpty, byteCount + length > limits.payloadBytes { break }
            _ = peers[id]?.asked.payloadQueue.popFirst()
            guard let want, want.assigned == id else { continue }
            if want.isMerging {
                // What is being stored may turn out to be forged.
                payloads.wants[next]?.asked[id] = nil
                continue
            }
            references.append(next)
            byteCount += length
        }
        guard !references.isEmpty else { return }
        peers[id]?.asked.payloads = Set(references)
        peers[id]?.asked.payloadsSince = now
        peers[id]?.asked.payloadsDue = now + limits.queueTimeout + .seconds(byteCount / limits.slowestRuns)
        var message = ProtoWantPayloads()
        message.references = references.map { .init($0.bytes) }
        send(.wantPayloads(message), to: id, on: .control)
    }

    mutating func receive(_ message: ProtoPayloads, from id: PeerID) {
        // All of it is looked at before any of it counts: what a liar leaves unsaid must be asked of others.
        var answers: [(reference: Reference, content: ProtoPayloadAnswer.OneOf_Answer?)] = []
        for answer in message.answers {
            guard let reference = Reference(bytes: [UInt8](answer.reference)),
                answer.payload.count <= Limits.payloadLength
            else { return close(id, "malformed payloads") }
            if case .payload(let bytes) = answer.answer, let want = payloads.wants[reference],
                bytes.count != want.length
            {
                return close(id, "sent a payload of another length")
            }
            answers.append((reference, answer.answer))
        }
        var received: [ReceivedPayload] = []
        var (open, came): ([Reference], [Reference]) = ([], [])
        var strayCount = 0
        for (reference, content) in answers {
            if case .came = content {
                came.append(reference)
                continue
            }
            let wasAsked = peers[id]?.asked.payloads.remove(reference) != nil
            guard let want = payloads.wants[reference], wasAsked || want.asked[id] != nil else {
                if !wasAsked { strayCount += 1 }
                continue
            }
            if wasAsked { peers[id]?.asked.payloadsSince = now }
            if case .payload(let bytes) = content {
                guard !want.isMerging else {
                    // It is asked again should the other one be forged.
                    payloads.wants[reference]?.asked[id] = nil
                    continue
                }
                payloads.wants[reference]?.isMerging = true
                received.append(ReceivedPayload(reference: reference, bytes: [UInt8](bytes)))
            } else if wasAsked || want.assigned != id {
                if case .evicted = content { noteEvicted(reference, by: id) }
                payloads.wants[reference]?.asked[id]?.word = .absent
                // That it was erased is believed only with the deletion in hand, which settles it.
                if want.assigned == id { open.append(reference) }
            } else {
                // It stands in the peer's queue, of which it cannot know.
                strayCount += 1
            }
        }
        peers[id]?.serving.owed.subtract(received.map(\.reference))
        if !received.isEmpty { actions.append(.mergePayloads(id, received)) }
        if !open.isEmpty { passOn(open) }
        for reference in came { askAgain(reference, of: id) }
        if strayCount + came.count > 0 || answers.isEmpty { spend(id, items: strayCount + came.count) }
        requestPayloads(of: id)
    }

    /// Takes a peer's word that it may have come to hold a payload that it was asked for in vain.
    private mutating func askAgain(_ reference: Reference, of id: PeerID) {
        // Who owes an answer has that to give first.
        guard let want = payloads.wants[reference], want.assigned != id, let turn = want.asked[id],
            turn.word == .absent, turn.count < limits.payloadTurns
        else { return }
        payloads.wants[reference]?.asked[id]?.word = .came
        guard !want.isMerging else { return }
        if let other = want.assigned, peers[other]?.asked.payloads.contains(reference) == false {
            // That one was not asked yet, and knows of nothing.
            payloads.wants[reference]?.asked[other] = nil
            payloads.wants[reference]?.assigned = nil
        }
        assign(reference, to: id)
    }

    /// Takes the shell's word of what became of payloads.
    mutating func finishPayloads(from id: PeerID, _ stored: [Reference], _ refused: [Reference]) {
        settle(stored)
        if !stored.isEmpty { peers[id]?.asked.payloadStalls = 0 }
        guard !refused.isEmpty else { return }
        for reference in refused { payloads.wants[reference]?.isMerging = false }
        passOn(refused)
        close(id, "sent a payload that does not fit its header")
    }

    /// Puts payloads off that could not be stored, which is no fault of whoever sent them.
    mutating func releasePayloads(_ references: [Reference]) {
        for reference in references {
            payloads.wants[reference]?.isMerging = false
            payloads.wants[reference]?.assigned = nil
        }
        payloads.unstored.formUnion(references)
        payloads.resumesAt = now + limits.stallPause
    }

    /// Asks for payloads again that could not be stored a while ago, and of those who sent them, too.
    mutating func resumePayloads() {
        guard !payloads.unstored.isEmpty, now >= payloads.resumesAt else { return }
        let unstored = payloads.unstored.sorted()
        payloads.unstored = []
        for reference in unstored {
            guard let assigned = payloads.wants[reference]?.assigned else {
                payloads.wants[reference]?.asked = [:]
                continue
            }
            payloads.wants[reference]?.asked = [assigned: PayloadQueue.Want.Turn()]
        }
        assign(unstored, preferring: nil)
        for id in peers.keys { requestPayloads(of: id) }
    }

    /// Goes on with what there was no room for.
    mutating func goOnWithPayloads() {
        payloads.resumesAt = now
        resumePayloads()
        for id in peers.keys { requestPayloads(of: id) }
    }

    /// Turns to other peers for payloads; what is being stored is passed on should it be forged.
    private mutating func passOn(_ references: [Reference]) {
        let open = references.filter { payloads.wants[$0]?.isMerging == false }
        for reference in open { payloads.wants[reference]?.assigned = nil }
        assign(open, preferring: nil)
        for id in peers.keys { requestPayloads(of: id) }
    }

    /// Turns to others for payloads that a peer does not answer for, and for what it was to be asked for next.
    mutating func endStalePayloads() {
        for id in peers.keys {
            guard let asked = peers[id]?.asked, !asked.payloads.isEmpty,
                now - asked.payloadsSince >= limits.requestTimeout || now >= asked.payloadsDue
            else { continue }
            noteFailing(id, .withheldPayloads(asked.payloads.count))
            peers[id]?.asked.payloads = []
            peers[id]?.asked.payloadStalls += 1
            let queued = takeQueuedPayloads(of: id)
            passOn(asked.payloads.filter { payloads.wants[$0]?.assigned == id }.sorted() + queued)
        }
    }

    /// Takes what a peer was not asked for yet out of its queue; it may be asked for it all the same.
    private mutating func takeQueuedPayloads(of id: PeerID) -> [Reference] {
        var queued: [Reference] = []
        while let next = peers[id]?.asked.payloadQueue.popFirst() {
            guard payloads.wants[next]?.assigned == id else { continue }
            payloads.wants[next]?.asked[id] = nil
            queued.append(next)
        }
        return queued
    }

    /// Turns to others for what a peer that is gone was to answer.
    mutating func forgetPayloads(of id: PeerID) {
        let open = payloads.wants.keys.filter { reference in
            payloads.wants[reference].map { $0.assigned == id && !$0.isMerging } ?? false
        }
        for reference in payloads.wants.keys { payloads.wants[reference]?.asked[id] = nil }
        passOn(open)
    }
}
