// SPDX-License-Identifier: Apache-2.0

import MingleModel

/// What is known of a photo, as a file beside it that photo programs read (XMP specification, part 1; Dublin Core).
struct XMPSidecar {
    /// What is said of the photo; empty: nothing.
    var caption = ""
    var author: String
    /// The photo's media type.
    var type: String
    /// When it was taken, as RFC 3339 has it; nil where its camera did not say.
    var taken: String?
    /// Where it was taken, in 1e-7 degrees, if its author kept that.
    var position: (latitude: Int64, longitude: Int64)?

    /// The whole file.
    var text: String {
        let properties = [
            "<dc:format>\(type.escapedForMarkup)</dc:format>",
            Self.list("dc:creator", "Seq", [author]),
            Self.alternative("dc:title", caption),
            Self.alternative("dc:description", caption),
            Self.list("dc:subject", "Bag", tags),
            taken.map { "<xmp:CreateDate>\($0.escapedForMarkup)</xmp:CreateDate>" },
            position.map { "<exif:GPSLatitude>\(Self.angle($0.latitude, "N", "S"))</exif:GPSLatitude>" },
            position.map { "<exif:GPSLongitude>\(Self.angle($0.longitude, "E", "W"))</exif:GPSLongitude>" },
        ].compactMap(\.self)
        return """
            <?xpacket begin="\u{feff}" id="W5M0MpCehiHzreSzNTczkc9d"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/">
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
             xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:exif="http://ns.adobe.com/exif/1.0/">
            \(properties.joined(separator: "\n"))
            </rdf:Description>
            </rdf:RDF>
            </x:xmpmeta>
            <?xpacket end="w"?>

            """
    }

    /// The tags of the caption, without their signs.
    private var tags: [String] {
        FoldedWords.words(of: caption).filter { $0.hasPrefix("#") }.map { String($0.dropFirst()) }
    }

    private static func list(_ name: String, _ form: String, _ items: [String]) -> String? {
        if items.isEmpty { return nil }
        let lines = items.map { "<rdf:li>\($0.escapedForMarkup)</rdf:li>" }.joined()
        return "<\(name)><rdf:\(form)>\(lines)</rdf:\(form)></\(name)>"
    }

    private static func alternative(_ name: String, _ text: String) -> String? {
        if text.isEmpty { return nil }
        return "<\(name)><rdf:Alt><rdf:li xml:lang=\"x-default\">\(text.escapedForMarkup)</rdf:li></rdf:Alt></\(name)>"
    }

    /// Degrees, minutes and the half of the globe: `40,24.930000N`.
    private static func angle(_ parts: Int64, _ positive: String, _ negative: String) -> String {
        let (degrees, rest) = abs(parts).quotientAndRemainder(dividingBy: Int64(Position.partsPerDegree))
        let (minutes, fraction) = (rest * 6).quotientAndRemainder(dividingBy: 1_000_000)
        let digits = String(fraction)
        let padded = String(repeating: "0", count: 6 - digits.count) + digits
        return "\(degrees),\(minutes).\(padded)\(parts < 0 ? negative : positive)"
    }
}
