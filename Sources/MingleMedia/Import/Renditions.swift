// SPDX-License-Identifier: Apache-2.0

/// The small versions of a picture, made by libvips in processes of their own.
struct Renditions: Sendable {
    /// A size that every picture is shown in.
    struct Size: Sendable {
        let name: String
        /// Pixels that neither side exceeds; smaller pictures are not enlarged.
        let side: Int
        /// Quality of the JPEG, 1 to 100.
        let quality: Int

        static let preview = Size(name: "preview.jpg", side: 1440, quality: 80)
        static let thumbnail = Size(name: "thumbnail.jpg", side: 480, quality: 75)
    }

    /// Bytes that a rendition may have; no JPEG of those sizes has more.
    private static let byteLimit = 8 << 20
    private static let package = "libvips-tools"

    /// Where the `vips` program is.
    let program: String
    let limits: ImportLimits

    /// Makes a rendition of the file `source` in `folder` and returns its bytes: upright, sRGB, without metadata.
    func make(
        _ size: Size,
        of source: String,
        format: PictureFormat,
        convertColours: Bool,
        in folder: String
    ) async throws -> [UInt8] {
        let process = LimitedProcess(program: program, limits: limits, environment: environment(format, folder))
        try process.requireInstalled(package: Self.package)
        var arguments = [
            "thumbnail", source, "\(size.name)[Q=\(size.quality),strip,background=255]", "\(size.side)",
            "--height", "\(size.side)", "--size", "down", "--fail-on", "truncated",
        ]
        if convertColours { arguments += ["--export-profile", "srgb"] }
        switch try await process.run(arguments, in: folder) {
        case .succeeded: break
        case .failed(let complaint): throw Self.error(for: complaint)
        case .killed: throw ImportError.tooLarge("decoding it takes more than \(limits.memory >> 20) MiB")
        case .timedOut: throw ImportError.timedOut
        }
        return try File("\(folder)/\(size.name)", for: .reading).read(upTo: Self.byteLimit, at: 0)
    }

    /// Only the loaders that libvips calls safe, one thread, and no plug-ins where the format needs none.
    private func environment(_ format: PictureFormat, _ folder: String) -> [String: String] {
        var environment = [
            "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": folder, "TMPDIR": folder, "VIPS_BLOCK_UNTRUSTED": "1",
            "VIPS_CONCURRENCY": "1",
        ]
        // HEIC's loader is a plug-in; elsewhere, looking for plug-ins in an empty place saves a third of the start.
        if format != .heic { environment["VIPSHOME"] = folder }
        return environment
    }

    private static func error(for complaint: String) -> ImportError {
        let lower = complaint.lowercased()
        if ["premature", "truncated", "end of file", "end of input", "unexpected eof"].contains(where: lower.contains) {
            return .cutShort
        }
        if ["write error", "no space left", "quota exceeded"].contains(where: lower.contains) { return .noSpace }
        let line = complaint.split(separator: "\n").first { !$0.contains("WARNING") } ?? "its pixels cannot be decoded"
        return .damaged(String(line.prefix(200)))
    }
}
