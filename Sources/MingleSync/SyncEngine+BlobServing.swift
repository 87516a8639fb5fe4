// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleModel
package import MingleWire
import SwiftProtobuf

extension SyncEngine {
    mutating func receive(_ message: ProtoWantBlobs, from id: PeerID) {
        guard let waiting = peers[id]?.serving.questions.count else { return }
        let names = message.names.compactMap { BlobName(bytes: $0) }
        guard names.count == message.names.count, names.count <= limits.blobsPerQuestion else {
            return close(id, "malformed question about blobs")
        }
        guard waiting < limits.waitingQuestions, peers[id]?.questionAllowance.take(at: now) == true else {
            return close(id, "asks about too many blobs at once")
        }
        peers[id]?.serving.questions.append(names)
        serveQuestions(to: id)
    }

    /// Has the shell look up what a peer asked about, one question at a time and no faster than it reads.
    mutating func serveQuestions(to id: PeerID) {
        guard hasRoom(id, on: .control), peers[id]?.serving.lookUp == nil,
            let names = peers[id]?.serving.questions.popFirst() ?? peers[id]?.serving.news.popFirst()
        else { return }
        peers[id]?.serving.lookUp = names
        actions.append(.loadBlobStates(id, names))
    }

    /// Tells a peer what is held of the blobs that it asked about, and remembers of which to tell it later.
    mutating func serve(_ states: [BlobStatus], to id: PeerID) {
        guard let names = peers[id]?.serving.lookUp else { return }
        peers[id]?.serving.lookUp = nil
        let known = Dictionary(states.map { ($0.name, $0) }) { first, _ in first }
        var message = ProtoBlobStatus()
        for name in names {
            message.states.append(known[name].map { ProtoBlobState($0) } ?? .with { $0.name = .init(name.bytes) })
            if let state = known[name], state.isEvicted || state.chunks.isEmpty {
                peers[id]?.serving.interest.remove(name)
            } else {
                peers[id]?.serving.noteInterest(in: name, limits)
            }
        }
        send(.blobStatus(message), to: id, on: .control)
        serveQuestions(to: id)
    }

    /// Notes that blobs are held; those who asked for them are told soon.
    mutating func announce(_ names: [BlobName]) {
        for name in names { drop(name) }
        blobs.announcements += names
        if blobs.announcements.count >= limits.blobsPerQuestion / 4 { flushAnnouncements() }
    }

    /// Tells peers of the blobs that they asked for and that have come to be held.
    mutating func flushAnnouncements() {
        guard !blobs.announcements.isEmpty else { return }
        for id in readyPeers(for: .content) {
            guard let interest = peers[id]?.serving.interest, !interest.isEmpty else { continue }
            let names = blobs.announcements.filter { interest.contains($0) }
            for start in stride(from: 0, to: names.count, by: limits.blobsPerQuestion) {
                let end = min(start + limits.blobsPerQuestion, names.count)
                peers[id]?.serving.news.append(Array(names[start..<end]))
            }
            serveQuestions(to: id)
        }
        blobs.announcements = []
    }

    // MARK: - Chunks

    mutating func receive(_ message: ProtoWantChunks, from id: PeerID) {
        guard let peer = peers[id] else { return }
        guard let name = BlobName(bytes: message.name), let lane = UInt8(exactly: message.lane),
            let lane = Lane(rawValue: lane), lane.blobIndex >= 0
        else { return close(id, "malformed request for chunks") }
        guard !message.indexes.isEmpty else { return spend(id) }
        let waiting = peer.serving.chunks.reduce(peer.serving.loading.count) { $0 + $1.count }
        guard waiting + message.indexes.count <= limits.waitingChunks else {
            return close(id, "asks for too many chunks at once")
        }
        for index in message.indexes {
            let request = Peer.ChunkRequest(name: name, index: index, lane: lane)
            peers[id]?.serving.chunks[lane.blobIndex].append(request)
        }
        serveChunks(to: id)
    }

    /// Has the shell read what a peer asked for, thumbnails first and no faster than it reads.
    mutating func serveChunks(to id: PeerID) {
        while let peer = peers[id], peer.serving.loading.count < limits.chunkLoads {
            let lane = BlobQueue.lanes.first { lane in
                hasRoom(id, on: lane) && !peer.serving.chunks[lane.blobIndex].isEmpty
            }
            guard let lane, let request = peers[id]?.serving.chunks[lane.blobIndex].popFirst() else { return }
            peers[id]?.serving.loading.append(request)
            actions.append(.loadChunk(id, request.name, index: request.index))
        }
    }

    mutating func serve(_ data: ChunkData?, of name: BlobName, _ index: UInt32, to id: PeerID) {
        guard let loading = peers[id]?.serving.loading,
            let place = loading.firstIndex(where: { $0.name == name && $0.index == index })
        else { return }
        peers[id]?.serving.loading.remove(at: place)
        var message = ProtoChunk()
        message.name = .init(name.bytes)
        message.index = index
        if let data {
            message.proof = data.proof.map { .init($0.bytes) }
            message.data = .init(data.bytes)
        }
        send(.chunk(message), to: id, on: loading[place].lane)
        serveChunks(to: id)
    }
}

extension ProtoBlobState {
    /// What a message says of a blob that is held, or some of it.
    package init(_ status: BlobStatus) {
        self.init()
        name = .init(status.name.bytes)
        evicted = status.isEvicted
        guard !evicted else { return }
        size = status.size
        root = .init(status.root.bytes)
        person = .init(status.person.bytes)
        chunks = .init(status.chunks)
    }
}
