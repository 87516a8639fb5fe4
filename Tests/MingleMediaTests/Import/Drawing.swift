// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Real pictures, drawn here and encoded by libvips: 96 by 64 pixels, each quarter in a colour of its own.
struct Drawing {
    static let width = 96
    static let height = 64
    /// Upper left, upper right, lower left, lower right.
    static let colours: [[UInt8]] = [[200, 30, 30], [30, 200, 30], [30, 30, 200], [200, 200, 30]]

    let folder: String

    /// The colour of the upright picture at a place.
    private static func colour(_ column: Int, _ row: Int) -> [UInt8] {
        colours[(row < height / 2 ? 0 : 2) + (column < width / 2 ? 0 : 1)]
    }

    /// Where the upright picture's pixel stands in pixels stored with an EXIF orientation: TIFF 6.0, tag 274.
    private static func upright(_ column: Int, _ row: Int, _ orientation: Int) -> (column: Int, row: Int) {
        let (right, bottom) = (width - 1, height - 1)
        return switch orientation {
        case 2: (right - column, row)
        case 3: (right - column, bottom - row)
        case 4: (column, bottom - row)
        case 5: (row, column)
        case 6: (right - row, column)
        case 7: (right - row, bottom - column)
        case 8: (row, bottom - column)
        default: (column, row)
        }
    }

    /// Writes the picture as a file that `options` and the extension of `name` describe, and returns its path.
    func write(_ name: String, orientation: Int = 1, options: String = "", scale: Int = 1) throws -> String {
        let turns = orientation > 4
        let (width, height) = turns ? (Self.height, Self.width) : (Self.width, Self.height)
        var pixels = Array("P6\n\(width) \(height)\n255\n".utf8)
        for row in 0..<height {
            for column in 0..<width {
                let place = Self.upright(column, row, orientation)
                pixels += Self.colour(place.column, place.row)
            }
        }
        let source = "\(folder)/\(UUID().uuidString).ppm"
        try Data(pixels).write(to: URL(filePath: source))
        try Program.vips.run("zoom", source, "\(folder)/\(name)\(options)", "\(scale)", "\(scale)")
        return "\(folder)/\(name)"
    }

    /// Writes a JPEG with EXIF data in front.
    func writeJPEG(_ name: String, exif: ExifSample, options: String = "[Q=95]", scale: Int = 1) throws -> String {
        let path = try write(name, orientation: exif.orientation, options: options, scale: scale)
        let plain = try bytes(path)
        let content = Array("Exif\0\0".utf8) + exif.bytes
        let length = content.count + 2
        let segment = [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + content
        try Data(plain[..<2] + segment + plain[2...]).write(to: URL(filePath: path))
        return path
    }

    /// The decoded pixels of a file, with none of its metadata applied.
    func pixels(_ path: String) throws -> [UInt8] {
        let raw = "\(folder)/\(UUID().uuidString).raw"
        try Program.vips.run("rawsave", path, raw)
        return try bytes(raw)
    }

    /// The colours of a file's pixels in sRGB, through its profile.
    func colours(_ path: String) throws -> [UInt8] {
        let (converted, raw) = ("\(folder)/\(UUID().uuidString).v", "\(folder)/\(UUID().uuidString).raw")
        try Program.vips.run("icc_transform", path, converted, "srgb", "--embedded")
        try Program.vips.run("rawsave", converted, raw)
        return try bytes(raw)
    }

    /// Whether an encoded rendition shows the picture upright, in its colours.
    func isUpright(_ rendition: [UInt8], as name: String = "\(UUID().uuidString).jpg") throws -> Bool {
        let path = "\(folder)/\(name)"
        try Data(rendition).write(to: URL(filePath: path))
        let pixels = try pixels(path)
        guard pixels.count == Self.width * Self.height * 3 else { return false }
        return [(20, 15), (75, 15), (20, 48), (75, 48)].allSatisfy { column, row in
            let place = 3 * (row * Self.width + column)
            return zip(pixels[place..<(place + 3)], Self.colour(column, row)).allSatisfy { abs(Int($0) - Int($1)) < 24 }
        }
    }

    func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }
}
