// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The text as XML 1.0 and HTML have it, in an element or in an attribute in quotes.
    ///
    /// Characters that XML does not allow become U+FFFD.
    var escapedForMarkup: String {
        var escaped = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar {
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
            case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
            default: escaped.append(scalar.isInXML ? scalar : "\u{fffd}")
            }
        }
        return String(escaped)
    }

    /// A path as a relative address (RFC 3986): everything but unreserved characters and slashes is percent-encoded.
    var asRelativeAddress: String {
        utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
            if isPlain || "-._~/".unicodeScalars.contains(scalar) { return String(scalar) }
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (digits.count == 1 ? "0" : "") + digits
        }.joined()
    }
}

extension Unicode.Scalar {
    /// Whether XML 1.0 allows the character (section 2.2).
    fileprivate var isInXML: Bool {
        switch value {
        case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}
