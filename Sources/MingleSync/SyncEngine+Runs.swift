// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleModel
import MingleWire

extension SyncEngine {
    /// Takes a run, asked for or pushed.
    mutating func receive(run bytes: Data, from id: PeerID, _ scope: Scope) {
        guard let run = try? Run(decoding: [UInt8](bytes)[...], event: event), bytes.count <= limits.runBytes else {
            return close(id, "malformed run")
        }
        let key = run.key
        guard scope.includes(key.journal) else { return close(id, "sent more than fabric journals") }
        defer { note(run.tip, of: key, heldBy: id) }
        let unproved = pulls.unprovedBytes(from: id)
        if peers[id]?.asked.givenUp[key] != nil { peers[id]?.asked.runsSince = now }
        if let request = pulls.table[key]?.request, request.brings(run, from: id) {
            guard request.byteCount <= request.byteLimit + limits.runBytes else {
                return close(id, "sends more runs than were asked for")
            }
            let time = Duration.seconds(1) * bytes.count / limits.slowestRuns
            // It may have waited for others before it began to come.
            pulls.table[key]?.request?.extend(by: request.byteCount == 0 ? now - request.since : time, at: now)
            pulls.table[key]?.request?.byteCount += bytes.count
            peers[id]?.asked.runsSince = now
            guard !request.wasCut, unproved + bytes.count <= limits.unprovedBytes else {
                pulls.table[key]?.request?.wasCut = true
                return
            }
            merge(run, bytes.count, from: id, isRequested: true)
        } else if let late = peers[id]?.asked.givenUp[key], late.brings(run, from: id) {
            // It is no news that anybody pushed, and its peer is not to be told so.
            if isOnItsWay(run) || unproved + bytes.count > limits.unprovedBytes {
                return offer(run.tip, of: key, by: id)
            }
            merge(run, bytes.count, from: id, isRequested: true)
        } else if isOnItsWay(run) {
            // Should what is being merged fail, this peer is asked; an offer of what is held is nothing.
            offer(run.tip, of: key, by: id)
            decline(run, from: id)
        } else if !pulls.isPaused, unproved + bytes.count <= limits.unprovedBytes / 2 {
            merge(run, bytes.count, from: id, isRequested: false)
        } else {
            offer(run.tip, of: key, by: id)
        }
    }

    /// Whether a run that nobody asked for ends where one does that is held or being merged, and brings no more payloads.
    private func isOnItsWay(_ run: Run) -> Bool {
        if frontier.tips(of: run.key).contains(run.tip) {
            return !run.deltas.contains { $0.payload != nil && payloads.wants[$0.reference] != nil }
        }
        let merging = pulls.table[run.key]?.merging ?? []
        return merging.contains { $0.tip == run.tip && $0.payloadCount >= run.payloadCount }
    }

    private mutating func merge(_ run: Run, _ byteCount: Int, from id: PeerID, isRequested: Bool) {
        noteAhead(id)
        let merging = PullTable.Merging(run: run, byteCount: byteCount, isRequested: isRequested, since: now)
        pulls.merging[id, default: Queue()].append(merging)
        var pull = pulls.table[run.key] ?? pulls.begin(run.key)
        pull.merging.append((run.tip, run.payloadCount))
        pulls.table[run.key] = pull
        actions.append(.merge(id, run))
    }

    /// Takes the shell's word of what became of the oldest run that a peer sent.
    mutating func finishMerge(from id: PeerID, _ answer: MergeAnswer) {
        guard let merging = pulls.merging[id]?.popFirst() else { return }
        if pulls.merging[id]?.isEmpty ?? true { pulls.merging[id] = nil }
        let key = merging.run.key
        pulls.isDirty = true
        if let place = pulls.table[key]?.merging.firstIndex(where: { $0.tip == merging.run.tip }) {
            pulls.table[key]?.merging.remove(at: place)
        }
        let isRequested = merging.isRequested && pulls.table[key]?.request?.peer == id
        // What this node took to store it is no fault of the peer's.
        if isRequested { pulls.table[key]?.request?.extend(by: now - merging.since, at: now) }
        want(answer.missing, from: id)
        switch answer.outcome {
        case .merged:
            settle(merging.run)
            if answer.mayBePassedOn { passOn(merging, from: id) }
        case .known:
            settle(merging.run)
            if !merging.isRequested { decline(merging.run, from: id) }
        case .tooManyBranches: break
        case .gap where isRequested: pulls.table[key]?.request?.needsOlder = true
        case .gap, .unknownDevice: if !isRequested { offer(merging.run.tip, of: key, by: id) }
        case .forged: close(id, "sent a run that its author did not sign")
        }
        if pulls.table[key]?.request == nil { consider(key) } else { finishRequest(key) }
        noteCaughtUp(id)
    }

    mutating func receive(_ message: ProtoRunsEnd, from id: PeerID) {
        guard let key = JournalKey(device: message.device, journal: message.journal) else {
            return close(id, "malformed end of runs")
        }
        if endGivenUp(key, from: id, needsOlder: message.needsOlder) {
            peers[id]?.asked.runsSince = now
            return
        }
        guard let request = pulls.table[key]?.request, request.peer == id, !request.isAnswered else { return spend(id) }
        peers[id]?.asked.runsSince = now
        pulls.table[key]?.request?.isAnswered = true
        peers[id]?.asked.noteAnswer(request.number, of: key.journal)
        if message.needsOlder { pulls.table[key]?.request?.needsOlder = true }
        finishRequest(key)
    }

    // MARK: - Serving

    mutating func receive(_ message: ProtoWantRuns, from id: PeerID, _ scope: Scope) {
        guard let peer = peers[id] else { return }
        let held = message.held.compactMap { JournalPoint(bytes: [UInt8]($0)) }
        guard let key = JournalKey(device: message.device, journal: message.journal),
            scope.includes(key.journal), held.count == message.held.count, held.count <= limits.locatorPoints
        else { return close(id, "malformed request for runs") }
        guard peer.serving.runs.reduce(0, { $0 + $1.count }) < limits.waitingRequests else {
            return close(id, "asks for too many journals at once")
        }
        let byteLimit = min(Int(message.bytes), limits.requestBytes)
        let request = RunsRequest(key: key, held: held, byteLimit: byteLimit)
        peers[id]?.isEager = true
        peers[id]?.serving.runs[Int(key.journal.rawValue)].append(request)
    }

    /// Has the shell load what a peer asked for, a few small requests at a time and no faster than it reads.
    mutating func serveRuns(to id: PeerID) {
        guard peers[id]?.serving.isLoadingRuns == false else { return }
        for journal in Journal.allCases where hasRoom(id, on: journal.lane) {
            guard let requests = peers[id]?.serving.takeRequests(for: journal, limits), !requests.isEmpty else {
                continue
            }
            peers[id]?.serving.isLoadingRuns = true
            actions.append(.loadRuns(id, requests))
            return
        }
    }

    mutating func serve(_ answers: [RunsAnswer], to id: PeerID) {
        guard peers[id] != nil else { return }
        peers[id]?.serving.isLoadingRuns = false
        for answer in answers {
            for run in answer.runs { send(run, to: id) }
            var message = ProtoRunsEnd()
            message.device = .init(answer.key.device.bytes)
            message.journal = UInt32(answer.key.journal.rawValue)
            message.needsOlder = answer.needsOlder
            send(.runsEnd(message), to: id, on: answer.key.journal.lane)
        }
        serveRuns(to: id)
    }

    /// Sends a run on its journal's lane.
    mutating func send(_ run: Run, to id: PeerID) {
        // It may have been read before this engine heard of its commit.
        note(run.tip, of: run.key, heldBy: id)
        send(encoded(run), to: id, on: run.key.journal.lane)
    }

    /// The message that brings a run.
    func encoded(_ run: Run) -> [UInt8] { encoded(.run(.init(run.withoutLargePayloads.encoded()))) }
}

extension Journal {
    /// The lane that a journal's runs and payloads take.
    var lane: Lane { self == .fabric ? .control : .deltas }
}

extension JournalKey {
    /// Reads the two fields of a message that name a journal.
    init?(device: Data, journal: UInt32) {
        guard let device = DeviceName(bytes: device), let journal = UInt8(exactly: journal),
            let journal = Journal(rawValue: journal)
        else { return nil }
        self.init(device: device, journal: journal)
    }
}

extension JournalPull.Request {
    /// Whether a run that a peer sent is what it was asked for; what it pushes meanwhile lies behind that.
    fileprivate func brings(_ run: Run, from id: PeerID) -> Bool {
        peer == id && run.first.header.sequence <= upTo
    }
}

extension Run {
    /// How many payloads travel along.
    fileprivate var payloadCount: Int { deltas.count { $0.payload != nil } }
}
