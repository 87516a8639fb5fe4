// SPDX-License-Identifier: Apache-2.0

/// A 32-byte name of one particular thing; conforming types differ only in what they name.
package protocol Identifier32: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The 32 bytes of the name.
    var raw: Bytes32 { get }
    /// Wraps 32 bytes as a name of this kind.
    init(_ raw: Bytes32)
}

extension Identifier32 {
    /// Reads exactly 32 bytes; nil for any other count.
    package init?(bytes: some Collection<UInt8>) {
        guard let raw = Bytes32(bytes) else { return nil }
        self.init(raw)
    }

    /// Reads the base32 form that ``description`` writes; nil for anything else.
    package init?(text: some StringProtocol) {
        guard let bytes = Base32.decode(text) else { return nil }
        self.init(bytes: bytes)
    }

    /// The name's bytes.
    package var bytes: [UInt8] { raw.bytes }

    /// The name in base32, 52 characters.
    package var description: String { Base32.encode(raw.bytes) }

    package static func < (left: Self, right: Self) -> Bool { left.raw < right.raw }
}

/// Names an event: BLAKE2b-256 of the founder's identity key and 32 random bytes.
package struct EventID: Identifier32 {
    package let raw: Bytes32
    package init(_ raw: Bytes32) { self.raw = raw }
}

/// Names a person: the Ed25519 public half of the identity key.
package struct PersonID: Identifier32 {
    package let raw: Bytes32
    package init(_ raw: Bytes32) { self.raw = raw }
}

/// Names a device: BLAKE2b-256 of its certificate's fields.
package struct DeviceName: Identifier32 {
    package let raw: Bytes32
    package init(_ raw: Bytes32) { self.raw = raw }
}

/// Names a delta: BLAKE2b-256 of its header without the signature.
package struct HeaderHash: Identifier32 {
    package let raw: Bytes32
    package init(_ raw: Bytes32) { self.raw = raw }

    /// What a journal's first header names as its predecessor.
    package static let none = HeaderHash(.zero)
}

/// Names an epoch and commits to its key: BLAKE2b-256 of key, event and audience.
package struct EpochID: Identifier32 {
    package let raw: Bytes32
    package init(_ raw: Bytes32) { self.raw = raw }

    /// Epoch zero: the payload is not encrypted.
    package static let plaintext = EpochID(.zero)
}

/// Names a blob: BLAKE2b-256 of its Merkle root, its size and its owner.
package struct BlobName: Identifier32 {
    package let raw: Bytes32
    package init(_ raw: Bytes32) { self.raw = raw }
}

/// Names an invitation: the Ed25519 public key that its seed yields.
package struct InvitationID: Identifier32 {
    package let raw: Bytes32
    package init(_ raw: Bytes32) { self.raw = raw }
}
