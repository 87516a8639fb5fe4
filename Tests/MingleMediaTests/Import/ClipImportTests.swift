// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import MingleMedia

/// Clips that are made of people's videos.
@Suite(
    .enabled(if: Program.ffmpeg.isInstalled && Program.vips.isInstalled, "needs ffmpeg and libvips-tools"),
    .timeLimit(.minutes(2))
)
struct ClipImportTests {
    private static let place = "+40.4168-003.7038/"

    @Test(arguments: ["phone.mov", "phone.webm"])
    func `the first ten seconds are shared, square and without what else is in the video`(name: String) async throws {
        try await withTemporaryFolder { folder in
            let path = try video(name, in: folder, seconds: 12)
            let clip = try await importer(folder).importClip(at: path)
            defer { clip.discard() }
            #expect(clip.format == .clip && clip.width == 120 && clip.height == 120)
            #expect(clip.durationMilliseconds.map { (9850...10_000).contains($0) } == true)
            #expect(clip.thumbnail.starts(with: [0xFF, 0xD8]) && clip.preview.starts(with: [0xFF, 0xD8]))
            let (shared, original) = (try clip.sharedBytes(), try Data(contentsOf: URL(filePath: path)))
            #expect(ClipContainer.begins(shared) && shared.count < 2 << 20)
            #expect(original.firstRange(of: Data(Self.place.utf8)) != nil)
            #expect(Data(shared).firstRange(of: Data(Self.place.utf8)) == nil)
        }
    }

    @Test func `the same video is the same clip each time`() async throws {
        try await withTemporaryFolder { folder in
            let path = try video("a.mp4", in: folder, seconds: 6)
            var clips: [[UInt8]] = []
            for _ in 0..<2 {
                let clip = try await importer(folder).importClip(at: path)
                defer { clip.discard() }
                #expect(clip.durationMilliseconds.map { abs($0 - 6000) < 150 } == true)
                clips.append(try clip.sharedBytes())
            }
            #expect(clips[0] == clips[1])
            let left = try FileManager.default.contentsOfDirectory(atPath: folder + "/imports")
            #expect(left.isEmpty)
        }
    }

    @Test func `what is too short, has nothing to see or cannot be decoded is refused`() async throws {
        try await withTemporaryFolder { folder in
            let short = try video("short.mp4", in: folder, seconds: 3)
            let sound = folder + "/sound.mp4"
            try Program.ffmpeg.run("-loglevel", "error", "-f", "lavfi", "-i", "sine=d=6", "-c:a", "aac", sound)
            let broken = folder + "/broken.mp4"
            let start = [0, 0, 0, 0x18] + Array("ftypisom".utf8)
            try Data(start + (0..<5000).map { UInt8(truncatingIfNeeded: $0 * 7) }).write(to: URL(filePath: broken))
            for (path, expected) in [(short, ImportError.tooShort), (sound, .notAClip), (broken, .notAClip)] {
                #expect(try importer(folder).isClip(at: path))
                await #expect(throws: expected) { try await importer(folder).importClip(at: path) }
            }
            let none = try PictureImporter(temporaryFolder: folder + "/imports", ffmpeg: folder + "/none")
            await #expect(throws: ImportError.toolMissing(program: folder + "/none", package: "ffmpeg")) {
                try await none.importClip(at: short)
            }
        }
    }

    @Test func `what is seen counts, and not what is heard`() async throws {
        try await withTemporaryFolder { folder in
            let input = ["-loglevel", "error", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=1", "-f", "lavfi", "-i"]
            let path = folder + "/heard.mp4"
            try Program.ffmpeg.run(input + ["sine=d=8", "-c:v", "libx264", "-c:a", "aac", path])
            await #expect(throws: ImportError.tooShort) { try await importer(folder).importClip(at: path) }
            let silent = folder + "/silent.mp4"
            let five = ["-loglevel", "error", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=5"]
            try Program.ffmpeg.run(five + ["-c:v", "libx264", silent])
            let clip = try await importer(folder).importClip(at: silent)
            defer { clip.discard() }
            #expect(clip.durationMilliseconds == 5000)
        }
    }

    @Test func `a list of other files is no video, and none of them is read`() async throws {
        try await withTemporaryFolder { folder in
            _ = try video("secret.mp4", in: folder, seconds: 6)
            let lists = ["#EXTM3U\n#EXTINF:6,\nsecret.mp4\n", "ffconcat version 1.0\nfile secret.mp4\n"]
            for (number, list) in lists.enumerated() {
                let path = "\(folder)/list\(number).mp4"
                try Data(list.utf8).write(to: URL(filePath: path))
                #expect(try !importer(folder).isClip(at: path))
                await #expect(throws: ImportError.notAClip) { try await importer(folder).importClip(at: path) }
            }
        }
    }

    /// Records a video of a moving picture with sound that says where it was taken.
    private func video(_ name: String, in folder: String, seconds: Int) throws -> String {
        let path = "\(folder)/\(name)"
        let isWebM = name.hasSuffix("webm")
        let input = ["-loglevel", "error", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25", "-f", "lavfi", "-i", "sine"]
        let codecs = isWebM ? ["-c:v", "libvpx", "-c:a", "libopus"] : ["-c:v", "libx264", "-c:a", "aac"]
        let place = ["-metadata", "location=\(Self.place)"]
        try Program.ffmpeg.run(input + ["-t", "\(seconds)"] + codecs + place + [path])
        return path
    }

    private func importer(_ folder: String) throws -> PictureImporter {
        try PictureImporter(temporaryFolder: folder + "/imports", timeZone: .gmt)
    }
}
