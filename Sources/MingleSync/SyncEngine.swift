// SPDX-License-Identifier: Apache-2.0

package import MingleModel
package import MingleWire
import SwiftProtobuf

/// The replication of one event: what this node says to its peers and fetches from them.
///
/// It is a value without clocks, randomness, tasks or I/O: the same inputs give the same actions. The shell carries out
/// the actions and answers by further inputs; what it may not do is named at each of them.
package struct SyncEngine: Sendable {
    let event: EventID
    let device: DeviceName
    let limits: SyncLimits

    var now = Duration.zero
    var actions: [SyncAction] = []
    var peers = OrderedTable<PeerID, Peer>()
    var frontier: OwnFrontier
    var pulls = PullTable()
    var payloads = PayloadQueue()
    var blobs = BlobQueue()
    var lapses = Lapses()
    var addresses: [String] = []
    /// The peers that are relays.
    var relays: [PeerID] = []

    /// Begins with what the replica holds, and when that was written, and no peers.
    package init(
        event: EventID,
        device: DeviceName,
        frontier: Frontier,
        lastWrites: [JournalKey: Timestamp] = [:],
        limits: SyncLimits = SyncLimits()
    ) {
        (self.event, self.device, self.limits) = (event, device, limits)
        self.frontier = OwnFrontier(frontier, lastWrites)
    }

    /// Takes what happened and returns what is to be done, in order; `now` is monotonic, since any fixed moment.
    package mutating func receive(_ input: SyncInput, at now: Duration) -> [SyncAction] { receive([input], at: now) }

    /// Takes what happened in this order, and then asks for what is lacking: of each peer by one message, if it can.
    package mutating func receive(_ inputs: [SyncInput], at now: Duration) -> [SyncAction] {
        self.now = now
        for input in inputs { take(input) }
        requestRuns()
        requestBlobs()
        defer { actions.removeAll() }
        return bundled(actions)
    }

    private mutating func take(_ input: SyncInput) {
        switch input {
        case .opened(let id, let session): open(id, session)
        case .received(let id, let lane, let bytes): receive(bytes, on: lane, from: id)
        case .drained(let id, let lane): drain(lane, of: id)
        case .closed(let id): forget(id)
        case .tick: tick()
        case .reconcile: for id in readyPeers(for: .fabric) { compare(with: id) }
        case .addresses(let addresses): share(addresses)
        case .hello(let id, let hello): greet(id, with: hello)
        case .verdict(let id, let verdict): judge(id, verdict)
        case .deviceRequest(let id, let request): ask(id, request)
        case .deviceVerdict(let id, let verdict): settle(id, verdict)
        case .relay(let id): meetRelay(id)
        case .person(let id, let person): take(person, of: id)
        default: takeAnswer(input)
        }
    }

    /// Takes what the shell says of journals, payloads and blobs.
    private mutating func takeAnswer(_ input: SyncInput) {
        switch input {
        case .committed(let commit): take(commit)
        case .missing(let key, let points): setMissing(points, of: key)
        case .locator(let key, let points): setLocator(points, of: key)
        case .runs(let id, let answers): serve(answers, to: id)
        case .merged(let id, let answer): finishMerge(from: id, answer)
        case .payloadsWanted(let wants): want(wants, from: nil)
        case .payloadsSettled(let references): settle(references)
        case .payloads(let id, let answers): serve(answers, to: id)
        case .payloadsMerged(let id, let stored, let refused): finishPayloads(from: id, stored, refused)
        case .payloadsNotMerged(_, let references): releasePayloads(references)
        case .blobsWanted(let wants): want(wants)
        case .blobsFound(let wants, let next): takeFound(wants, next: next)
        case .blobsUnwanted(let names): names.forEach { drop($0) }
        case .blobsHeld(let names): announce(names)
        case .blobsWatched(let names): watch(names)
        case .blobStates(let id, let states): serve(states, to: id)
        case .chunk(let id, let name, let index, let data): serve(data, of: name, index, to: id)
        case .chunkStored(let id, let name, let index, let outcome): finishChunk(name, index, from: id, outcome)
        case .diskFull: blobs.isPaused = true
        case .outOfRoom: pulls.isPaused = true
        case .diskRoom:
            (pulls.isPaused, pulls.isDirty) = (false, true)
            goOnWithPayloads()
            resumeBlobs()
        default: break
        }
    }
}

extension SyncEngine {
    /// Sends one message.
    mutating func send(_ content: ProtoMessage.OneOf_Content, to id: PeerID, on lane: Lane) {
        send(encoded(content), to: id, on: lane)
    }

    /// The bytes of one message.
    func encoded(_ content: ProtoMessage.OneOf_Content) -> [UInt8] {
        var message = ProtoMessage()
        message.content = content
        // Serialising fails only for messages above 2 GiB, of which there are none.
        return (try? message.serializedBytes()) ?? []
    }

    /// Sends a message that may go to several peers.
    mutating func send(_ bytes: [UInt8], to id: PeerID, on lane: Lane) {
        peers[id]?.unsent[Int(lane.rawValue)].add(bytes.count)
        actions.append(.send(id, lane, bytes))
    }

    /// Ends a session, tells the peer why, and forgets it.
    mutating func close(_ id: PeerID, _ reason: String, cause: Goodbye.Cause = .other, twin: PeerID? = nil) {
        guard peers[id] != nil else { return }
        let goodbye = Goodbye(reason, cause: cause, twin: twin)
        send(.goodbye(goodbye.message), to: id, on: .control)
        actions.append(.close(id, goodbye))
        forget(id)
    }

    /// Whether a peer reads fast enough to be told more on a lane.
    func hasRoom(_ id: PeerID, on lane: Lane) -> Bool {
        guard let unsent = peers[id]?.unsent[Int(lane.rawValue)] else { return false }
        let byteLimit = lane == .control ? min(limits.controlBytes, limits.laneBytes) : limits.laneBytes
        return unsent.byteCount < byteLimit && unsent.count < limits.laneMessages
    }

    /// Whether a peer was promised something, or asked for it, that it was not sent yet.
    package func owesSomething(to id: PeerID) -> Bool {
        guard let peer = peers[id] else { return false }
        return peer.owesDigest || peer.serving.isBusy
    }

    /// The peers that may be spoken to about a journal.
    func readyPeers(for journal: Journal) -> [PeerID] {
        peers.keys.filter { peers[$0]?.ready?.includes(journal) ?? false }
    }
}
