// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
package import MingleModel

/// What a delta is about.
package enum Root: Hashable, Sendable {
    /// The delta makes the record that it describes.
    case itself
    /// The delta changes or deletes the record that another delta made.
    case reference(Reference)
    /// The record is named by kind, author and target, or there is none.
    case none
}

/// A blob as a header lists it, readable by whoever carries the delta.
package struct BlobListing: Hashable, Sendable {
    /// The blob's name.
    package let name: BlobName
    /// Bytes of the blob.
    package let size: UInt64

    /// Lists a blob.
    package init(name: BlobName, size: UInt64) { (self.name, self.size) = (name, size) }
}

/// The part of a delta that anyone who carries it can read: at most 1 KiB in a fixed layout (docs/protocol.md, "Header").
package struct Header: Hashable, Sendable {
    /// The layout's version.
    package static let version: UInt8 = 1
    /// Bytes from the first to the last random byte: what nonce and associated data are made of.
    package static let sealedPrefixLength = 118

    /// The event that the delta belongs to.
    package var event: EventID
    /// The device that made it.
    package var device: DeviceName
    /// Which of the device's journals it stands in.
    package var journal: Journal
    /// Its place in the journal, from 1.
    package var sequence: UInt32
    /// The hash of the journal's header before it.
    package var previous: HeaderHash
    /// What the device's clock said.
    package var timestamp: Timestamp
    /// Eight random bytes, drawn anew whenever a payload is sealed.
    package var salt: UInt64
    /// The epoch whose key seals the payload.
    package var epoch: EpochID
    /// What the delta is about.
    package var root: Root
    /// Whether the delta deletes its root.
    package var isDeletion: Bool
    /// Bytes of the payload as sealed.
    package var payloadLength: UInt32
    /// The hash of the payload as sealed.
    package var payloadHash: Bytes32
    /// The blobs that the payload describes.
    package var blobs: [BlobListing]
    /// Bytes of a later version, carried as they are.
    package var extensionBytes: [UInt8]

    /// Describes a delta.
    package init(
        event: EventID,
        device: DeviceName,
        journal: Journal,
        sequence: UInt32,
        previous: HeaderHash,
        timestamp: Timestamp,
        salt: UInt64,
        epoch: EpochID,
        root: Root,
        isDeletion: Bool = false,
        payloadLength: UInt32 = 0,
        payloadHash: Bytes32 = .zero,
        blobs: [BlobListing] = [],
        extensionBytes: [UInt8] = []
    ) {
        (self.event, self.device, self.journal, self.sequence) = (event, device, journal, sequence)
        (self.previous, self.timestamp, self.salt, self.epoch) = (previous, timestamp, salt, epoch)
        (self.root, self.isDeletion) = (root, isDeletion)
        (self.payloadLength, self.payloadHash) = (payloadLength, payloadHash)
        (self.blobs, self.extensionBytes) = (blobs, extensionBytes)
    }

    /// The delta's name.
    package var hash: HeaderHash { HeaderHash(Blake2b.hash(.header, encoded())) }

    /// The delta as other deltas mention it, given its ``hash``.
    package func reference(hash: HeaderHash) -> Reference {
        Reference(device: device, journal: journal, sequence: sequence, hash: hash)
    }

    /// The nonce of the payload, 24 bytes.
    package var nonce: [UInt8] { Blake2b.hash(.nonce, sealedPrefix[...], length: Sealing.nonceLength) }

    /// What the payload is bound to: the header through its last random byte.
    package var sealedPrefix: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.sealedPrefixLength)
        appendSealedPrefix(to: &bytes)
        return bytes
    }

    func appendSealedPrefix(to bytes: inout [UInt8]) {
        bytes.append(Self.version)
        event.raw.append(to: &bytes)
        device.raw.append(to: &bytes)
        bytes.append(journal.rawValue)
        sequence.appendBigEndian(to: &bytes)
        previous.raw.append(to: &bytes)
        UInt64(timestamp.milliseconds).appendBigEndian(to: &bytes)
        salt.appendBigEndian(to: &bytes)
    }
}
