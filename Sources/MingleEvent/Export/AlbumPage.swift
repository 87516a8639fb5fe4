// SPDX-License-Identifier: Apache-2.0

import MingleMedia

/// A page with the photos of an event that opens from a disk: HTML without scripts, in pieces that follow each other.
///
/// The order is ``head(_:_:)``, then for each section ``opening(_:)``, ``figure(_:)`` for each photo and ``closing``,
/// then ``foot``.
enum AlbumPage {
    /// A part of the album: a moment, or a day.
    struct Section {
        /// What the part's address ends with.
        let anchor: String
        let title: String
        /// When it was, and what else is said of it.
        var lines: [String] = []
        var comments: [Comment] = []
    }

    /// A photo of the album.
    struct Figure {
        /// Where the photo is.
        let path: String
        /// Where its thumbnail is; nil where there is none.
        let thumbnail: String?
        let title: String
        let author: String
        let time: LocalTime
        let width: Int64
        let height: Int64
        let comments: [Comment]
    }

    /// What somebody said below a photo or a moment.
    struct Comment {
        let author: String
        /// Empty where it is a picture alone.
        let text: String
        let time: LocalTime
    }

    static func head(_ title: String, _ sections: [Section]) -> String {
        let links = sections.map {
            "<li><a href=\"#\($0.anchor)\" dir=\"auto\">\($0.title.escapedForMarkup)</a></li>\n"
        }
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(title.escapedForMarkup)</title>
            <link rel="stylesheet" href="album.css">
            </head>
            <body>
            <header><h1 dir="auto">\(title.escapedForMarkup)</h1></header>
            <nav aria-label="Moments and days"><ul>
            \(links.joined())</ul></nav>
            <main>

            """
    }

    static func opening(_ section: Section) -> String {
        let lines = section.lines.map { "<p dir=\"auto\">\($0.escapedForMarkup)</p>\n" }.joined()
        return """
            <section id="\(section.anchor)" aria-labelledby="\(section.anchor)-title">
            <h2 id="\(section.anchor)-title" dir="auto">\(section.title.escapedForMarkup)</h2>
            \(lines)\(list(section.comments))<ul class="photos">

            """
    }

    static let closing = "</ul>\n</section>\n"
    static let foot = "</main>\n</body>\n</html>\n"

    static func figure(_ figure: Figure) -> String {
        let by = "by \(figure.author), \(figure.time.text)"
        let alternative = (figure.title.isEmpty ? "Photo \(by)" : figure.title).escapedForMarkup
        let title = figure.title.isEmpty ? "" : "<span dir=\"auto\">\(figure.title.escapedForMarkup)</span>\n"
        let picture =
            figure.thumbnail.map { path in
                "<img src=\"\(path.asRelativeAddress)\" alt=\"\(alternative)\" loading=\"lazy\" "
                    + "width=\"\(figure.width)\" height=\"\(figure.height)\">"
            } ?? "<span class=\"nothing\">\(alternative)</span>"
        return """
            <li><figure>
            <a href="\(figure.path.asRelativeAddress)">\(picture)</a>
            <figcaption>\(title)<small>by <bdi>\(figure.author.escapedForMarkup)</bdi>, \(figure.time.element)</small></figcaption>
            </figure>\(list(figure.comments))</li>

            """
    }

    private static func list(_ comments: [Comment]) -> String {
        if comments.isEmpty { return "" }
        let items = comments.map { comment in
            let text = comment.text.isEmpty ? "(a picture)" : comment.text
            return
                "<li><b><bdi>\(comment.author.escapedForMarkup)</bdi></b> <span dir=\"auto\">\(text.escapedForMarkup)</span> "
                + "<small>\(comment.time.element)</small></li>\n"
        }
        return "<ul class=\"comments\" aria-label=\"Comments\">\n\(items.joined())</ul>\n"
    }
}

extension LocalTime {
    /// The day: `2026-06-20`.
    var dayText: String { String(fileNameText.prefix(10)) }

    /// Day and minute: `2026-06-20 18:42`.
    var text: String { "\(dayText) \(fileNameText.dropFirst(11).prefix(5).replacing(".", with: ":"))" }

    fileprivate var element: String { "<time datetime=\"\(text)\">\(text)</time>" }
}
