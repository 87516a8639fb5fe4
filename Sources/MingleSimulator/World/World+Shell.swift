// SPDX-License-Identifier: Apache-2.0

import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import MingleWire

// What `EventSession` does over its queues, in virtual time.
extension World {
    /// Gives a node's engine what its shell has to tell, and carries out what it asks for.
    func feed(_ node: SimulatedNode) {
        guard node.isAwake else { return }
        let inputs = node.inbox
        node.inbox = []
        guard !inputs.isEmpty else { return }
        trace.note(.fed, at: now, UInt64(node.number), UInt64(inputs.count))
        for action in node.engine.receive(inputs, at: now) { perform(action, of: node) }
        reconsiderTick(of: node)
    }

    /// Puts down what a node's engine shall hear soon.
    func tell(_ node: SimulatedNode, _ inputs: [SyncInput]) {
        guard !inputs.isEmpty else { return }
        node.inbox += inputs
        agenda.add(.feed(node: node.number, life: node.life), at: now + .microseconds(dice.number(0...200)))
    }

    private func perform(_ action: SyncAction, of node: SimulatedNode) {
        switch action {
        case .send(let peer, let lane, let bytes): send(bytes, on: lane, to: peer, from: node)
        case .close(let peer, let goodbye): finish(peer, goodbye, of: node)
        case .note(let peer, let state): note(state, of: peer, at: node)
        case .learn: break
        case .authenticate(let peer, let hello, let session): put(.judge(peer, hello, session), on: .judging, of: node)
        case .makeHello(let peer, let session) where node.arrival != nil:
            put(.greet(peer, session), on: .judging, of: node)
        case .certify(let peer, let request, let session):
            put(.certify(peer, request, session), on: .judging, of: node)
        case .takeCertificate(let peer, let certified): put(.takeCertificate(peer, certified), on: .judging, of: node)
        case .merge(let peer, let run) where options.planted == .blames && node.number == 1 && isHostile(run):
            tell(node, [.merged(peer, MergeAnswer(.forged))])
        case .merge(let peer, let run): merge(PendingMerge(peer: peer, content: .run(run)), on: node)
        case .mergePayloads(let peer, let payloads):
            merge(PendingMerge(peer: peer, content: .payloads(payloads)), on: node)
        case .noteHolding(let peer, let names): noteHolding(names, by: peer, at: node)
        case .storeChunk(let peer, let chunk): put(.store(peer, chunk), on: .storing, of: node)
        case .loadRuns where options.planted == .neverServes && node.number == 1: break
        default:
            if action.serves(node.replica.own.name) { node.departure?.noteServing(at: now) }
            put(.answer(action), on: .reading, of: node, steps: action.reads)
        }
    }

    private func note(_ state: PeerState, of peer: PeerID, at node: SimulatedNode) {
        node.accords[peer, default: Accord()].note(state)
        switch state {
        case .gaveUp, .stalled, .withheldPayloads: coverage.abandonments += 1
        case .inSync(.all) where !node.inherited.isEmpty && (node.holdNoMore || node.mayHaveOrphans):
            put(.eraseOrphans, on: .reading, of: node)
        default: break
        }
    }

    private func merge(_ merge: PendingMerge, on node: SimulatedNode) {
        guard !node.isOutOfRoom else { return tell(node, [merge.failure]) }
        node.pendingMerges.append(merge)
        if node.pendingMerges.count == 1 { put(.merge, on: .merging, of: node) }
    }

    /// Gives one of a node's queues something to do, which takes its time.
    func put(
        _ work: Work,
        on line: SimulatedNode.Line,
        of node: SimulatedNode,
        after pause: Duration = .zero,
        steps: Int = 1
    ) {
        let start = max(now + pause, node.busyUntil[line.rawValue])
        let end = start + .microseconds(dice.number(10...plan.slowness)) * steps
        if pause == .zero { node.busyUntil[line.rawValue] = end }
        agenda.add(.work(node: node.number, life: node.life, work), at: end)
    }

    func carryOut(_ work: Work, on node: SimulatedNode) throws {
        // A machine that sleeps goes on where it was.
        guard node.isAwake else {
            return agenda.add(.work(node: node.number, life: node.life, work), at: now + .seconds(5))
        }
        switch work {
        case .answer(let action): tell(node, try node.responder.answer(action).map { [$0] } ?? [])
        case .judge(let peer, let hello, let session): try judge(peer, hello, session, on: node)
        case .greet(let peer, let session): try greet(peer, in: session, by: node)
        case .certify(let peer, let request, let session): try certify(peer, request, session, by: node)
        case .takeCertificate(let peer, let certified): try takeCertificate(certified, from: peer, on: node)
        case .merge: try mergePending(on: node)
        case .store(let peer, let chunk): try store(chunk, from: peer, on: node)
        case .erase(let names): for name in names { try node.blobs.delete(name) }
        case .eraseOrphans:
            try node.eraseDeletedOrphans()
            if try !node.eraseUnspoken(at: now) { tell(node, [.reconcile]) }
        case .scrub:
            node.isScrubbing = false
            do {
                if try !node.replica.scrub() { scheduleScrub(of: node) }
            } catch {
                scheduleScrub(of: node)
                throw error
            }
        case .reviewQuota: try reviewQuota(of: node)
        case .lookAtKeys: try lookAtKeys(of: node)
        case .fulfil(let duty): try fulfil(duty, by: node)
        case .takeLeave: try takeLeave(node)
        case .lookAtReports: try lookAtReports(of: node)
        case .hide(let duty): try fulfil(duty, by: node)
        }
    }

    private func judge(_ peer: PeerID, _ hello: Hello, _ session: Session, on node: SimulatedNode) throws {
        let judgement: Judgement
        do {
            judgement = try node.responder.judge(hello, session, at: node.clock(at: now))
        } catch {
            tell(node, [.verdict(peer, .unanswered)])
            throw error
        }
        switch judgement.verdict {
        case .refused, .declined, .retired: coverage.refusals += 1
        case .sameDevice: meetOwnKey(node)
        default: break
        }
        if let outcome = judgement.outcome { try tell(node, outcome, greeted: judgement.greeted) }
        // It may be gone by now.
        if node.links[peer] != nil { node.claimants[peer] = judgement.claimant }
        if judgement.hasProvedDevice { greet(peer, hello.device, judgement.person, at: node) }
        if let person = judgement.person { guestList.doors[person, default: [:]][node.number] = node.life }
        if judgement.isRelay { tell(node, [.relay(peer)]) }
        tell(node, [.verdict(peer, judgement.verdict)])
    }

    private func greet(_ peer: PeerID, _ device: DeviceName, _ person: PersonID?, at node: SimulatedNode) {
        // It may be gone by now; what it has proved stays so.
        if node.links[peer] != nil { node.greeted[peer] = (device, person) }
        guard let person, person != node.secrets.person else { return }
        tell(node, [.person(peer, person)])
        node.departure?.meet(peer, device)
    }

    private func mergePending(on node: SimulatedNode) throws {
        let pending = node.pendingMerges
        node.pendingMerges = []
        let isDropped = options.planted == .dropsRun && node.number == 1 && dice.chance(20)
        if isDropped { return drop(pending, on: node) }
        let merged: (answers: [Merger<PendingMerge>.Answer], outcome: MergeOutcome)
        do {
            merged = try node.replica.merge(pending.map { ($0, $0.arrival) })
        } catch {
            tell(node, pending.map(\.failure))
            throw error
        }
        coverage.merges += 1
        trace.note(.merged, at: now, UInt64(node.number), UInt64(pending.count), UInt64(merged.outcome.newHeaders))
        try tell(node, merged.outcome)
        tell(node, merged.answers.map { $0.input(missing: merged.outcome) })
    }

    /// Says that runs were merged, as the planted mistake does.
    private func drop(_ pending: [PendingMerge], on node: SimulatedNode) {
        for merge in pending {
            guard case .run(let run) = merge.content else { continue }
            let commit = Commit(journals: [JournalTips(key: run.key, tips: [run.tip])])
            tell(node, [.committed(commit), .merged(merge.peer, MergeAnswer(.merged))])
        }
    }

    private func store(_ chunk: ReceivedChunk, from peer: PeerID, on node: SimulatedNode) throws {
        guard !node.isOutOfRoom else {
            return tell(node, [.chunkStored(peer, chunk.name, index: chunk.index, .notWritten)])
        }
        guard node.wanted.contains(chunk.name) else {
            return tell(node, [.chunkStored(peer, chunk.name, index: chunk.index, .unwanted)])
        }
        if node.isRelay, try !isListed(chunk, on: node) {
            return tell(node, [.chunkStored(peer, chunk.name, index: chunk.index, .unwanted)])
        }
        let isStored = try node.responder.store(chunk)
        if isStored { node.unflushedChunks.append(chunk) }
        coverage.chunks += 1
        trace.note(.stored, at: now, UInt64(node.number), chunk.name.raw.prefix, UInt64(chunk.index))
        tell(node, [.chunkStored(peer, chunk.name, index: chunk.index, isStored ? .stored : .rejected)])
    }

    /// Tells a node's engine and its blobs what a write changed.
    func tell(_ node: SimulatedNode, _ outcome: MergeOutcome, own: [Run] = [], greeted: [Run] = []) throws {
        try tell(node, node.responder.news(of: outcome, own: own, greeted: greeted))
        noteForHandOver(outcome, of: node)
        if outcome.ownKeyUsedElsewhere { meetOwnKey(node) }
        let wants = node.want(outcome.media)
        if !wants.isEmpty { tell(node, [.blobsWanted(wants)]) }
        if node.isRelay { takeListings(of: outcome, on: node) }
        if outcome.isRecomputed {
            forgetAllWanted(of: node, but: outcome.media.map(\.name) + outcome.listed.map(\.name))
        }
        forget(outcome.unwantedBlobs, of: node)
        if !outcome.erasedBlobs.isEmpty {
            tell(node, [.blobsUnwanted(outcome.erasedBlobs)])
            node.wanted.subtract(outcome.erasedBlobs)
            if options.planted != .keepsBlobs { put(.erase(outcome.erasedBlobs), on: .storing, of: node) }
        }
        if outcome.hasErased || !outcome.settledPayloads.isEmpty { node.mayHaveOrphans = true }
        coverage.letGo += outcome.letGo.count
        if outcome.hasErased { scheduleScrub(of: node) }
        if outcome.hasRoom { scheduleQuotaReview(of: node) }
        if outcome.concernsReports { scheduleHiding(of: node) }
        if outcome.changedKinds.contains("people") { scheduleKeys(of: node) }
        guard let news = DoorNews(of: outcome, at: node.opened.own) else { return }
        try reconsider(node, after: news)
        dialAgain(after: news, from: node)
    }

    private func forgetAllWanted(of node: SimulatedNode, but names: [BlobName]) {
        forget(node.wanted.subtracting(names).sorted(), of: node)
    }

    func forget(_ names: [BlobName], of node: SimulatedNode) {
        guard !names.isEmpty else { return }
        tell(node, [.blobsUnwanted(names)])
        node.wanted.subtract(names)
    }

    func scheduleScrub(of node: SimulatedNode) {
        guard !node.isScrubbing else { return }
        node.isScrubbing = true
        put(.scrub, on: .judging, of: node, after: .seconds(20))
    }

    private func reconsider(_ node: SimulatedNode, after news: DoorNews) throws {
        let greeted = node.greeted.filter { news.concern(node.claimants[$0.key]) }.sorted { $0.key < $1.key }
            .map { GreetedPeer($0.key, device: $0.value.device, person: $0.value.person) }
        for (peer, judgement) in try node.responder.judgeAgain(greeted) {
            greet(peer.id, peer.device, judgement.person, at: node)
            if judgement.isRelay { tell(node, [.relay(peer.id)]) }
            tell(node, [.verdict(peer.id, judgement.verdict)])
        }
    }
}

extension SyncAction {
    /// How often something is looked up for it.
    fileprivate var reads: Int {
        if case .loadRuns(_, let requests) = self { requests.count } else { 1 }
    }
}
