// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleModel
import MingleWire

extension SyncEngine {
    /// Asks free peers for the journals that wait, in their turn, each of one peer at a time.
    mutating func requestRuns() {
        guard pulls.isDirty else { return }
        pulls.isDirty = false
        // What is pulled onto a full disk cannot be stored; sessions begin anew when there is room.
        guard !pulls.isPaused, pulls.waitingCount > 0 || pulls.hasProofs else { return }
        var room: [PeerID: Int] = [:]
        for id in peers.keys where pulls.hasProofs || !pulls.exhausted.contains(id) {
            guard let peer = peers[id], peer.ready != nil else { continue }
            room[id] = runRoom(of: id, peer)
        }
        for turn in PullTable.Turn.allCases {
            // By now nearly all certificates are here that are to be had, so what was told of first is asked for first.
            if turn == .begunContent { takeUpProved() }
            for key in pulls.keys(turn) {
                if room.values.allSatisfy({ $0 < limits.runBytes }) { return }
                guard let pull = pulls.table[key], pull.isIdle else {
                    pulls.stopWaiting(key)
                    continue
                }
                guard let offer = choose(key, from: pull, room) else { continue }
                request(key, pull, offer, room: room[offer.peer] ?? 0)
                if let peer = peers[offer.peer] { room[offer.peer] = runRoom(of: offer.peer, peer) }
            }
        }
        // A newcomer among newcomers would else look through hundreds of journals for each that comes.
        pulls.exhausted.formUnion(room.filter { $0.value >= limits.runBytes }.keys)
    }

    /// Bytes of runs that a peer may be asked for now.
    func runRoom(of id: PeerID, _ peer: Peer) -> Int {
        guard peer.asked.runRequests < limits.runRequests else { return 0 }
        return limits.unprovedBytes - peer.asked.runBytes - pulls.unprovedBytes(from: id)
    }

    /// The offer to take up: the furthest of a peer that has room, and of those the first.
    private func choose(_ key: JournalKey, from pull: JournalPull, _ room: [PeerID: Int]) -> JournalPull.Offer? {
        var best: JournalPull.Offer?
        for offer in pull.offers where offer.isMissing && room[offer.peer, default: 0] >= limits.runBytes {
            // What it was asked for before may come yet.
            if peers[offer.peer]?.asked.givenUp[key] != nil { continue }
            guard let current = best else {
                best = offer
                continue
            }
            let isFreer = room[offer.peer, default: 0] > room[current.peer, default: 0]
            if offer.point.sequence > current.point.sequence
                || (offer.point.sequence == current.point.sequence && isFreer)
            {
                best = offer
            }
        }
        return best
    }

    private mutating func request(_ key: JournalKey, _ pull: JournalPull, _ offer: JournalPull.Offer, room: Int) {
        pulls.stopWaiting(key)
        let tips = frontier.tips(of: key)
        let reach = tips.last?.sequence ?? 0
        let needsLocator = reach > 0 && (pull.needsLocator || offer.point.sequence <= reach)
        if needsLocator, pull.locator == nil {
            pulls.table[key]?.isAsking = true
            actions.append(.loadLocator(key))
            return
        }
        // A delta whose payload travels along has at most 2 KiB and a bit; a fork may bring more than the difference.
        let difference = needsLocator ? limits.requestBytes : Int(offer.point.sequence &- reach) * 2200
        let byteLimit = min(max(difference, 1024), limits.requestBytes, room)
        var message = ProtoWantRuns()
        message.device = .init(key.device.bytes)
        message.journal = UInt32(key.journal.rawValue)
        message.held = (needsLocator ? pull.locator ?? tips : tips).map { .init($0.bytes) }
        message.bytes = UInt32(byteLimit)
        pulls.table[key]?.requestedBytes += byteLimit
        let number = peers[offer.peer]?.asked.noteRequest(byteLimit, at: now) ?? 0
        pulls.table[key]?.request = JournalPull.Request(
            peer: offer.peer,
            number: number,
            byteLimit: byteLimit,
            upTo: offer.point.sequence,
            tips: tips,
            usedLocator: needsLocator,
            since: now
        )
        peers[offer.peer]?.isEager = true
        send(.wantRuns(message), to: offer.peer, on: .control)
    }

    /// Ends a request once it is answered and merged, and sees what it has brought.
    mutating func finishRequest(_ key: JournalKey) {
        guard let pull = pulls.table[key], let request = pull.request else { return }
        guard request.isAnswered, pull.merging.isEmpty else { return }
        endRequest(key)
        let hasGrown = frontier.tips(of: key) != request.tips
        if hasGrown || request.wasCut {
            // One without end keeps nobody else waiting for long.
            pulls.table[key]?.isBegun = pull.requestedBytes < limits.begunBytes
        }
        if hasGrown {
            pulls.table[key]?.needsLocator = false
            peers[request.peer]?.asked.forgive(key)
        } else if request.needsOlder, !request.usedLocator, !request.tips.isEmpty {
            pulls.table[key]?.needsLocator = true
        } else if !request.wasCut {
            giveUp(on: request.peer, for: key)
        }
        reconsider(key)
    }
}

extension JournalPoint {
    /// Bytes of an encoded point.
    static let encodedLength = 12

    /// The point as a request names it.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        sequence.appendBigEndian(to: &bytes)
        hash.appendBigEndian(to: &bytes)
        return bytes
    }

    /// Reads exactly 12 bytes; nil for anything else.
    init?(bytes: [UInt8]) {
        guard bytes.count == Self.encodedLength else { return nil }
        self.init(
            sequence: UInt32(bigEndianAt: 0, of: bytes.span),
            hash: UInt64(bigEndianAt: 4, of: bytes.span)
        )
        guard sequence > 0 else { return nil }
    }
}
