// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
package import MingleModel
import MingleWire

/// What a device without a certificate says before it greets: whose it wants to be, and that it knows a device link's secret.
package struct DeviceRequest: Hashable, Sendable {
    /// The person.
    package let person: PersonID
    /// The device's Ed25519 key.
    package let signingKey: Bytes32
    /// The device's X25519 key.
    package let agreementKey: Bytes32
    /// What shows that, in this session and for these keys; 32 bytes.
    package let proof: Bytes32

    /// Puts a request together.
    package init(person: PersonID, signingKey: Bytes32, agreementKey: Bytes32, proof: Bytes32) {
        (self.person, self.signingKey, self.agreementKey, self.proof) = (person, signingKey, agreementKey, proof)
    }
}

/// The answer to a request: what is still lacking for the certificate.
package struct DeviceCertified: Hashable, Sendable {
    /// The person's signature of the new device's name; 64 bytes if it is one.
    package let signature: [UInt8]
    /// The device that certifies.
    package let device: DeviceName

    /// Puts an answer together.
    package init(signature: [UInt8], device: DeviceName) { (self.signature, self.device) = (signature, device) }
}

/// What the shell makes of a request for a certificate, or of a certificate.
package enum DeviceVerdict: Hashable, Sendable {
    /// The one who asked is certified, and is to be told; it greets next.
    case certified(DeviceCertified)
    /// Nothing is to be said: it is somebody else who is asked, or the certificate fits.
    case nothing
    /// It is not certified, and asking again changes nothing; or the certificate does not fit. The peer is told why.
    case refused(String)
    /// It may be certified when it asks again.
    case postponed(String)
}

extension SyncEngine {
    /// Asks a peer for a certificate, in place of a greeting that follows later.
    mutating func ask(_ id: PeerID, _ request: DeviceRequest) {
        guard let peer = peers[id], !peer.hasGreeted, !peer.isAskedToCertify else { return }
        peers[id]?.isAskedToCertify = true
        var message = ProtoDeviceRequest()
        message.person = .init(request.person.bytes)
        message.signingKey = .init(request.signingKey.bytes)
        message.agreementKey = .init(request.agreementKey.bytes)
        message.proof = .init(request.proof.bytes)
        send(.deviceRequest(message), to: id, on: .control)
    }

    mutating func receive(_ message: ProtoDeviceRequest, from id: PeerID) {
        guard let peer = peers[id], peer.phase == .silent, !peer.hasAskedToBeLinked else {
            return close(id, "asked to be linked twice, or after its greeting")
        }
        guard let person = PersonID(bytes: message.person), let signingKey = Bytes32(message.signingKey),
            let agreementKey = Bytes32(message.agreementKey), let proof = Bytes32(message.proof)
        else { return close(id, "malformed request to be linked") }
        peers[id]?.hasAskedToBeLinked = true
        let request = DeviceRequest(person: person, signingKey: signingKey, agreementKey: agreementKey, proof: proof)
        actions.append(.certify(id, request, peer.session))
    }

    mutating func receive(_ message: ProtoDeviceCertified, from id: PeerID) {
        guard let peer = peers[id], peer.isAskedToCertify else {
            return close(id, "sent a certificate that was not requested")
        }
        guard let device = DeviceName(bytes: message.device) else {
            return close(id, "malformed certificate")
        }
        peers[id]?.isAskedToCertify = false
        actions.append(.takeCertificate(id, DeviceCertified(signature: [UInt8](message.signature), device: device)))
    }

    /// Takes the shell's decision about a request or a certificate.
    mutating func settle(_ id: PeerID, _ verdict: DeviceVerdict) {
        guard peers[id] != nil else { return }
        switch verdict {
        case .nothing: break
        case .refused(let reason): close(id, reason, cause: .notLetIn)
        case .postponed(let reason): close(id, reason)
        case .certified(let certified):
            var message = ProtoDeviceCertified()
            message.signature = .init(certified.signature)
            message.device = .init(certified.device.bytes)
            send(.deviceCertified(message), to: id, on: .control)
        }
    }
}
