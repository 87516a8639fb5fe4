// SPDX-License-Identifier: Apache-2.0

/// The kinds of picture that people can share.
package enum PictureFormat: String, Sendable, CaseIterable {
    /// What most cameras and phones write.
    case jpeg
    /// Screenshots and drawings.
    case png
    /// What many sites serve.
    case webp
    /// Short animations.
    case gif
    /// What Apple's phones write, encoded by HEVC.
    case heic
    /// The same container, encoded by AV1.
    case avif

    /// The media type (RFC 6838).
    package var mediaType: String { "image/\(rawValue)" }

    /// How a file of this format ends.
    package var fileExtension: String { self == .jpeg ? "jpg" : rawValue }

    /// How files of this format may end, in small letters.
    package var endings: Set<String> {
        switch self {
        case .jpeg: ["jpg", "jpeg", "jpe", "jfif"]
        case .heic: ["heic", "heif"]
        case .png, .webp, .gif, .avif: [rawValue]
        }
    }

    /// How many bytes from a file's beginning ``detect(_:)`` looks at.
    package static let signatureLength = 64
    private static let heicBrands: Set<String> = ["heic", "heix", "heim", "heis", "hevc", "hevx"]
    private static let avifBrands: Set<String> = ["avif", "avis"]
    private static let generalBrands: Set<String> = ["mif1", "mif2", "msf1", "miaf"]

    /// Tells the format by the first bytes; nil for everything that is not shared as a picture.
    package static func detect(_ bytes: some Collection<UInt8>) -> PictureFormat? {
        let start = PictureBytes(Array(bytes.prefix(signatureLength)))
        if start.has([0xFF, 0xD8], at: 0) { return .jpeg }
        if start.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0) { return .png }
        if start.has("GIF87a", at: 0) || start.has("GIF89a", at: 0) { return .gif }
        if start.has("RIFF", at: 0), start.has("WEBP", at: 8) { return .webp }
        return start.has("ftyp", at: 4) ? container(start) : nil
    }

    /// Tells by the major brand, or for the general brands by the first compatible one that names a coding.
    private static func container(_ start: PictureBytes) -> PictureFormat? {
        guard let major = try? start.text(at: 8, count: 4), let length = try? start.number(at: 0, count: 4) else {
            return nil
        }
        let places = [8] + Array(stride(from: 16, to: min(length, signatureLength), by: 4))
        let brands = places.compactMap { try? start.text(at: $0, count: 4) }
        if heicBrands.contains(major) { return .heic }
        if avifBrands.contains(major) { return .avif }
        guard generalBrands.contains(major) else { return nil }
        return brands.contains { avifBrands.contains($0) } && !brands.contains { heicBrands.contains($0) }
            ? .avif : .heic
    }
}
