// SPDX-License-Identifier: Apache-2.0

package import MingleModel
import MingleWire

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
    /// What the device's clock says, for people to see that one is wrong; nil: it does not tell.
    package var time: Timestamp?

    /// Puts a greeting together.
    package init(
        device: DeviceName,
        certificates: [[UInt8]],
        signature: [UInt8],
        invitation: InvitationID? = nil,
        invitationProof: [UInt8] = [],
        time: Timestamp? = nil
    ) {
        (self.device, self.certificates, self.signature) = (device, certificates, signature)
        (self.invitation, self.invitationProof, self.time) = (invitation, invitationProof, time)
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
    /// A host did not let its person in; the reason is sent to it.
    case declined(String)
    /// Its person retired it.
    case retired
    /// Its person has left, and is told that this is known here.
    case left
    /// This node cannot tell now; the peer may try again.
    case unanswered
    /// It proved that it holds this very device's key: a copy of this data folder.
    case sameDevice

    /// Whether nothing that comes later changes it.
    var endsSession: Bool {
        switch self {
        case .admitted, .fabricOnly: false
        case .refused, .declined, .retired, .left, .unanswered, .sameDevice: true
        }
    }
}

/// Why a session ends.
package struct Goodbye: Hashable, Sendable {
    /// What the other side should make of it.
    package enum Cause: UInt32, Sendable {
        /// A rule was broken, or there is nothing to make of it.
        case other = 0
        /// The one who is told is not let in, and coming back changes nothing.
        case notLetIn = 1
        /// The two devices have another session.
        case linkedAlready = 2
        /// The one who is told has left the event, and here that is known.
        case left = 3
        /// The one who is told is a device that its person retired.
        case retired = 4
        /// The one who is told waited to be let in, and a host declined.
        case declined = 5

        /// The cause that says most of this to who knows no more than the first version did; nil where it is that itself.
        var nearest: Cause? { [.retired, .declined].contains(self) ? .notLetIn : nil }
    }

    /// What a device is told that its person retired.
    package static let retirement = "you retired this device on another one of yours"
    /// Characters of a reason.
    private static let reasonLimit = 200

    /// Whether the one who is told need not come back.
    package var isRefusal: Bool { [.notLetIn, .left, .retired, .declined].contains(cause) }

    /// What the other side should make of it.
    package let cause: Cause
    /// For people; at most 200 characters on one line, and none that drives a terminal.
    package let reason: String
    /// Whether the peer said it, and it is a claim then, or this node.
    package let isFromPeer: Bool
    /// The other session with the same device, where that is the cause and it is known.
    package let twin: PeerID?

    /// Ends a session.
    package init(_ reason: String, cause: Cause = .other, isFromPeer: Bool = false, twin: PeerID? = nil) {
        (self.cause, self.isFromPeer, self.twin) = (cause, isFromPeer, twin)
        self.reason = String(reason.unicodeScalars.prefix(Self.reasonLimit)).printable()
    }
}

extension Goodbye {
    /// What a peer said.
    init(_ message: ProtoGoodbye, twin: (Cause) -> PeerID?) {
        let cause = Cause(rawValue: message.exactCause) ?? .other
        let nearest = Cause(rawValue: message.cause).flatMap { $0.nearest == nil ? $0 : nil } ?? .other
        // What is exact is taken only for what it is said with.
        let meant = cause.nearest == nearest ? cause : nearest
        self.init(message.reason, cause: meant, isFromPeer: true, twin: twin(meant))
    }

    /// What is sent of it.
    var message: ProtoGoodbye {
        var message = ProtoGoodbye()
        message.reason = reason
        message.cause = (cause.nearest ?? cause).rawValue
        if cause.nearest != nil { message.exactCause = cause.rawValue }
        return message
    }
}
