// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleSync
import MingleWire

/// One device: the engine, what it replicates, and the shell's duties between them.
struct TestNode {
    var author: TestAuthor
    var engine: SyncEngine
    var store = TestStore()
    var blobs = TestBlobStore()
    /// What the shell has yet to tell the engine, in order.
    var inbox: [SyncInput] = []
    /// What the engine asked of the world.
    var notes: [(PeerID, PeerState)] = []
    var closed: [(PeerID, Goodbye)] = []
    var learned: [String] = []
    var holdings: [(PeerID, [BlobName])] = []
    /// Decides about a peer by its greeting and the journals held.
    var judge: (TestStore, Hello) -> Verdict = { _, _ in .admitted }
    /// Whether greetings bring the sender's fabric journal.
    var bringsFabric = true
    /// What it asks peers for in place of a greeting, until it is certified.
    var request: DeviceRequest?
    /// Who asked it for a certificate, and what it makes of that.
    var requests: [DeviceRequest] = []
    var deviceVerdict = DeviceVerdict.nothing
    /// Certificates that came.
    var certificates: [DeviceCertified] = []
    /// Lies: what a hostile node does instead of its duties; nil leaves the action to the node.
    var misbehave: ((TestNode, SyncAction) -> [SyncInput]?)?
    private var hellos: [PeerID: Hello] = [:]
    private var keys: [DeviceName: Bytes32]

    init(_ number: Int, keys: [DeviceName: Bytes32], limits: SyncLimits = SyncLimits()) {
        author = TestAuthor(number)
        self.keys = keys
        engine = SyncEngine(event: TestAuthor.event, device: author.device, frontier: Frontier([]), limits: limits)
        write([20], in: .fabric)
        inbox = []
        restart(limits: limits)
    }

    var device: DeviceName { author.device }

    /// Begins anew with what is stored, as after a crash.
    mutating func restart(limits: SyncLimits = SyncLimits()) {
        engine = SyncEngine(event: TestAuthor.event, device: device, frontier: store.frontier, limits: limits)
        inbox = [.payloadsWanted(store.missingPayloads), .blobsWanted(wants)]
        hellos = [:]
    }

    /// Everything in the catalogue that is not whole.
    private var wants: [BlobWant] {
        blobs.catalogue.values.filter { !blobs.isWhole($0.name) }.sorted { $0.name < $1.name }
            .map { $0.want(held: blobs.held[$0.name] ?? []) }
    }

    /// Takes the world's blobs: those in `held` are whole here, the others are wanted.
    mutating func know(_ catalogue: [TestBlob], holding held: [TestBlob] = []) {
        for blob in catalogue { blobs.catalogue[blob.name] = blob }
        for blob in held { blobs.hold(blob) }
        inbox.append(.blobsWanted(wants))
        inbox.append(.blobsHeld(held.map(\.name)))
    }

    /// Writes deltas of its own.
    mutating func write(_ lengths: [Int], in journal: Journal = .content) {
        let key = JournalKey(device: device, journal: journal)
        var rest = author.write(lengths, behind: store.branches[key]?.first ?? [], in: journal)[...]
        var runs: [Run] = []
        while !rest.isEmpty {
            let room = Limits.runLength - Int(rest[rest.startIndex].header.sequence - 1) % Limits.runLength
            runs.append(Run(Array(rest.prefix(room))))
            rest = rest.dropFirst(room)
        }
        store.append(runs.flatMap(\.deltas), to: key)
        inbox.append(.committed(Commit(journals: [store.tips(of: key)], own: runs)))
    }

    /// Carries out what the engine asked for, apart from messages and closed links.
    mutating func perform(_ action: SyncAction) {
        if let inputs = misbehave?(self, action) {
            inbox += inputs
            return
        }
        switch action {
        case .send: break
        case .close(let peer, let goodbye): closed.append((peer, goodbye))
        case .note(let peer, let state): notes.append((peer, state))
        case .learn(_, let addresses): learned += addresses
        case .makeHello(let peer, _):
            inbox.append(request.map { .deviceRequest(peer, $0) } ?? .hello(peer, hello()))
        case .certify(let peer, let request, _):
            requests.append(request)
            inbox.append(.deviceVerdict(peer, deviceVerdict))
        case .takeCertificate(let peer, let certified):
            certificates.append(certified)
            request = nil
            inbox += [.deviceVerdict(peer, .nothing), .hello(peer, hello())]
        case .authenticate(let peer, let hello, _): authenticate(peer, hello)
        case .findMissing(let key, let points):
            inbox.append(.missing(key, points.filter { !store.holds($0, of: key) }))
        case .loadLocator(let key): inbox.append(.locator(key, store.locator(of: key)))
        case .loadRuns(let peer, let requests): inbox.append(.runs(peer, requests.map(store.runs)))
        case .merge(let peer, let run): merge(run, from: peer)
        case .loadPayloads(let peer, let references): inbox.append(.payloads(peer, answers(references)))
        case .mergePayloads(let peer, let payloads): merge(payloads, from: peer)
        case .findBlobs(let place, let limit):
            let stretch = blobs.catalogue.keys.sorted().dropFirst(Int(place)).prefix(limit)
            let end = Int(place) + stretch.count
            let found = wants.filter { stretch.contains($0.name) }
            inbox.append(.blobsFound(found, next: end < blobs.catalogue.count ? Int64(end) : nil))
        case .loadBlobStates(let peer, let names):
            let states = names.compactMap { blobs.catalogue[$0]?.status(held: blobs.held[$0] ?? []) }
            inbox.append(.blobStates(peer, states))
        case .loadChunk(let peer, let name, let index):
            let isHeld = blobs.held[name]?.contains(Int(index)) ?? false
            let data = blobs.catalogue[name].map { ChunkData(proof: [.zero], bytes: $0.chunk(Int(index))) }
            inbox.append(.chunk(peer, name, index: index, isHeld ? data : nil))
        case .noteHolding(let peer, let names): holdings.append((peer, names))
        case .storeChunk(let peer, let chunk):
            inbox.append(.chunkStored(peer, chunk.name, index: chunk.index, blobs.store(chunk)))
        }
    }

    private func hello() -> Hello {
        let fabric = store.branches[JournalKey(device: device, journal: .fabric)]?.first ?? []
        return Hello(
            device: device,
            certificates: bringsFabric && !fabric.isEmpty ? [Run(fabric).encoded()] : [],
            signature: [1]
        )
    }

    private mutating func authenticate(_ peer: PeerID, _ hello: Hello) {
        hellos[peer] = hello
        for bytes in hello.certificates {
            guard let run = try? Run(decoding: bytes[...], event: TestAuthor.event) else { continue }
            let duplicates = store.duplicates
            _ = store.merge(run, key: keys[run.key.device])
            // A greeting repeats what may be known; that is not fetching.
            store.duplicates = duplicates
            inbox.append(.committed(Commit(journals: [store.tips(of: run.key)])))
        }
        inbox.append(.verdict(peer, judge(store, hello)))
    }

    private mutating func merge(_ run: Run, from peer: PeerID) {
        let answer = store.merge(run, key: keys[run.key.device])
        if case .merged = answer.outcome { inbox.append(.committed(Commit(journals: [store.tips(of: run.key)]))) }
        inbox.append(.merged(peer, answer))
        for (other, hello) in hellos.sorted(by: { $0.key < $1.key }) {
            inbox.append(.verdict(other, judge(store, hello)))
        }
    }

    private mutating func merge(_ payloads: [ReceivedPayload], from peer: PeerID) {
        var stored: [Reference] = []
        var refused: [Reference] = []
        for payload in payloads {
            if store.fill(payload) { stored.append(payload.reference) } else { refused.append(payload.reference) }
        }
        inbox.append(.payloadsMerged(peer, stored: stored, refused: refused))
    }

    private func answers(_ references: [Reference]) -> [PayloadAnswer] {
        let held = store.payloads
        return references.map { PayloadAnswer(reference: $0, content: held[$0].map { .payload($0) } ?? .absent) }
    }
}
