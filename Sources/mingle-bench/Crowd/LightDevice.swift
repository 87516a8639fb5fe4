// SPDX-License-Identifier: Apache-2.0

import MingleClient
import MingleCrypto
import MingleModel
import MingleNode
import MinglePeering
import MingleReplica
import MingleSync
import MingleWire

/// A device with keys, an admission, a connection and an engine of its own, that leaves what it gets to a store which
/// many share.
///
/// For whom it is linked to it is one like any other: it greets, compares and asks for every journal by itself. It keeps
/// how far it holds each, and nothing else, so that one machine can be a thousand of them.
actor LightDevice {
    private let own: OwnDevice
    /// Its fabric journal: certificate and admission.
    private let begin: Run
    private let store: LightStore
    private let transport: PeerTransport
    private let started = ContinuousClock.now
    private var engine: SyncEngine
    private var heads: [JournalKey: JournalPoint] = [:]
    /// Whom it has met and not let in yet.
    private var strangers: [PeerID: DeviceName] = [:]
    /// Its only connection, which it dialled.
    private var link: ConnectionID?
    /// Why it came or stayed in vain.
    private var ending: String?
    private var entry: CheckedContinuation<Void, any Error>?

    /// Draws the keys of somebody who comes by the store's link.
    init(_ store: LightStore) throws {
        self.store = store
        let (event, keys) = (store.link.event, AuthorKeys())
        let invitation = InvitationKeys(seed: store.link.seed)
        own = keys.own(in: event, invitation: invitation)
        let now = NodeClock.system.now()
        var author = Author(keys: keys, event: event)
        try author.write(keys.certificate(in: event), at: now)
        let statement = FabricPayload.admissionStatement(event: event, person: keys.person)
        try author.write(.admission(invitation: invitation.id, signature: invitation.signing.sign(statement)), at: now)
        guard let begin = author.finishRun(of: .fabric) else { preconditionFailure("two deltas were written") }
        self.begin = begin
        heads[begin.key] = begin.tip
        engine = SyncEngine(event: event, device: own.name, frontier: Frontier([FrontierEntry(begin)]))
        transport = PeerTransport(staticKey: AgreementKey(secret: Randomness.system.secret()))
    }

    /// Deltas that it holds.
    var heldDeltas: Int { heads.values.reduce(0) { $0 + Int($1.sequence) } }

    /// Takes what happens until cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                while !Task.isCancelled {
                    try? await Task.sleep(for: .seconds(1))
                    await self.feed(.tick)
                }
            }
            for await event in transport.events {
                take(event)
                transport.settle(event)
            }
            group.cancelAll()
        }
        await transport.shutDown()
    }

    /// Dials a member on this machine, and waits until it is let in and holds what the event is called.
    ///
    /// - Throws: ``LightDeviceError`` if the link ends before or that takes too long, and what the transport says if the link
    ///   never begins.
    func join(port: Int, timeout: Duration) async throws {
        if let refusal = try store.hold(begin) { throw refusal }
        let (event, psk) = (store.link.event, store.link.psk)
        _ = try await transport.dial(host: "127.0.0.1", port: port, event: EventPSK(event: event, psk: psk))
        let patience = Task {
            try await Task.sleep(for: timeout)
            end("it was not let in in time")
        }
        defer { patience.cancel() }
        try await withCheckedThrowingContinuation { continuation in
            entry = continuation
            noteEntry()
        }
    }

    private func take(_ event: TransportEvent) {
        switch event {
        case .opened(let id, let opening):
            let isInitiator = opening.direction == .outgoing
            link = id
            transport.admit(id, as: nil, to: .all)
            feed(.opened(PeerID(id), Session(handshakeHash: opening.handshakeHash, isInitiator: isInitiator)))
        case .message(let id, let lane, let bytes): feed(.received(PeerID(id), lane, bytes))
        case .drained(let id, let lane): feed(.drained(PeerID(id), lane))
        case .closed(let id, let reason):
            feed(.closed(PeerID(id)))
            end("\(reason)")
        }
    }

    /// Tells the engine what happened, and at once what becomes of what it asks for.
    private func feed(_ input: SyncInput) {
        var inputs = [input]
        while !inputs.isEmpty {
            for action in engine.receive(inputs.removeFirst(), at: ContinuousClock.now - started) {
                inputs += (try? perform(action)) ?? []
            }
        }
        noteEntry()
    }

    private func perform(_ action: SyncAction) throws -> [SyncInput] {
        switch action {
        case .send(_, let lane, let bytes):
            if let link, transport.send(bytes, on: lane, to: link) != .accepted { transport.close(link) }
        case .close: if let link { transport.finish(link) }
        case .makeHello(let peer, let session):
            return [.hello(peer, own.hello(in: session, certificates: [begin.encoded()]))]
        case .authenticate(let peer, let hello, let session): return try judge(hello, session, of: peer)
        case .merge(let peer, let run): return merge(run, from: peer)
        default: return try store.responder.answer(action).map { [$0] } ?? []
        }
        return []
    }

    private func judge(_ hello: Hello, _ session: Session, of peer: PeerID) throws -> [SyncInput] {
        let judgement = try store.responder.judge(hello, session, at: NodeClock.system.now())
        guard judgement.hasProvedDevice else { return [.verdict(peer, judgement.verdict)] }
        strangers[peer] = hello.device
        return [.verdict(peer, .fabricOnly)]
    }

    /// Lets in whom it met, once it holds their fabric journal itself, whatever others have left to the store.
    private func judgeAgain() throws -> [SyncInput] {
        let known = strangers.filter { heads[JournalKey(device: $0.value, journal: .fabric)] != nil }
            .map { GreetedPeer($0.key, device: $0.value, person: nil) }
        guard !known.isEmpty else { return [] }
        return try store.responder.judgeAgain(known).flatMap { peer, judgement -> [SyncInput] in
            strangers[peer.id] = nil
            return (judgement.isRelay ? [.relay(peer.id)] : []) + [.verdict(peer.id, judgement.verdict)]
        }
    }

    private func merge(_ run: Run, from peer: PeerID) -> [SyncInput] {
        let reach = heads[run.key]?.sequence ?? 0
        guard run.first.header.sequence <= reach + 1 else { return [.merged(peer, MergeAnswer(.gap))] }
        guard run.tip.sequence > reach else { return [.merged(peer, MergeAnswer(.known))] }
        switch Result(catching: { try store.hold(run) }) {
        case .success(nil): break
        case .success(.unknownDevice): return [.merged(peer, MergeAnswer(.unknownDevice))]
        case .success(.forged): return [.merged(peer, MergeAnswer(.forged))]
        case .success, .failure: return [.merged(peer, MergeAnswer(.gap))]
        }
        heads[run.key] = run.tip
        let journal = JournalTips(key: run.key, tips: [run.tip], lastWrite: run.last.header.timestamp)
        return [.committed(Commit(journals: [journal])), .merged(peer, MergeAnswer(.merged))]
            + ((try? judgeAgain()) ?? [])
    }

    /// Ends the wait for being let in, if that is so by now or never will be.
    private func noteEntry() {
        guard entry != nil else { return }
        if let ending {
            entry?.resume(throwing: LightDeviceError(reason: ending))
        } else if heads.keys.contains(where: { $0.journal == .content }) {
            entry?.resume()
        } else {
            return
        }
        entry = nil
    }

    private func end(_ reason: String) {
        ending = ending ?? reason
        noteEntry()
    }
}

/// A light device was not let in.
struct LightDeviceError: Error, CustomStringConvertible {
    let reason: String

    var description: String { "A light device did not come in: \(reason)." }
}

extension FrontierEntry {
    fileprivate init(_ run: Run) {
        self.init(device: run.key.device, journal: run.key.journal, sequence: run.tip.sequence, tip: run.tip.hash)
    }
}

extension PeerID {
    fileprivate init(_ id: ConnectionID) { self.init(id.number) }
}
