// SPDX-License-Identifier: Apache-2.0

import MingleModel

/// A box on a page, in the page's unit.
struct PosterBox {
    let x: Double
    let y: Double
    let width: Double
    let height: Double

    init(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
}

/// The elements of a page, as SVG.
struct PosterDrawing {
    enum Alignment: String {
        case start, middle
    }

    private static let ink = "#16202c"
    private static let families = (text: "Helvetica, Arial, sans-serif", fixed: "Courier, monospace")
    /// How far the first line's feet are below the top of its letters, in sizes.
    private static let ascent = 0.93

    private var elements: [String] = []

    /// Adds a text in the middle of a box's height, as large as it fits.
    mutating func add(
        _ text: String,
        in box: PosterBox,
        sizes: ClosedRange<Double>,
        face: FittedText.Face = .regular,
        _ alignment: Alignment = .start
    ) {
        let text = Self.shown(text)
        let fitted = FittedText(text, width: box.width, height: box.height, sizes: sizes, face: face)
        let height = Double(fitted.lines.count) * fitted.size * FittedText.leading
        let top = box.y + (box.height - height) / 2 + fitted.size * Self.ascent
        let x = alignment == .middle ? box.x + box.width / 2 : box.x
        let family = face == .fixed ? Self.families.fixed : Self.families.text
        for (index, line) in fitted.lines.enumerated() {
            let y = top + Double(index) * fitted.size * FittedText.leading
            elements.append(
                #"<text x="\#(Self.number(x))" y="\#(Self.number(y))" font-size="\#(Self.number(fitted.size))" "#
                    + #"font-family="\#(family)" font-weight="\#(face == .regular ? "normal" : "bold")" "#
                    + #"text-anchor="\#(alignment.rawValue)" fill="\#(Self.ink)">\#(Self.escaped(line))</text>"#
            )
        }
    }

    /// Adds a code with its quiet zone in the upper left of a box as a square of the box's width.
    mutating func add(_ code: QRCode, in box: PosterBox) {
        let scale = box.width / Double(code.size)
        elements.append(
            #"<path fill="black" shape-rendering="crispEdges" transform="translate(\#(Self.number(box.x)) "#
                + #"\#(Self.number(box.y))) scale(\#(Self.number(scale)))" d="\#(code.path)"/>"#
        )
    }

    /// Adds a step's number, in a disc at the left of a box.
    mutating func add(step: Int, in box: PosterBox) {
        let radius = box.height / 2
        let (x, y) = (Self.number(box.x + radius), Self.number(box.y + radius))
        let foot = Self.number(box.y + radius * 1.36)
        elements.append(
            #"<circle cx="\#(x)" cy="\#(y)" r="\#(Self.number(radius))" fill="\#(Self.ink)"/>"#
                + #"<text x="\#(x)" y="\#(foot)" font-size="\#(Self.number(radius * 1.1))" "#
                + #"font-family="\#(Self.families.text)" font-weight="bold" text-anchor="middle" fill="white">\#(step)</text>"#
        )
    }

    /// Adds a line across the page.
    mutating func addLine(y: Double, from start: Double, to end: Double) {
        elements.append(
            #"<path stroke="\#(Self.ink)" stroke-width="0.4" "#
                + #"d="M\#(Self.number(start)) \#(Self.number(y))H\#(Self.number(end))"/>"#
        )
    }

    /// The page.
    ///
    /// - Parameters:
    ///   - millimetres: The size of the paper.
    ///   - width: The page's width in the unit of its boxes.
    func svg(millimetres: (width: Int, height: Int), width: Double) -> String {
        let height = Self.number(width * Double(millimetres.height) / Double(millimetres.width))
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(millimetres.width)mm" height="\(millimetres.height)mm" \
            viewBox="0 0 \(Self.number(width)) \(height)" xml:space="preserve">\
            <path fill="#fff" d="M0 0h\(Self.number(width))v\(height)H0z"/>\(elements.joined())</svg>
            """
    }

    /// A text without what turns lines round, and without what no XML may contain (XML 1.0, 2.2).
    private static func shown(_ text: String) -> String {
        String(String.UnicodeScalarView(text.printable().unicodeScalars.filter { $0.value & 0xfffe != 0xfffe }))
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    private static func number(_ value: Double) -> String {
        let rounded = (value * 10_000).rounded() / 10_000
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }
}
