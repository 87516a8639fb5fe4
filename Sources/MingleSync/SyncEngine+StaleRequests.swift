// SPDX-License-Identifier: Apache-2.0

import MingleModel

// A peer answers requests for journals one after the other. While it sends something, what it was asked for later waits; but
// what it passed over, it keeps to itself.
extension SyncEngine {
    /// Frees what an answered request took of its peer.
    mutating func endRequest(_ key: JournalKey) {
        guard let request = pulls.table[key]?.request else { return }
        pulls.table[key]?.request = nil
        peers[request.peer]?.asked.free(request.byteLimit)
        pulls.isDirty = true
    }

    /// Gives up on requests whose peers have fallen silent.
    mutating func endStaleRequests() {
        for key in pulls.table.keys {
            guard let pull = pulls.table[key], let request = pull.request, pull.merging.isEmpty,
                isStale(request, of: key.journal)
            else { continue }
            pulls.table[key]?.request = nil
            if request.isAnswered {
                peers[request.peer]?.asked.free(request.byteLimit)
            } else {
                peers[request.peer]?.asked.giveUp(request, for: key)
            }
            pulls.isDirty = true
            giveUp(on: request.peer, for: key)
            consider(key)
        }
    }

    private func isStale(_ request: JournalPull.Request, of journal: Journal) -> Bool {
        let pause = now - request.since
        guard pause >= limits.requestTimeout, let asked = peers[request.peer]?.asked else { return false }
        let isSilent = now - asked.runsSince >= limits.requestTimeout
        return isSilent || asked.hasPassedOver(request, of: journal) || pause >= limits.queueTimeout
    }
}
