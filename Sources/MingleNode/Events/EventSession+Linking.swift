// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Logging
import MingleAPI
import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import Synchronization

extension EventSession {
    /// Whether this node still waits to become a device of its person's, and is nobody's until then.
    var isArriving: Bool { arrival.withLock { $0 != nil } }

    /// Greets a peer, or asks it for a certificate where this device has none yet.
    func greet(_ peer: PeerID, in session: Session) {
        guard isArriving else { return answer(.makeHello(peer, session)) }
        // In turn with a certificate that is just being stored.
        merging.async { [self] in
            let secrets = secrets.withLock { $0 }
            let request = arrival.withLock { $0?.request(of: secrets, in: event, to: peer, session) }
            if let request { return feed(.deviceRequest(peer, request)) }
            answer(.makeHello(peer, session))
        }
    }

    /// Answers a device that asks for a certificate.
    func certify(_ peer: PeerID, _ request: DeviceRequest, _ session: Session) {
        // Whoever leaves takes no further device along.
        guard !isLeaving else { return feed(.deviceVerdict(peer, .nothing)) }
        do {
            let now = clock.uptime()
            if let verdict = try certifyGuest(request, session, at: now) {
                return feed(.deviceVerdict(peer, verdict))
            }
            let verdict = try secrets.withLock { secrets in
                try offer.withLock { offer in
                    try responder.certify(request, session, by: &secrets, &offer, at: now) {
                        try files.write($0)
                    }
                }
            }
            feed(.deviceVerdict(peer, verdict))
            if case .certified = verdict, let device = offer.withLock({ $0?.used }) { host?.linked(device, in: event) }
        } catch {
            logger.error("could not link a device", metadata: ["event": "\(event)", "error": "\(error)"])
            feed(.deviceVerdict(peer, .postponed("this node cannot answer now")))
        }
    }

    /// Answers a device that asks to be a guest's of this door; nil if no guest has made a link.
    private func certifyGuest(_ request: DeviceRequest, _ session: Session, at now: Duration) throws -> DeviceVerdict? {
        try guestOffers.withLock { offers in
            guard var guest = offers[request.person] else { return nil }
            var offer: DeviceOffer? = guest.offer
            let responder = Responder(replica: guest.replica, blobs: blobs, issued: [])
            let verdict = try responder.certify(request, session, by: &guest.secrets, &offer, at: now) { _ in }
            if let offer { guest.offer = offer }
            offers[request.person] = guest
            return verdict
        }
    }

    /// Forgets the keys of guests whose codes and links are good no more, whether anybody asks or not.
    func forgetGuestsKeys() {
        let now = clock.uptime()
        signInCodes.withLock { $0.forgetExpired(at: now) }
        guestOffers.withLock { offers in
            // A link that was used stays to its end, as the answer may have been lost.
            if offers.contains(where: { $0.value.offer.end <= now }) {
                offers = offers.filter { $0.value.offer.end > now }
            }
        }
    }

    /// Takes the certificate that another device of this person's made, and greets everybody with it.
    func takeCertificate(_ certified: DeviceCertified, from peer: PeerID) {
        // Of several links to the other device each brings one, and the first will do.
        guard arrival.withLock({ $0?.isOver }) == false else { return feed(.deviceVerdict(peer, .nothing)) }
        var secrets = secrets.withLock { $0 }
        guard let certificate = arrival.withLock({ $0?.take(certified, of: secrets, in: event) }) else {
            return feed(.deviceVerdict(peer, .refused("the certificate is not from the person whom the link names")))
        }
        do {
            let authored = try replica.enter(with: certificate, at: clock.now(), randomness: .system)
            // After the journal, from which a start that finds no note of it sees that there is a certificate.
            secrets.noteCertificate(by: certified.device)
            try files.write(secrets)
            // Before anybody can see that this device is certified, and forget whom it asked.
            let asked = arrival.withLock { $0?.takeAsked() } ?? []
            self.secrets.withLock { $0 = secrets }
            tell(authored.outcome, own: authored.runs)
            feed(.deviceVerdict(peer, .nothing))
            for (peer, session) in asked { answer(.makeHello(peer, session)) }
        } catch {
            pauseIfFull(error)
            linkingFailure.withLock { $0 = API.Problem(error) }
        }
        changes.publish(kinds: ["peers"])
    }

    /// Whether this device is certified; throws what kept a certificate from being stored.
    func isCertified() throws -> Bool {
        if let failure = linkingFailure.withLock({ $0 }) { throw failure }
        return !secrets.withLock { $0.isUncertified }
    }
}
