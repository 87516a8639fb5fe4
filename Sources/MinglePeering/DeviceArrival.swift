// SPDX-License-Identifier: Apache-2.0

package import MingleCrypto
package import MingleModel
import MingleReplica
package import MingleSync
package import MingleWire

/// A device that asks another one of its person's for its certificate.
package struct DeviceArrival: Sendable {
    /// Peers that are remembered as asked; a join lasts half a minute.
    private static let askedLimit = 1024

    private let seed: Secret
    private var asked: [PeerID: Session] = [:]
    /// Whether no certificate is taken any more: there is one, or it is not waited for.
    package private(set) var isOver = false
    private var isCertified = false

    /// Begins with the seed of a device link.
    package init(seed: Secret) { self.seed = seed }

    /// What to say to a peer in place of a greeting; nil if this device can greet.
    package mutating func request(of secrets: Secrets, in event: EventID, to peer: PeerID, _ session: Session)
        -> DeviceRequest?
    {
        guard !isOver else { return nil }
        if asked.count < Self.askedLimit { asked[peer] = session }
        let device = secrets.ownDevice(in: event).name
        return DeviceRequest(
            person: secrets.person,
            signingKey: secrets.signing.publicKey,
            agreementKey: secrets.agreement.publicKey,
            proof: DeviceRequest.proof(of: seed, for: device, in: session, isInitiator: session.isInitiator)
        )
    }

    /// Takes a certificate; nil if the person did not sign it, or none is waited for.
    package mutating func take(_ certified: DeviceCertified, of secrets: Secrets, in event: EventID) -> Certificate? {
        guard !isOver, let signature = Signature(certified.signature) else { return nil }
        let certificate = secrets.certificate(signed: signature)
        guard certificate.isValid(in: event) else { return nil }
        (isOver, isCertified) = (true, true)
        return certificate
    }

    /// Waits no more; false if there is a certificate.
    package mutating func giveUp() -> Bool {
        isOver = true
        return !isCertified
    }

    /// The peers that were asked, and are to be greeted now.
    package mutating func takeAsked() -> [(peer: PeerID, session: Session)] {
        defer { asked = [:] }
        return asked.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
