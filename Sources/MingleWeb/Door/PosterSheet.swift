// SPDX-License-Identifier: Apache-2.0

package import MingleAPI

/// A page to print, for a wall or a table, that says in three steps how phones take part.
package struct PosterSheet: Equatable, Sendable {
    /// A size of paper, upright.
    package enum Size: String, CaseIterable, Sendable {
        /// A poster.
        case a4
        /// A card for a table.
        case a6

        var millimetres: (width: Int, height: Int) {
            switch self {
            case .a4: (210, 297)
            case .a6: (105, 148)
            }
        }
    }

    /// What the page says, in one language.
    package struct Words: Equatable, Sendable {
        let join: String
        let network: String
        let password: String
        let scan: String
        let scanText: String
        let type: String
        let share: String
        let shareText: String

        package static let english = Words(
            join: "Join the Wi-Fi",
            network: "Network",
            password: "Password",
            scan: "Scan this code",
            scanText: "Your camera opens the event. No app, no account.",
            type: "Or type this address in your browser:",
            share: "Share",
            shareText: "Add photos and comments. Everybody at the event sees them."
        )

        package static let spanish = Words(
            join: "Únete a la wifi",
            network: "Red",
            password: "Contraseña",
            scan: "Escanea este código",
            scanText: "La cámara abre el evento. Sin aplicación y sin cuenta.",
            type: "O escribe esta dirección en el navegador:",
            share: "Comparte",
            shareText: "Añade fotos y comentarios. Los ve toda la gente del evento."
        )

        /// The words of a language, by its code as browsers say it (RFC 5646), or English.
        package static func of(language: String) -> Words {
            language.lowercased().split(separator: "-").first == "es" ? .spanish : .english
        }
    }

    /// The width of the layout, which all sizes share: on A6 its unit is a millimetre.
    private static let width = 105.0
    private static let margin = 8.0
    private static let inner = width - 2 * margin
    /// The width of each of two columns.
    private static let column = 42.0
    private static let headingHeight = 8.0

    private let title: String
    private let address: String
    private let wifi: API.Wifi?
    private let words: Words

    /// Takes what the page says.
    ///
    /// - Parameters:
    ///   - title: The event's title.
    ///   - address: Where phones open the event, as `http://HOST:PORT/CODE`.
    ///   - wifi: The network that phones join first; nil if the host does not say it.
    package init(title: String, address: String, wifi: API.Wifi? = nil, words: Words = .english) {
        (self.title, self.address, self.wifi, self.words) = (title, address, wifi, words)
    }

    /// The page as SVG.
    ///
    /// - Throws: `API.Problem` for an address that is empty or too long for a code.
    package func svg(_ size: Size) throws -> String {
        var page = PosterDrawing()
        page.add(title, in: PosterBox(Self.margin, 6, Self.inner, 26), sizes: 3.5...11, face: .bold, .middle)
        page.addLine(y: 34, from: Self.margin, to: Self.width - Self.margin)
        if let wifi {
            try addTwoCodes(wifi, to: &page)
        } else {
            try addOneCode(to: &page)
        }
        page.add(words.type, in: PosterBox(Self.margin, 107, Self.inner, 5), sizes: 2.5...3.5, .middle)
        page.add(address, in: PosterBox(Self.margin, 112, Self.inner, 8), sizes: 2...4.5, face: .fixed, .middle)
        add(3, words.share, y: 124, to: &page)
        page.add(words.shareText, in: PosterBox(Self.margin + 11, 132, Self.inner - 11, 10), sizes: 2.5...4)
        return page.svg(millimetres: size.millimetres, width: Self.width)
    }

    /// Two codes side by side: of the network, and of the address.
    private func addTwoCodes(_ wifi: API.Wifi, to page: inout PosterDrawing) throws {
        let (left, right) = (Self.margin, Self.width - Self.margin - Self.column)
        add(1, words.join, x: left, y: 37, width: Self.column, to: &page)
        try page.add(QRCode(wifi.codeText), in: PosterBox(left, 46, Self.column, Self.column))
        add(2, words.scan, x: right, y: 37, width: Self.column, to: &page)
        try page.add(addressCode, in: PosterBox(right, 46, Self.column, Self.column))
        page.add(words.scanText, in: PosterBox(right, 89, Self.column, 16), sizes: 2.5...4, .middle)
        page.add(words.network, in: PosterBox(left, 88, Self.column, 4), sizes: 2.5...3, .middle)
        page.add(wifi.ssid, in: PosterBox(left, 92, Self.column, 5), sizes: 1.75...3.75, face: .fixed, .middle)
        guard let password = wifi.password else { return }
        page.add(words.password, in: PosterBox(left, 97, Self.column, 4), sizes: 2.5...3, .middle)
        page.add(password, in: PosterBox(left, 101, Self.column, 5), sizes: 1.5...3.75, face: .fixed, .middle)
    }

    /// One code, below a word about the network.
    private func addOneCode(to page: inout PosterDrawing) throws {
        let side = 44.0
        add(1, words.join, y: 37, to: &page)
        add(2, words.scan, y: 47, to: &page)
        page.add(words.scanText, in: PosterBox(Self.margin + 11, 55, Self.inner - 11, 8), sizes: 2...4)
        try page.add(addressCode, in: PosterBox((Self.width - side) / 2, 63, side, side))
    }

    /// A step's number and name.
    private func add(
        _ step: Int,
        _ name: String,
        x: Double = margin,
        y: Double,
        width: Double = inner,
        to page: inout PosterDrawing
    ) {
        page.add(step: step, in: PosterBox(x, y, Self.headingHeight, Self.headingHeight))
        let (start, height) = (x + Self.headingHeight + 3, Self.headingHeight)
        page.add(name, in: PosterBox(start, y, x + width - start, height), sizes: 2.5...5.5, face: .bold)
    }

    private var addressCode: QRCode {
        // Capitals take fewer modules, and the path of an address is looked at in either case.
        get throws { try QRCode(address.uppercased()) }
    }
}
