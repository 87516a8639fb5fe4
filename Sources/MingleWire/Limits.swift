// SPDX-License-Identifier: Apache-2.0

/// The protocol's limits: every count and length that a peer or an author influences.
package enum Limits {
    /// Bytes of an encoded header with its signature.
    package static let headerLength = 1024
    /// Bytes of a header's extension.
    package static let extensionLength = 256
    /// Blobs that one header lists.
    package static let blobsPerHeader = 8
    /// Bytes of a payload as sealed.
    package static let payloadLength = 64 * 1024
    /// Payloads up to this many bytes travel with their headers; larger ones follow once those are proved.
    package static let inlinePayloadLength = 1024
    /// Headers that one signature proves, and the distance between signatures that every node keeps.
    package static let runLength = 64
    /// Changes of one delta.
    package static let changesPerPayload = 64
    /// Changes that one change overwrites by name.
    package static let overwritesPerChange = 64
    /// Bytes of a blob: 4 GiB.
    package static let blobLength: UInt64 = 4 << 30
    /// Branches of one journal that count.
    package static let branchesPerJournal = 4
    /// Slots of one epoch delta.
    package static let slotsPerEpoch = 1000
    /// Admissions that one closing of an invitation lists; more are listed by a further one.
    package static let admissionsPerClosing = 1000
    /// Removals and closed invitations that one epoch obeys.
    package static let obeyedPerEpoch = 2048
    /// Keys of earlier epochs that one epoch carries.
    package static let carriedPerEpoch = 64
    /// Branches whose last counting delta one cut names.
    package static let endsPerCut = 256
    /// Earlier cuts that one cut replaces.
    package static let overwritesPerCut = 256
}
