// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import Synchronization

extension EventSession {
    /// Decides who comes in: members, and newcomers with an invitation that is open.
    func authenticate(_ peer: PeerID, _ hello: Hello, _ session: Session) {
        do {
            let judgement = try responder.judge(hello, session, at: clock.now())
            if judgement.verdict == .sameDevice { reportKeyUsedElsewhere() }
            if let outcome = judgement.outcome { tell(outcome, greeted: judgement.greeted) }
            if let claimant = judgement.claimant { roster.note(claimant: claimant, of: peer) }
            if judgement.hasProvedDevice { greet(peer, hello.device, judgement.person) }
            if judgement.isRelay { meetRelay(peer) }
            feed(.verdict(peer, try verdict(of: judgement)))
            changes.publish(kinds: ["peers", "people"])
        } catch {
            pauseIfFull(error)
            feed(.verdict(peer, .unanswered))
        }
    }

    private func greet(_ peer: PeerID, _ device: DeviceName, _ person: PersonID?) {
        roster.greet(peer, device: device, person: person)
        guard let person, person != replica.own.person else { return }
        feed(.person(peer, person))
        departure.withLock { $0.meet(peer, device) }
    }

    /// What a peer is told.
    ///
    /// Who has left deletes its folder on this word: it is given for what outlives a power cut here, and not by a node whose person
    /// leaves as well, and which may be the next to delete all there is.
    func verdict(of judgement: Judgement) throws -> Verdict {
        guard judgement.verdict == .left else { return judgement.verdict }
        guard !isLeaving else { return .unanswered }
        try storing.sync { try blobs.flush() }
        try replica.synchronize()
        return .left
    }

    /// Looks again at peers whom it concerns that admissions have changed: at those that could not be judged before, and at those
    /// whose admission counts no more.
    func reconsiderPeers(after news: DoorNews) {
        let greeted = roster.all.filter { news.concern($1.claimant) }.compactMap { peer, entry in
            entry.device.map { GreetedPeer(peer, device: $0, person: entry.person) }
        }
        attempt("check connected peers against changed admissions") {
            for (peer, judgement) in try responder.judgeAgain(greeted) {
                greet(peer.id, peer.device, judgement.person)
                if judgement.isRelay { meetRelay(peer.id) }
                // The disk may fail one of them what it takes to say; the others hear theirs all the same.
                attempt("tell a peer whether it is admitted") { feed(.verdict(peer.id, try verdict(of: judgement))) }
            }
        }
    }
}
