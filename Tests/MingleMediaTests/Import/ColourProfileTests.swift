// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleMedia
import Testing

/// Colour profiles in every format that has them: what turns numbers into colours is shared, and nothing else.
@Suite(.enabled(if: Program.vips.isInstalled, "needs libvips-tools"), .timeLimit(.minutes(2)))
struct ColourProfileTests {
    @Test(arguments: ["p3.jpg", "p3.png", "p3.webp", "p3.heic"])
    func `a profile keeps its colours, and no owner, serial number, date or private tag`(name: String) async throws {
        try await withTemporaryFolder { folder in
            let drawing = Drawing(folder: folder)
            let plain = try drawing.write("plain.png")
            let told = folder + "/told.icc"
            try Data(telling(try profile("p3", folder))).write(to: URL(filePath: told))
            let path = "\(folder)/\(name)"
            let options = name.hasSuffix("png") ? "" : name.hasSuffix("webp") ? "[lossless]" : "[Q=95]"
            try Program.vips.run("icc_transform", plain, path + options, told, "--input-profile", "srgb")
            let importer = try PictureImporter(temporaryFolder: folder + "/imports", timeZone: .gmt)
            let picture = try await importer.importPicture(at: path, keepLocation: false)
            #expect(try drawing.isUpright(picture.preview))
            let shared = try profile(of: picture.sharedPath, folder)
            for word in ["SECRET", "mmod", "S\0E\0C", "\0S\0E\0C\0R"] { #expect(!shared.holds(Array(word.utf8))) }
            #expect(shared.holds(Array("rXYZ".utf8)) && shared.count < 1000)
            // The colours are equal to the last bit.
            #expect(try drawing.colours(picture.sharedPath) == drawing.colours(path))
        }
    }

    @Test(arguments: [0, 1, 50, 127, 140])
    func `a profile that no decoder can use is not shared`(length: Int) throws {
        try withTemporaryFolder { folder in
            let profile = Array(try profile("p3", folder).prefix(length))
            let content = Array("ICC_PROFILE\0".utf8) + [1, 1] + profile
            let segment = [0xFF, 0xE2, 0, UInt8(content.count + 2)] + content
            let whole = PictureSample.file(.jpeg)
            let file = Array(whole[..<2]) + segment + whole[2...]
            let shared = try StrippedPicture(file, keepingLocation: false)
            #expect(!shared.bytes.holds(Array("ICC_PROFILE".utf8)) && !shared.hasUnusualColours)
        }
    }

    /// A profile that libvips has.
    private func profile(_ name: String, _ folder: String) throws -> [UInt8] {
        let (plain, converted) = (folder + "/black.v", folder + "/converted.v")
        try Program.vips.run("black", plain, "8", "8", "--bands", "3")
        try Program.vips.run("icc_transform", plain, converted, name, "--input-profile", "srgb")
        return try profile(of: converted, folder)
    }

    private func profile(of picture: String, _ folder: String) throws -> [UInt8] {
        let pixels = folder + "/told.v"
        try Program.vips.run("copy", picture, pixels)
        let text = try Program.vipsheader.run("-f", "icc-profile-data", pixels)
        return try Array(#require(Data(base64Encoded: text.filter { !$0.isWhitespace })))
    }

    /// Adds to a profile what Apple's displays tell: who owns them, which of them it is, and when it was measured.
    private func telling(_ profile: [UInt8]) -> [UInt8] {
        func big(_ value: Int) -> [UInt8] { HEIFSample.big(value, 4) }
        let count = profile[128..<132].reduce(0) { $0 << 8 | Int($1) }
        let secret = PictureSample.secret
        let values: [(String, [UInt8])] = [
            ("mmod", Array("mmod".utf8) + big(0) + secret), ("dmdd", Array("text".utf8) + big(0) + secret + [0]),
            ("vcgt", Array("vcgt".utf8) + big(0) + secret),
        ]
        let shift = 12 * values.count
        var table: [UInt8] = []
        for entry in 0..<count {
            let place = 132 + 12 * entry
            let start = profile[(place + 4)..<(place + 8)].reduce(0) { $0 << 8 | Int($1) }
            table += profile[place..<(place + 4)] + big(start + shift) + profile[(place + 8)..<(place + 12)]
        }
        var rest = Array(profile[(132 + 12 * count)...])
        for (tag, value) in values {
            table += Array(tag.utf8) + big(132 + 12 * (count + values.count) + rest.count) + big(value.count)
            rest += value + [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
        }
        var head = Array(profile[..<128])
        head.replaceSubrange(48..<52, with: Array("SECR".utf8))
        let whole = head + big(count + values.count) + table + rest
        return big(whole.count) + whole[4...]
    }
}
