// SPDX-License-Identifier: Apache-2.0

import CQREncode
import MingleAPI
import MingleNode

/// A QR code (ISO/IEC 18004), as a picture for the web and as text for a terminal.
package struct QRCode {
    /// How many modules there are on each side.
    package let width: Int
    private let modules: [Bool]
    private static let quietZone = 4
    /// Bytes of a text of which a code is small.
    private static let smallLength = 60

    /// Encodes a text of at most 2 000 bytes.
    package init(_ text: String) throws {
        guard !text.isEmpty else { throw API.Problem(.badRequest, "There is no text for a QR code.") }
        guard text.utf8.count <= 2000,
            // Capitals and digits take fewer modules; a small code has room for more damage.
            let code = unsafe QRcode_encodeString(
                text,
                0,
                text.utf8.count <= Self.smallLength ? QR_ECLEVEL_M : QR_ECLEVEL_L,
                QR_MODE_8,
                1
            )
        else { throw API.Problem(.tooLarge, "The text is too long for a QR code.") }
        defer { unsafe QRcode_free(code) }
        let width = unsafe Int(code.pointee.width)
        self.width = width
        modules = (0..<(width * width)).map { unsafe code.pointee.data[$0] & 1 == 1 }
    }

    /// Whether the module at a place is dark; the quiet zone around the code is light.
    private func isDark(_ row: Int, _ column: Int) -> Bool {
        (0..<width).contains(row) && (0..<width).contains(column) && modules[row * width + column]
    }

    /// How many modules there are on each side with the quiet zone.
    var size: Int { width + 2 * Self.quietZone }

    /// The dark modules as a path of SVG, in a square of ``size`` units.
    var path: String {
        var path = ""
        for row in 0..<width {
            for column in 0..<width where isDark(row, column) {
                path += "M\(column + Self.quietZone) \(row + Self.quietZone)h1v1h-1z"
            }
        }
        return path
    }

    /// The code as a scalable picture with its quiet zone.
    package var svg: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size) \(size)" shape-rendering="crispEdges">\
        <path fill="#fff" d="M0 0h\(size)v\(size)H0z"/><path d="\(path)"/></svg>
        """
    }

    /// The code for a terminal with a dark background: two modules in each character.
    package var terminalText: String {
        let range = -Self.quietZone / 2..<(width + Self.quietZone / 2)
        return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
            range.map { column in
                switch (isDark(row, column), row + 1 < range.upperBound && isDark(row + 1, column)) {
                case (false, false): "█"
                case (false, true): "▀"
                case (true, false): "▄"
                case (true, true): " "
                }
            }.joined()
        }.joined(separator: "\n")
    }
}
