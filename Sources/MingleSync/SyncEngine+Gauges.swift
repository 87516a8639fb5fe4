// SPDX-License-Identifier: Apache-2.0

/// How full one of an engine's queues is.
package struct Gauge: Hashable, Sendable {
    /// What is measured.
    package let name: String
    /// How much there is of it.
    package let value: Int
    /// How much there may be; nil where only the amount of data bounds it.
    package let limit: Int?

    /// Whether there is more than there may be.
    package var isOverfull: Bool { limit.map { value > $0 } ?? false }

    /// Reads a gauge.
    package init(_ name: String, _ value: Int, limit: Int? = nil) {
        (self.name, self.value, self.limit) = (name, value, limit)
    }
}

extension SyncEngine {
    /// The engine's queues, for whoever watches that they stay bounded.
    package var gauges: [Gauge] {
        [
            Gauge("peers", peers.count),
            Gauge("journals being pulled", pulls.table.count),
            Gauge("journals waiting", pulls.waitingCount),
            Gauge("journals not proved", pulls.unproved.count, limit: limits.unprovedJournals),
            Gauge("runs being merged", pulls.merging.values.reduce(0) { $0 + $1.count }),
            Gauge("payloads wanted", payloads.wants.count),
            Gauge("blobs wanted", blobs.table.count, limit: limits.wantedBlobs + peers.count * limits.chunksOnWire),
            Gauge("blobs to announce", blobs.announcements.count),
        ] + peers.keys.flatMap { id in peers[id].map { gauges(of: $0, id) } ?? [] }
    }

    private func gauges(of peer: Peer, _ id: PeerID) -> [Gauge] {
        let serving = peer.serving
        return [
            Gauge("unproved bytes", pulls.unprovedBytes(from: id), limit: limits.unprovedBytes + limits.runBytes),
            Gauge("offers", peer.asked.offers, limit: limits.offers),
            Gauge("offers not proved", peer.asked.unprovedOffers, limit: limits.unprovedOffers),
            Gauge("journals not delivered", peer.asked.strikes.count, limit: limits.undelivered),
            Gauge("journals held further", peer.ahead.count, limit: pulls.table.count + frontier.count),
            Gauge("journals to tell of", peer.untold.count, limit: limits.entriesPerMessage),
            Gauge("requests for runs made", peer.asked.runRequests, limit: limits.runRequests),
            Gauge("bytes of runs asked for", peer.asked.runBytes, limit: limits.unprovedBytes),
            Gauge("payloads to ask for", peer.asked.payloadQueue.count),
            Gauge("payloads asked for", peer.asked.payloads.count, limit: limits.payloadsPerRequest),
            Gauge("requests for runs", serving.runs.reduce(0) { $0 + $1.count }, limit: limits.waitingRequests),
            Gauge("requests for payloads", serving.payloads.count, limit: limits.waitingRequests),
            Gauge("payloads owed", serving.owed.count + serving.due.count, limit: limits.owedPayloads),
            Gauge("questions about blobs", serving.questions.count, limit: limits.waitingQuestions),
            Gauge("chunks to read", serving.chunks.reduce(0) { $0 + $1.count }, limit: limits.waitingChunks),
            Gauge("chunks being read", serving.loading.count, limit: limits.chunkLoads),
            Gauge("interesting blobs", serving.interest.count, limit: limits.interestingBlobs),
            Gauge("blobs to ask for", peer.blobs.queues.reduce(0) { $0 + $1.count }),
            Gauge("chunks on the wire", peer.blobs.wireCount, limit: limits.chunksOnWire),
            Gauge("chunks not stored", peer.blobs.chunkCount, limit: limits.chunksOnWire),
        ]
    }
}
