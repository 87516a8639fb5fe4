// SPDX-License-Identifier: Apache-2.0

import MingleMedia

/// Files that follow their formats' structure, with something personal wherever metadata can stand.
///
/// The coded pixels are only a word: nothing here is decoded.
enum PictureSample {
    static let pixels = Array("PIXELS".utf8)
    static let secret = Array(ExifSample.secret.utf8)

    /// A sample of `format` that claims a size.
    static func file(
        _ format: PictureFormat,
        width: Int = 40,
        height: Int = 30,
        exif: [UInt8] = ExifSample().bytes,
        xmp: String = ""
    ) -> [UInt8] {
        switch format {
        case .jpeg: jpeg(width, height, exif, xmp)
        case .png: png(width, height, exif)
        case .webp: webp(width, height, exif)
        case .gif: gif(width, height)
        case .heic, .avif: heif(format, width, height, exif)
        }
    }

    private static func jpeg(_ width: Int, _ height: Int, _ exif: [UInt8], _ xmp: String) -> [UInt8] {
        func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
            [0xFF, marker] + big(content.count + 2, 2) + content
        }
        let start: [UInt8] = [0xFF, 0xD8] + segment(0xE0, Array("JFIF\0".utf8) + [1, 2, 0, 0, 1, 0, 1, 0, 0])
        let metadata =
            segment(0xE1, Array("Exif\0\0".utf8) + exif)
            + segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0\(xmp)".utf8) + secret)
            + segment(0xE2, Array("MPF\0".utf8) + secret) + segment(0xED, secret) + segment(0xFE, secret)
        let frame = segment(0xC0, [8] + big(height, 2) + big(width, 2) + [1, 1, 0x11, 0])
        let scan = segment(0xDA, [1, 1, 0, 0, 63, 0]) + pixels + [0xFF, 0, 1, 0xFF, 0xD0, 2]
        return start + metadata + frame + scan + [0xFF, 0xD9] + secret
    }

    private static func png(_ width: Int, _ height: Int, _ exif: [UInt8]) -> [UInt8] {
        func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
            big(content.count, 4) + Array(type.utf8) + content + [0, 0, 0, 0]
        }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", big(width, 4) + big(height, 4) + [8, 2, 0, 0, 0])
            + chunk("tEXt", secret) + chunk("iTXt", secret) + chunk("eXIf", exif) + chunk("prVt", secret)
            + chunk("IDAT", pixels) + chunk("IEND", []) + secret
    }

    private static func webp(_ width: Int, _ height: Int, _ exif: [UInt8]) -> [UInt8] {
        func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
            Array(type.utf8) + little(content.count, 4) + content + (content.count % 2 == 1 ? [0] : [])
        }
        let chunks =
            chunk("VP8X", [0x0C, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3)) + chunk("VP8L", pixels + [9])
            + chunk("EXIF", exif) + chunk("XMP ", secret) + chunk("PRIV", secret)
        return Array("RIFF".utf8) + little(4 + chunks.count, 4) + Array("WEBP".utf8) + chunks + secret
    }

    private static func gif(_ width: Int, _ height: Int) -> [UInt8] {
        func blocks(_ content: [UInt8]) -> [UInt8] { [UInt8(content.count)] + content + [0] }
        let head =
            Array("GIF89a".utf8) + little(width, 2) + little(height, 2) + [0x80, 0, 0] + [UInt8](repeating: 5, count: 6)
        let loop = [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + blocks([1, 0, 0])
        let xmp = [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8) + blocks(secret)
        let image = [0x2C, 0, 0, 0, 0] + little(width, 2) + little(height, 2) + [0, 2] + blocks(pixels)
        return head + loop + xmp + [0x21, 0xFE] + blocks(secret) + [0x21, 0xF9] + blocks([0, 1, 0, 0]) + image + [0x3B]
            + secret
    }

    /// Item 1 is the picture, a quarter turned; 2 is EXIF, 3 is XMP, and between them lies what no item names.
    private static func heif(_ format: PictureFormat, _ width: Int, _ height: Int, _ exif: [UInt8]) -> [UInt8] {
        let size = HEIFSample.size(width, height)
        let turn = HEIFSample.box("irot", [1])
        let picture =
            format == .heic
            ? HEIFSample.Item(
                id: 1,
                type: "hvc1",
                data: HEIFSample.slice(pixels),
                properties: [HEIFSample.configuration, size, turn]
            )
            : HEIFSample.Item(
                id: 1,
                type: "av01",
                data: HEIFSample.frame(pixels),
                properties: [HEIFSample.box("av1C", [0x81, 0, 0, 0] + secret), size, turn]
            )
        let more = [
            HEIFSample.Item(id: 2, type: "Exif", data: [0, 0, 0, 0] + exif),
            HEIFSample.Item(id: 3, type: "mime", data: secret, mediaType: "application/rdf+xml"),
        ]
        var sample = HEIFSample(items: [picture] + more)
        sample.brands = format == .heic ? ["heic", "mif1", "heic"] : ["avif", "mif1", "avif"]
        sample.references = [("cdsc", 2, [1]), ("cdsc", 3, [1])]
        sample.more = HEIFSample.box("uuid", secret)
        return sample.bytes + HEIFSample.box("mpvd", secret)
    }

    private static func big(_ value: Int, _ count: Int) -> [UInt8] { little(value, count).reversed() }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}

extension [UInt8] {
    /// Whether `part` stands anywhere in the bytes.
    func holds(_ part: [UInt8]) -> Bool {
        indices.contains { self[$0] == part.first && self[$0...].starts(with: part) }
    }
}
