// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleMedia
import Testing

/// Files of items with real pixels, from the file to what is shown and shared.
@Suite(.enabled(if: Program.vips.isInstalled, "needs libvips-tools"), .timeLimit(.minutes(2)))
struct HEIFImportTests {
    @Test(arguments: 1...8)
    func `a picture that only EXIF turns is upright in the preview and in what is shared`(orientation: Int) async throws
    {
        try await withTemporaryFolder { folder in
            let drawing = Drawing(folder: folder)
            var sample = try coded(drawing, orientation: orientation)
            sample.items.append(HEIFSample.exif(3, ExifSample(orientation: orientation)))
            let picture = try await importPicture(sample, folder)
            #expect(
                picture.width == Drawing.width && picture.height == Drawing.height && picture.format == .picture(.heic)
            )
            #expect(try drawing.isUpright(picture.preview) && drawing.isUpright(picture.thumbnail))
            // The decoder turns by the file's own properties, since its EXIF data does not.
            #expect(try drawing.isUpright(drawing.bytes(picture.sharedPath), as: "shared.heic"))
        }
    }

    @Test func `what lies outside a crop is not in what is shared`() async throws {
        try await withTemporaryFolder { folder in
            let drawing = Drawing(folder: folder)
            var sample = try coded(drawing, scale: 2)
            sample.items[0].properties.append(HEIFSample.crop(96, 64))
            sample.items.append(HEIFSample.exif(3))
            let picture = try await importPicture(sample, folder)
            #expect(picture.format == .picture(.jpeg) && picture.width == 96 && picture.height == 64)
            #expect(try drawing.pixels(picture.sharedPath).count == 96 * 64 * 3)
            #expect(try drawing.isUpright(picture.preview) && drawing.isUpright(drawing.bytes(picture.sharedPath)))
            #expect(picture.takenMilliseconds == 1_717_173_005_250 && picture.coordinates == nil)
        }
    }

    @Test func `a picture that lies over another is shared as it is seen`() async throws {
        try await withTemporaryFolder { folder in
            let drawing = Drawing(folder: folder)
            var sample = try coded(drawing)
            sample.items[0].type = "iovl"
            let canvas = HEIFSample.big(96, 2) + HEIFSample.big(64, 2)
            sample.items[0].data = [0, 0] + [UInt8](repeating: 255, count: 8) + canvas + HEIFSample.big(0, 8)
            sample.references = [("dimg", 1, [2, 2])]
            let picture = try await importPicture(sample, folder)
            #expect(picture.format == .picture(.jpeg))
            #expect(try drawing.isUpright(picture.preview) && drawing.isUpright(drawing.bytes(picture.sharedPath)))
        }
    }

    @Test func `a JPEG with all pixels is made of what was shared`() async throws {
        try await withTemporaryFolder { folder in
            let drawing = Drawing(folder: folder)
            var sample = try coded(drawing, scale: 20)
            sample.items.append(HEIFSample.exif(3))
            let importer = try PictureImporter(temporaryFolder: folder + "/imports", timeZone: .gmt)
            let shared = try StrippedPicture(sample.bytes, keepingLocation: true).bytes
            let full = try await importer.fullSize(of: shared)
            let again = try StrippedPicture(full, keepingLocation: true)
            #expect(again.format == .jpeg && again.width == 1920 && again.height == 1280)
            #expect(again.taken == nil && again.coordinates == nil && again.bytes == full)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/imports") == [])
        }
    }

    /// A grid of one tile, which is the drawing as libvips codes it.
    private func coded(_ drawing: Drawing, orientation: Int = 1, scale: Int = 1) throws -> HEIFSample {
        let path = try drawing.write("coded.heic", orientation: orientation, options: "[Q=90,strip]", scale: scale)
        let file = try drawing.bytes(path)
        func box(_ type: String) throws -> [UInt8] {
            let start = try #require(file.firstRange(of: Array(type.utf8))).lowerBound - 4
            return Array(file[start..<(start + file[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) })])
        }
        let (width, height) = orientation > 4 ? (Drawing.height, Drawing.width) : (Drawing.width, Drawing.height)
        var sample = HEIFSample.grid(1, 1, width: width * scale, height: height * scale)
        sample.items[1].data = Array(try box("mdat").dropFirst(8))
        sample.items[1].properties = [try box("hvcC"), try box("ispe")]
        return sample
    }

    private func importPicture(_ sample: HEIFSample, _ folder: String) async throws -> ImportedPicture {
        let path = folder + "/chosen"
        try Data(sample.bytes).write(to: URL(filePath: path))
        return try await PictureImporter(temporaryFolder: folder + "/imports", timeZone: .gmt)
            .importPicture(at: path, keepLocation: false)
    }
}
