// SPDX-License-Identifier: Apache-2.0

/// Makes clips of moving pictures, by ffmpeg in processes of their own: square, H.264 and AAC in MP4, without metadata.
struct ClipEncoder: Sendable {
    /// How long a clip is, in milliseconds; of what is longer the first part is taken.
    static let lengths: ClosedRange<Int64> = 5000...10_000
    /// The file that ``encode(_:in:)`` makes.
    static let file = "clip.mp4"

    private static let poster = "poster.jpg"
    private static let progress = "progress.txt"
    /// Pixels of each side, unless the video has fewer.
    private static let side = 720
    /// Pictures in each second.
    private static let rate: Int64 = 30
    /// Milliseconds that the last picture may end early.
    private static let tolerance: Int64 = 100
    /// Bytes of each file but the clip that are read.
    private static let byteLimit = 8 << 20
    /// The codecs that phones and browsers record; no other decoder runs on bytes from outside.
    private static let decoders =
        "h264,hevc,vp8,vp9,libdav1d,av1,mpeg4,h263,aac,mp3float,mp3,opus,vorbis,alac,ac3,eac3,amrnb,amrwb,pcm_s16le,pcm_s16be,pcm_s24le"

    /// Where the `ffmpeg` program is.
    let program: String
    let limits: ImportLimits

    /// Encodes the video at `source` as a clip in `folder`, and returns the clip's length in milliseconds.
    func encode(_ source: String, in folder: String) async throws -> Int64 {
        // No other file, no network, and no list of further files is opened, whatever the video says.
        let reading = [
            "-protocol_whitelist", "file", "-format_whitelist", "mov,matroska", "-codec_whitelist", Self.decoders,
            "-threads", "2", "-i", "file:\(source)",
        ]
        let square = "crop='min(iw,ih)':'min(iw,ih)'"
        let small = "scale='min(\(Self.side),trunc(iw/2)*2)':'min(\(Self.side),trunc(ih/2)*2)'"
        let pictures = [
            "-map", "0:V:0", "-filter_threads", "2", "-vf",
            "fps=\(Self.rate),scale='trunc(iw*sar/2)*2':ih,setsar=1,\(square),\(small),format=yuv420p", "-c:v",
            "libx264", "-a53cc", "0", "-preset", "veryfast", "-profile:v", "main", "-crf", "23", "-maxrate", "1400k",
            "-bufsize", "1400k",
        ]
        let sound = ["-map", "0:a:0?", "-c:a", "aac", "-b:a", "96k", "-ac", "2", "-ar", "44100"]
        // Only the picture and the sound are taken along: no place, no time, no name of a phone.
        let nothingElse = [
            "-map_metadata", "-1", "-map_chapters", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a",
            "+bitexact", "-movflags", "+faststart",
        ]
        let length = ["-t", "\(Self.lengths.upperBound / 1000)", "-threads", "2", "-progress", Self.progress]
        try await run(reading + pictures + sound + nothingElse + length + [Self.file], in: folder)
        let milliseconds = try encodedMilliseconds(in: folder)
        guard milliseconds > Self.lengths.lowerBound - Self.tolerance else { throw ImportError.tooShort }
        return min(max(milliseconds, Self.lengths.lowerBound), Self.lengths.upperBound)
    }

    /// Makes a JPEG of the first picture of the clip that is in `folder`.
    func makePoster(in folder: String) async throws -> [UInt8] {
        try await run(["-i", Self.file, "-frames:v", "1", "-q:v", "2", Self.poster], in: folder)
        return try read(Self.poster, in: folder)
    }

    private func run(_ arguments: [String], in folder: String) async throws {
        let environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": folder, "TMPDIR": folder]
        let process = LimitedProcess(program: program, limits: limits, environment: environment)
        try process.requireInstalled(package: "ffmpeg")
        let quiet = ["-hide_banner", "-nostdin", "-nostats", "-loglevel", "error", "-y"]
        switch try await process.run(quiet + arguments, in: folder) {
        case .succeeded: break
        case .failed(let complaint):
            if complaint.contains("No space left") { throw ImportError.noSpace }
            throw complaint.contains("Cannot allocate memory") ? tooLarge : ImportError.notAClip
        case .killed: throw tooLarge
        case .timedOut: throw ImportError.timedOut
        }
    }

    private var tooLarge: ImportError {
        .tooLarge("decoding it takes more than \(limits.memory >> 20) MiB or \(limits.processorTime)")
    }

    /// How long the pictures last that were encoded, by the program's last report: sound may last longer.
    private func encodedMilliseconds(in folder: String) throws -> Int64 {
        let report = String(decoding: try read(Self.progress, in: folder), as: UTF8.self)
        let counts = report.split(separator: "\n").compactMap { line in
            line.hasPrefix("frame=") ? Int64(line.dropFirst("frame=".count)) : nil
        }
        return (counts.last ?? 0) * 1000 / Self.rate
    }

    private func read(_ name: String, in folder: String) throws -> [UInt8] {
        let file = try File("\(folder)/\(name)", for: .reading)
        return try file.read(upTo: min(Int(file.length), Self.byteLimit), at: 0)
    }
}
