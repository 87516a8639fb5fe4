// SPDX-License-Identifier: Apache-2.0

/// What a node says on the network of an event that is open to anyone nearby: the text of a `_mingle-open._tcp` service.
///
/// Whoever is on the network may say anything there: what is read is a claim, of a bounded length, and fit to be shown.
package struct OpenText: Sendable, Equatable {
    /// The most that a title has, in bytes.
    package static let titleLimit = 200

    private static let version = "1"
    /// A symbol of Braille without dots.
    private static let blank: Unicode.Scalar = "\u{2800}"

    /// What the event is called, on one line.
    package let title: String

    /// The link by which anyone may come; not looked at.
    package let link: String

    /// States what an event is called and how to come, if anything of the title can be shown.
    package init?(title: String, link: String) {
        guard let title = Self.clean(title), !link.isEmpty else { return nil }
        (self.title, self.link) = (title, link)
    }

    /// Reads a TXT record; nil if it is of another version, or lacks something.
    package init?(_ text: [String: String]) {
        guard text["v"] == Self.version, let title = text["title"], let link = text["link"] else { return nil }
        self.init(title: title, link: link)
    }

    /// The TXT record: each part has room in one string of it, a link without addresses as well.
    package var text: [String: String] { ["v": Self.version, "title": title, "link": link] }

    /// The title on one line, without what drives a terminal, turns the direction of writing, or cannot be seen; cut at a
    /// character.
    private static func clean(_ title: String) -> String? {
        var line = String.UnicodeScalarView()
        for scalar in title.unicodeScalars.prefix(titleLimit) {
            if scalar.properties.isWhitespace || scalar == blank {
                if let last = line.last, last != " " { line.append(" ") }
            } else if isShown(scalar) {
                line.append(scalar)
            }
        }
        var text = String(line)
        while text.utf8.count > titleLimit || text.last == " " { text.removeLast() }
        return text.unicodeScalars.contains { !$0.properties.isDefaultIgnorableCodePoint && $0 != " " } ? text : nil
    }

    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate: false
        // Languages and emoji need the joiners; all else of the kind is for the direction of writing, or for nothing.
        case .format: isJoiner(scalar)
        default: true
        }
    }

    private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool { scalar == "\u{200C}" || scalar == "\u{200D}" }
}
