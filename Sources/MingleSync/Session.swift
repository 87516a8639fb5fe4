// SPDX-License-Identifier: Apache-2.0

package import MingleModel

/// What binds a greeting to one connection.
package struct Session: Hashable, Sendable {
    /// The hash of the finished handshake.
    package let handshakeHash: Bytes32
    /// Whether this node dialled.
    package let isInitiator: Bool

    /// Describes a connection.
    package init(handshakeHash: Bytes32, isInitiator: Bool) {
        (self.handshakeHash, self.isInitiator) = (handshakeHash, isInitiator)
    }
}

/// A greeting: who somebody claims to be, and what proves it.
package struct Hello: Hashable, Sendable {
    /// The device's name.
    package var device: DeviceName
    /// Encoded runs: the device's fabric journal so far, and those that its admission rests on.
    package var certificates: [[UInt8]]
    /// The device's signature of the session.
    package var signature: [UInt8]
    /// The open invitation that a newcomer holds.
    package var invitation: InvitationID?
    /// The invitation's signature of the session and the person; empty without one.
    package var invitationProof: [UInt8]

    /// Puts a greeting together.
    package init(
        device: DeviceName,
        certificates: [[UInt8]],
        signature: [UInt8],
        invitation: InvitationID? = nil,
        invitationProof: [UInt8] = []
    ) {
        (self.device, self.certificates, self.signature) = (device, certificates, signature)
        (self.invitation, self.invitationProof) = (invitation, invitationProof)
    }
}

/// What the shell decides about a peer.
package enum Verdict: Hashable, Sendable {
    /// Its admission counts.
    case admitted
    /// It is a newcomer with an open invitation, or this node is one and cannot tell yet.
    case fabricOnly
    /// It has no business here; the reason is sent to it.
    case refused(String)
}
