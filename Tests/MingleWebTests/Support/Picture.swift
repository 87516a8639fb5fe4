// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Pictures and a video, made once for all tests.
enum Picture {
    private struct Failed: Error {}

    private static let smallFile = Result { try make(["black", "small.jpg", "96", "64", "--bands", "3"], "small.jpg") }
    private static let largeFile = Result { try make(["gaussnoise", "large.jpg", "800", "700"], "large.jpg") }
    private static let smallPNG = Result { try make(["black", "small.png", "40", "30", "--bands", "3"], "small.png") }

    private static let largeHEIC = Result { try make(["gaussnoise", "large.heic[Q=30]", "1800", "700"], "large.heic") }
    private static let testVideo = Result {
        let input = ["-loglevel", "error", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25"]
        return try make(input + ["-t", "6", "-c:v", "libx264", "video.mp4"], "video.mp4", by: "ffmpeg")
    }
    private static let smallAVIF = Result {
        try make(["black", "small.avif", "96", "64", "--bands", "3"], "small.avif")
    }

    /// An HEIC of noise, larger than previews are.
    static var heic: [UInt8] { get throws { try largeHEIC.get() } }
    /// An AVIF of 96 by 64 pixels.
    static var avif: [UInt8] { get throws { try smallAVIF.get() } }
    /// A JPEG of 96 by 64 pixels.
    static var small: [UInt8] { get throws { try smallFile.get() } }
    /// A JPEG of noise, of several chunks.
    static var large: [UInt8] { get throws { try largeFile.get() } }
    /// A silent video of six seconds, 160 by 120 pixels.
    static var video: [UInt8] { get throws { try testVideo.get() } }
    /// A PNG of 40 by 30 pixels.
    static var png: [UInt8] { get throws { try smallPNG.get() } }

    private static func make(_ arguments: [String], _ name: String, by program: String = "vips") throws -> [UInt8] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mingle-web-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/\(program)")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed() }
        return Array(try Data(contentsOf: folder.appendingPathComponent(name)))
    }
}
