// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleModel
import MingleWire

extension SyncEngine {
    mutating func open(_ id: PeerID, _ session: Session) {
        guard peers[id] == nil else { return }
        peers[id] = Peer(
            session: session,
            openedAt: now,
            allowance: MessageAllowance(burst: limits.messageBurst, perSecond: limits.messagesPerSecond, at: now),
            questionAllowance: MessageAllowance(
                burst: limits.questionBurst,
                perSecond: limits.questionsPerSecond,
                at: now
            )
        )
        actions.append(.makeHello(id, session))
    }

    mutating func greet(_ id: PeerID, with hello: Hello) {
        guard peers[id]?.hasGreeted == false else { return }
        peers[id]?.hasGreeted = true
        var message = ProtoHello()
        message.version = SyncLimits.version
        message.device = .init(hello.device.bytes)
        message.certificates = hello.certificates.map { .init($0) }
        message.signature = .init(hello.signature)
        message.invitation = .init(hello.invitation?.bytes ?? [])
        message.invitationProof = .init(hello.invitationProof)
        message.time = UInt64(hello.time?.milliseconds ?? 0)
        send(.hello(message), to: id, on: .control)
        if let verdict = peers[id]?.verdict { judge(id, verdict) }
    }

    mutating func receive(_ message: ProtoHello, from id: PeerID) {
        guard let peer = peers[id], peer.phase == .silent else { return close(id, "greeted twice") }
        guard message.version == SyncLimits.version else {
            return close(id, "speaks version \(message.version), this node \(SyncLimits.version)")
        }
        guard let device = DeviceName(bytes: message.device), message.certificates.count <= limits.certificates,
            message.invitation.isEmpty || message.invitation.count == 32
        else { return close(id, "malformed greeting") }
        let hello = Hello(
            device: device,
            certificates: message.certificates.map { [UInt8]($0) },
            signature: [UInt8](message.signature),
            invitation: InvitationID(bytes: message.invitation),
            invitationProof: [UInt8](message.invitationProof),
            time: message.time == 0 ? nil : Timestamp(milliseconds: Int64(min(message.time, SyncLimits.latestTime)))
        )
        peers[id]?.phase = .greeted
        peers[id]?.device = device
        actions.append(.authenticate(id, hello, peer.session))
    }

    /// Takes the shell's decision about a peer; the first lets it in or not, a later one may widen or end the session.
    mutating func judge(_ id: PeerID, _ verdict: Verdict) {
        guard let peer = peers[id], peer.phase != .silent, let device = peer.device else { return }
        guard peer.hasGreeted else {
            if peer.verdict?.endsSession != true { peers[id]?.verdict = verdict }
            return
        }
        let scope: Scope
        switch verdict {
        case .refused(let reason): return close(id, reason, cause: .notLetIn)
        case .declined(let reason): return close(id, reason, cause: .declined)
        case .retired: return close(id, Goodbye.retirement, cause: .retired)
        case .left: return close(id, "you have left the event", cause: .left)
        case .unanswered: return close(id, "this node cannot answer now")
        case .sameDevice: return close(id, "holds the same device's key: one data folder was copied")
        case .fabricOnly: scope = .fabric
        case .admitted: scope = .all
        }
        guard scope != peer.granted else { return }
        if let granted = peer.granted, scope < granted { return close(id, "is not admitted any more") }
        guard closeDuplicates(of: id, device) else { return }
        peers[id]?.phase = .accepted
        peers[id]?.granted = scope
        actions.append(.note(id, .admitted(device, scope)))
        var welcome = ProtoWelcome()
        welcome.fabricOnly = scope == .fabric
        send(.welcome(welcome), to: id, on: .control)
        widen(id, from: peer.scope)
    }

    mutating func receive(_ message: ProtoWelcome, from id: PeerID) {
        guard let peer = peers[id] else { return }
        let scope: Scope = message.fabricOnly ? .fabric : .all
        if let received = peer.received, scope <= received { return close(id, "welcomed twice") }
        peers[id]?.received = scope
        actions.append(.note(id, .welcomed(scope)))
        widen(id, from: peer.scope)
    }

    /// Begins to compare frontiers if the session has come to carry more.
    private mutating func widen(_ id: PeerID, from old: Scope?) {
        guard let peer = peers[id], let scope = peer.scope, scope != old else { return }
        if peer.session.isInitiator { compare(with: id) }
        sendAddresses(to: id)
    }

    /// Leaves one session with each device; false if it is not this one.
    ///
    /// Of two that were dialled from both ends at once, both ends keep the one that the lower name dialled. Of two that
    /// one end dialled, that end keeps the newer: it alone knows the order in which it dialled.
    private mutating func closeDuplicates(of id: PeerID, _ device: DeviceName) -> Bool {
        guard let peer = peers[id] else { return false }
        for other in peers.keys where other != id {
            guard let twin = peers[other], twin.device == device, twin.phase == .accepted else { continue }
            let isCrossed = twin.session.isInitiator != peer.session.isInitiator
            if !isCrossed, !peer.session.isInitiator { continue }
            let isTwinKept = isCrossed ? twin.session.isInitiator == (self.device < device) : id < other
            if isTwinKept {
                close(id, "is connected already", cause: .linkedAlready, twin: other)
                return false
            }
            close(other, "is connected anew", cause: .linkedAlready, twin: id)
        }
        return true
    }

    /// Another session that was let in with the device that a peer says it is.
    func twin(of id: PeerID) -> PeerID? {
        guard let device = peers[id]?.device else { return nil }
        return peers.keys.first { $0 != id && peers[$0]?.device == device && peers[$0]?.phase == .accepted }
    }
}

extension SyncEngine {
    /// Takes what peers shall be told of where nodes can be reached.
    mutating func share(_ addresses: [String]) {
        let addresses = Array(addresses.prefix(limits.addresses))
        guard addresses != self.addresses else { return }
        self.addresses = addresses
        for id in readyPeers(for: .content) { sendAddresses(to: id) }
    }

    func accepts(_ address: String) -> Bool { (1...limits.addressLength).contains(address.utf8.count) }

    mutating func sendAddresses(to id: PeerID) {
        guard let peer = peers[id], peer.scope == .all, !addresses.isEmpty, hasRoom(id, on: .control) else { return }
        var message = ProtoPeers()
        message.addresses = addresses
        send(.peers(message), to: id, on: .control)
    }

    mutating func receive(_ message: ProtoPeers, from id: PeerID) {
        guard message.addresses.count <= limits.addresses, message.addresses.allSatisfy(accepts) else {
            return close(id, "too many addresses")
        }
        actions.append(.learn(id, addresses: message.addresses))
    }
}
