// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleMedia
import Testing

/// The folder of the pictures, if there is one.
private let sampleFolder = ProcessInfo.processInfo.environment["MINGLE_PICTURES"]

/// Pictures of a folder outside, as `Tests/Pictures/check` gives them: what is shared of each is written beside them.
@Suite(.enabled(if: sampleFolder != nil, "Tests/Pictures/check names the pictures"))
struct SamplePictureTests {
    @Test func `pictures are imported as a node imports them`() async throws {
        let source = try #require(sampleFolder)
        let target = try #require(ProcessInfo.processInfo.environment["MINGLE_PICTURES_SHARED"])
        let importer = try PictureImporter(temporaryFolder: target + "/imports", timeZone: .gmt)
        for name in try FileManager.default.contentsOfDirectory(atPath: source).sorted() {
            var said: [String: String] = [:]
            do {
                let picture = try await importer.importPicture(at: "\(source)/\(name)", keepLocation: false)
                defer { picture.discard() }
                let shared = URL(filePath: "\(target)/\(name).shared.\(picture.format.fileExtension)")
                try Data(contentsOf: URL(filePath: picture.sharedPath)).write(to: shared)
                try Data(picture.preview).write(to: URL(filePath: "\(target)/\(name).preview.jpg"))
                said = ["shared": shared.lastPathComponent, "size": "\(picture.width)x\(picture.height)"]
                said["taken"] = picture.takenMilliseconds.map { "\($0)" }
            } catch {
                said["refused"] = "\(error)"
            }
            try JSONEncoder().encode(said).write(to: URL(filePath: "\(target)/\(name).json"))
        }
    }
}
