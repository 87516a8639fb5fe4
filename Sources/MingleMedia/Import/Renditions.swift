// SPDX-License-Identifier: Apache-2.0

/// The small versions of a picture, made by libvips in processes of their own.
struct Renditions: Sendable {
    /// A size that every picture is shown in.
    struct Size: Sendable {
        let name: String
        /// Pixels that neither side exceeds, at most the 65,535 of a JPEG; smaller pictures are not enlarged.
        let side: Int
        /// Quality of the JPEG, 1 to 100.
        let quality: Int

        static let preview = Size(name: "preview.jpg", side: 1440, quality: 80)
        static let thumbnail = Size(name: "thumbnail.jpg", side: 320, quality: 75)
        /// All pixels, for programs that do not show the picture's format.
        static let full = Size(name: "full.jpg", side: 65_535, quality: 92)
    }

    /// Bytes that a rendition may have; no JPEG of those sizes has more.
    private static let byteLimit = 256 << 20
    private static let package = "libvips-tools"

    /// Where the `vips` program is.
    let program: String
    let limits: ImportLimits

    /// Makes a rendition of a picture whose file is `source`, in `folder`, and returns its bytes: upright, sRGB.
    ///
    /// - Parameter keepsMetadata: Whether EXIF data is copied; it is the picture's own, so nothing else is in it.
    func make(
        _ size: Size,
        of source: String,
        _ picture: StrippedPicture,
        keepsMetadata: Bool = false,
        in folder: String
    ) async throws -> [UInt8] {
        // A file whose end was added may lack pixels, of which the decoder only warns.
        var more = picture.isRepaired ? ["--fail-on", "warning"] : ["--fail-on", "truncated"]
        if picture.hasUnusualColours { more += ["--export-profile", "srgb"] }
        let needsPlugin = picture.format == .heic || picture.format == .avif
        return try await make(size, of: source, more, strips: !keepsMetadata, needsPlugin: needsPlugin, in: folder)
    }

    /// Makes the thumbnail of the preview that is in `folder`.
    func makeThumbnail(in folder: String) async throws -> [UInt8] {
        try await make(.thumbnail, of: Size.preview.name, ["--fail-on", "truncated"], in: folder)
    }

    private func make(
        _ size: Size,
        of source: String,
        _ more: [String],
        strips: Bool = true,
        needsPlugin: Bool = false,
        in folder: String
    ) async throws -> [UInt8] {
        let environment = environment(needsPlugin: needsPlugin, folder)
        let process = LimitedProcess(program: program, limits: limits, environment: environment)
        try process.requireInstalled(package: Self.package)
        let options = "Q=\(size.quality),background=255\(strips ? ",strip" : "")"
        let arguments = [
            "thumbnail", source, "\(size.name)[\(options)]", "\(size.side)", "--height", "\(size.side)", "--size",
            "down",
        ]
        switch try await process.run(arguments + more, in: folder) {
        case .succeeded: break
        case .failed(let complaint): throw Self.error(for: complaint)
        case .killed: throw ImportError.tooLarge("decoding it takes more than \(limits.memory >> 20) MiB")
        case .timedOut: throw ImportError.timedOut
        }
        return try File("\(folder)/\(size.name)", for: .reading).read(upTo: Self.byteLimit, at: 0)
    }

    /// Only the loaders that libvips calls safe, one thread, and no plug-ins where the format needs none.
    private func environment(needsPlugin: Bool, _ folder: String) -> [String: String] {
        var environment = [
            "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": folder, "TMPDIR": folder, "VIPS_BLOCK_UNTRUSTED": "1",
            "VIPS_CONCURRENCY": "1",
        ]
        // The loader of HEIC and AVIF is a plug-in; elsewhere, looking for plug-ins in an empty place saves a third of
        // the start.
        if !needsPlugin { environment["VIPSHOME"] = folder }
        return environment
    }

    private static func error(for complaint: String) -> ImportError {
        let lower = complaint.lowercased()
        if ["premature", "truncated", "end of file", "end of input", "unexpected eof"].contains(where: lower.contains) {
            return .cutShort
        }
        if ["write error", "no space left", "quota exceeded"].contains(where: lower.contains) { return .noSpace }
        return .damaged("its pixels cannot be decoded")
    }
}
