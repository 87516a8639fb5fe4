// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import MingleSync

extension EventSession {
    /// Decides who comes in: members, and newcomers with an invitation that is open.
    func authenticate(_ peer: PeerID, _ hello: Hello, _ session: Session) {
        do {
            let judgement = try responder.judge(hello, session, at: clock.now())
            if judgement.verdict == .sameDevice { reportKeyUsedElsewhere() }
            if let outcome = judgement.outcome { tell(outcome) }
            if judgement.hasProvedDevice { roster.greet(peer, device: hello.device, person: judgement.person) }
            if judgement.isRelay { meetRelay(peer) }
            feed(.verdict(peer, judgement.verdict))
            changes.publish(kinds: ["peers", "people"])
        } catch {
            pauseIfFull(error)
            feed(.verdict(peer, .unanswered))
        }
    }

    /// Looks again at peers when admissions have changed: at those that could not be judged before, and at those whose
    /// admission counts no more.
    func reconsiderPeers() {
        for (peer, entry) in roster.all {
            guard let device = entry.device else { continue }
            attempt("look at admissions") {
                guard let judgement = try responder.judgeAgain(device, admittedAs: entry.person) else { return }
                roster.greet(peer, device: device, person: judgement.person)
                if judgement.isRelay { meetRelay(peer) }
                feed(.verdict(peer, judgement.verdict))
            }
        }
    }
}
