// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleMedia
import MingleModel

/// Names of files that Windows, macOS and Linux take, and of which no two are equal to any of them.
struct ArchiveNames {
    /// Bytes of a person's name in a file's name.
    private static let authorLimit = 80

    /// Names that are taken, as file systems without case compare them.
    private var taken: Set<String> = []

    /// Returns `2026-06-20 18.42.07 Ana.jpg`; the next file of that name becomes `… Ana 2.jpg`.
    mutating func name(at time: LocalTime, by author: String, mediaType: String) -> String {
        let stem = [time.fileNameText, Self.part(author, bytes: Self.authorLimit)].filter { !$0.isEmpty }
            .joined(separator: " ")
        let ending = Self.ending(of: mediaType)
        var (number, name) = (1, "\(stem).\(ending)")
        while !taken.insert(Self.folded(name)).inserted {
            number += 1
            name = "\(stem) \(number).\(ending)"
        }
        return name
    }

    /// A text as the part of a file's name that does not begin it: up to `limit` bytes, which may be none.
    static func part(_ text: String, bytes limit: Int) -> String {
        let refused: Set<Unicode.Scalar> = ["<", ">", ":", "\"", "/", "\\", "|", "?", "*"]
        var safe = String.UnicodeScalarView()
        for scalar in text.visible.precomposedStringWithCanonicalMapping.unicodeScalars {
            safe.append(refused.contains(scalar) ? "_" : scalar)
        }
        var part = String(safe)
        while part.utf8.count > limit { part.removeLast() }
        // Windows drops a dot or a space at the end.
        while let last = part.last, last == "." || last == " " { part.removeLast() }
        return part
    }

    /// A text as the beginning of a file's name; `otherwise` where nothing of the text can be.
    static func beginning(_ text: String, bytes limit: Int, otherwise: String) -> String {
        let part = String(part(text, bytes: limit).drop { $0 == "." || $0 == " " })
        if part.isEmpty { return otherwise }
        return devices.contains(part.prefix { $0 != "." }.uppercased()) ? "_\(part)" : part
    }

    /// What Windows takes for a device, whatever the ending.
    private static let devices = Set(
        ["CON", "PRN", "AUX", "NUL"] + (0...9).flatMap { ["COM\($0)", "LPT\($0)"] }
    )

    /// The ending of a format; for other files than pictures and clips one that no program opens by itself.
    private static func ending(of mediaType: String) -> String {
        SharedFormat.all.first { $0.mediaType == mediaType }?.fileExtension ?? "bin"
    }

    private static func folded(_ name: String) -> String { name.lowercased().decomposedStringWithCanonicalMapping }
}
