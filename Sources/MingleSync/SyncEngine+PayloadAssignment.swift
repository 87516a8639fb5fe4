// SPDX-License-Identifier: Apache-2.0

import MingleModel

// Which peer is asked for which payload: one at a time, and nobody again in a session for what it does not hold, unless it says that it came.
extension SyncEngine {
    /// Puts payloads that are nobody's into the queues of peers; what there is no peer for waits for one.
    ///
    /// The preferred peer comes first, then the device that wrote them, then who has least to answer. That one gets some more of them
    /// before another does, so that few messages ask for much, and what its author has to send does not all hang on one phone.
    mutating func assign(_ references: [Reference], preferring preferred: PeerID?) {
        let ready = Journal.allCases.map { readyPeers(for: $0) }
        var last: PeerID?
        for reference in references {
            guard let want = payloads.wants[reference], want.assigned == nil else { continue }
            if let preferred, assign(reference, to: preferred) { continue }
            let candidates = ready[Int(reference.journal.rawValue)].filter { mayAsk($0, for: want) }
            let author = candidates.first { peers[$0]?.device?.raw.prefix == reference.device }
            let first = [author, candidates.first { $0 == last }].compactMap(\.self).first { hasRoomForPayloads($0) }
            guard let chosen = first ?? candidates.min(by: { isFreer($0, than: $1) }) else { continue }
            assign(reference, to: chosen)
            last = chosen
        }
    }

    /// Puts a payload that is nobody's into the queue of a peer; false if it is somebody's, or that peer cannot be asked for it.
    @discardableResult
    mutating func assign(_ reference: Reference, to id: PeerID) -> Bool {
        guard let want = payloads.wants[reference], want.assigned == nil, mayAsk(id, for: want),
            peers[id]?.ready?.includes(reference.journal) == true
        else { return false }
        payloads.wants[reference]?.assigned = id
        payloads.wants[reference]?.asked[id] = PayloadQueue.Want.Turn(count: (want.asked[id]?.count ?? 0) + 1)
        peers[id]?.asked.payloadQueue.append(reference)
        return true
    }

    /// Whether a peer was not asked for a payload yet, or it may have come to it since.
    private func mayAsk(_ id: PeerID, for want: PayloadQueue.Want) -> Bool {
        (want.asked[id].map { $0.word == .came } ?? true) && !hasEvicted(want, id)
    }

    /// Whether one answer of a peer can hold some more of what is lacking, and it answers.
    private func hasRoomForPayloads(_ id: PeerID) -> Bool {
        guard let asked = peers[id]?.asked else { return false }
        return asked.payloadStalls == 0 && asked.waitingPayloads < limits.payloadsTogether
    }

    /// Whether a peer has failed less often to answer for payloads since it sent one, or as often and has less to answer.
    private func isFreer(_ id: PeerID, than other: PeerID) -> Bool {
        guard let left = peers[id]?.asked, let right = peers[other]?.asked else { return false }
        return (left.payloadStalls, left.waitingPayloads) < (right.payloadStalls, right.waitingPayloads)
    }
}
