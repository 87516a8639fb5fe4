// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleMedia
import Testing

@Suite(.enabled(if: Program.vips.isInstalled, "needs libvips-tools"), .timeLimit(.minutes(2)))
struct PictureImporterTests {
    @Test(arguments: 1...8)
    func `a picture is shown upright however the camera was held`(orientation: Int) async throws {
        try await withTemporaryFolder { folder in
            let drawing = Drawing(folder: folder)
            let path = try drawing.writeJPEG("held.jpg", exif: ExifSample(orientation: orientation))
            let picture = try await importPicture(path, folder)
            #expect(picture.width == Drawing.width && picture.height == Drawing.height)
            #expect(try drawing.isUpright(picture.preview) && drawing.isUpright(picture.thumbnail))
        }
    }

    @Test(arguments: [
        ("a.png", ""), ("a.webp", "[lossless]"), ("a.gif", ""), ("a.heic", "[Q=90]"), ("a.avif", "[Q=90]"),
        ("a.jpg", "[Q=95]"),
    ])
    func `every format is shown, and its pixels are shared as they are`(name: String, options: String) async throws {
        try await withTemporaryFolder { folder in
            let drawing = Drawing(folder: folder)
            let path = try drawing.write(name, options: options)
            let picture = try await importPicture(path, folder)
            #expect(picture.width == Drawing.width && picture.height == Drawing.height)
            #expect(try drawing.isUpright(picture.preview) && drawing.isUpright(picture.thumbnail))
            #expect(picture.sharedPath.hasSuffix(picture.format.fileExtension))
            #expect(try drawing.pixels(picture.sharedPath) == drawing.pixels(path))
            #expect(picture.takenMilliseconds == nil && picture.coordinates == nil)
        }
    }

    @Test(
        .enabled(if: Program.exiftool.isInstalled, "needs libimage-exiftool-perl"),
        arguments: ["jpg", "heic", "webp"]
    )
    func `ExifTool finds no location, serial number or name in what is shared`(type: String) async throws {
        try await withTemporaryFolder { folder in
            let drawing = Drawing(folder: folder)
            var path = try drawing.writeJPEG("told.jpg", exif: ExifSample())
            try Program.exiftool.run("-q", "-overwrite_original", "-XMP:GPSLatitude=1.5", "-XMP:Creator=SECRET", path)
            if type != "jpg" {
                try Program.vips.run("copy", path, "\(folder)/told.\(type)")
                path = "\(folder)/told.\(type)"
            }
            #expect(try Program.exiftool.run("-a", "-G1", path).contains("GPS Latitude"))
            let picture = try await importPicture(path, folder)
            let found = try Program.exiftool.run(
                "-a",
                "-ee",
                "-u",
                "-G1",
                "-api",
                "LargeFileSupport=1",
                picture.sharedPath
            )
            for word in ["GPS", "SECRET", "Serial", "Maker", "Owner", "XMP-"] { #expect(!found.contains(word)) }
            #expect(found.contains("Snap 1") && found.contains("2024:05:31 18:30:05"))
            #expect(picture.takenMilliseconds == 1_717_173_005_250)
            #expect(try drawing.pixels(picture.sharedPath) == drawing.pixels(path))
        }
    }

    @Test func `a colour profile is kept in the original and applied in the renditions`() async throws {
        try await withTemporaryFolder { folder in
            let drawing = Drawing(folder: folder)
            let plain = try drawing.write("plain.png")
            try Program.vips.run("icc_transform", plain, "\(folder)/p3.jpg[Q=95]", "p3", "--input-profile", "srgb")
            let picture = try await importPicture("\(folder)/p3.jpg", folder)
            #expect(try drawing.bytes(picture.sharedPath).holds(Array("ICC_PROFILE".utf8)))
            #expect(!picture.preview.holds(Array("ICC_PROFILE".utf8)))
            #expect(try drawing.isUpright(picture.preview))
        }
    }

    @Test func `renditions fit their frames and small pictures are not enlarged`() async throws {
        try await withTemporaryFolder { folder in
            let drawing = Drawing(folder: folder)
            let picture = try await importPicture(try drawing.write("large.jpg", scale: 20), folder)
            #expect(picture.width == 1920 && picture.height == 1280)
            let preview = try StrippedPicture(picture.preview, keepingLocation: false)
            let thumbnail = try StrippedPicture(picture.thumbnail, keepingLocation: false)
            #expect(preview.width == 1440 && preview.height == 960)
            #expect(thumbnail.width == 320 && thumbnail.height == 213)
        }
    }

    @Test func `a location is kept only when the person wishes`() async throws {
        try await withTemporaryFolder { folder in
            let path = try Drawing(folder: folder).writeJPEG("here.jpg", exif: ExifSample())
            #expect(try await importPicture(path, folder).coordinates == nil)
            let coordinates = try #require(try await importPicture(path, folder, keepLocation: true).coordinates)
            #expect(abs(coordinates.latitude + 33.8566667) < 1e-6)
        }
    }

    @Test(arguments: ["jpg", "png", "webp", "gif", "heic", "avif"])
    func `a picture cut short is refused and leaves nothing behind`(type: String) async throws {
        try await withTemporaryFolder { folder in
            let path = try Drawing(folder: folder).write("whole.\(type)", scale: 4)
            let whole = try Data(contentsOf: URL(filePath: path))
            try whole.prefix(whole.count * 2 / 3).write(to: URL(filePath: path))
            await #expect(throws: ImportError.cutShort) { try await importPicture(path, folder) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/imports") == [])
        }
    }

    // Not GIF: almost any bytes make a picture under its compression.
    @Test(arguments: PictureFormat.allCases.filter { $0 != .gif })
    func `a file whose structure is whole but whose pixels are none is refused by the decoder`(
        format: PictureFormat
    ) async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/hollow"
            try Data(PictureSample.file(format)).write(to: URL(filePath: path))
            let error = try #require(await #expect(throws: ImportError.self) { try await importPicture(path, folder) })
            // A person is told neither paths nor words of libraries.
            for word in ["/", "vips", "original", "load", "error"] { #expect(!error.description.contains(word)) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/imports") == [])
        }
    }

    @Test func `limits on size, time and memory are kept`() async throws {
        try await withTemporaryFolder { folder in
            let path = try Drawing(folder: folder).write("costly.png", scale: 8)
            var limits = ImportLimits()
            limits.wallTime = .milliseconds(1)
            await #expect(throws: ImportError.timedOut) { try await importPicture(path, folder, limits: limits) }
            limits = ImportLimits()
            limits.pictureBytes = 100
            await #expect(throws: ImportError.tooLarge("0 MiB, and the limit is 0 MiB")) {
                try await importPicture(path, folder, limits: limits)
            }
            limits = ImportLimits()
            limits.memory = 16 << 20
            await #expect(throws: ImportError.self) { try await importPicture(path, folder, limits: limits) }
        }
    }

    @Test func `a missing file or program is named`() async throws {
        try await withTemporaryFolder { folder in
            await #expect(throws: ImportError.self) { try await importPicture(folder + "/none.jpg", folder) }
            let path = try Drawing(folder: folder).write("a.jpg")
            let importer = try PictureImporter(temporaryFolder: folder + "/imports", vips: "/nowhere/vips")
            await #expect(throws: ImportError.toolMissing(program: "/nowhere/vips", package: "libvips-tools")) {
                try await importer.importPicture(at: path, keepLocation: false)
            }
        }
    }

    @Test func `temporary files go when the import is discarded or was killed`() async throws {
        try await withTemporaryFolder { folder in
            let path = try Drawing(folder: folder).write("a.jpg")
            let picture = try await importPicture(path, folder)
            #expect(FileManager.default.fileExists(atPath: picture.sharedPath))
            picture.discard()
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/imports") == [])
            _ = try await importPicture(path, folder)
            _ = try PictureImporter(temporaryFolder: folder + "/imports")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/imports") == [])
        }
    }

    @Test func `a picture of which the decoder complains without end is damaged like any other`() async throws {
        try await withTemporaryFolder { folder in
            let path = try Drawing(folder: folder).write("odd.png")
            let program = folder + "/talker"
            let script = "#!/bin/sh\nyes 'odd pixels' | head -c 200000 >&2\nexit 1\n"
            try Data(script.utf8).write(to: URL(filePath: program))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
            let importer = try PictureImporter(temporaryFolder: folder + "/imports", timeZone: .gmt, vips: program)
            await #expect(throws: ImportError.damaged("its pixels cannot be decoded")) {
                try await importer.importPicture(at: path, keepLocation: false)
            }
        }
    }

    @discardableResult
    private func importPicture(
        _ path: String,
        _ folder: String,
        keepLocation: Bool = false,
        limits: ImportLimits = ImportLimits()
    ) async throws -> ImportedPicture {
        try await PictureImporter(temporaryFolder: folder + "/imports", timeZone: .gmt, limits: limits)
            .importPicture(at: path, keepLocation: keepLocation)
    }
}
