// SPDX-License-Identifier: Apache-2.0

/// The files of moving pictures that people can share as clips.
package enum ClipContainer {
    /// How such files end, in small letters.
    package static let endings: Set<String> = ["mp4", "m4v", "mov", "3gp", "3g2", "webm", "mkv"]

    /// The boxes with which QuickTime files begin that have no `ftyp` (QuickTime File Format Specification).
    private static let firstBoxes: [StaticString] = ["ftyp", "moov", "mdat", "wide"]
    /// How Matroska and WebM begin (RFC 8794, section 11.2.1).
    private static let ebml: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3]

    /// Whether a file may be a moving picture, by its first bytes; `PictureFormat` tells those that are pictures.
    static func begins(_ bytes: some Collection<UInt8>) -> Bool {
        guard PictureFormat.detect(bytes) == nil else { return false }
        let start = PictureBytes(Array(bytes.prefix(PictureFormat.signatureLength)))
        return start.has(ebml, at: 0) || firstBoxes.contains { start.has($0, at: 4) }
    }
}
