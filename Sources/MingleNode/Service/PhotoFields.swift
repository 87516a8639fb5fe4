// SPDX-License-Identifier: Apache-2.0

import MingleEvent
import MingleMedia
import MingleModel

/// What a photo says besides its media.
enum PhotoFields {
    /// Bytes of a file's name before its ending, so that the whole fits where people save it.
    private static let nameLimit = 200

    /// What a photo says besides its media.
    static func values(of picture: ImportedPicture, _ upload: PhotoUpload) -> [String: Value] {
        var values: [String: Value] = [
            "width": .number(Int64(picture.width)),
            "height": .number(Int64(picture.height)),
            "name": .text(fileName(upload.name, format: picture.format)),
        ]
        if let duration = picture.durationMilliseconds { values["duration"] = .number(duration) }
        if !upload.title.isEmpty { values["title"] = .text(upload.title) }
        if let taken = picture.takenMilliseconds, taken >= 0 { values["taken"] = .number(taken) }
        if let place = picture.coordinates,
            let position = try? RequestValidation.position(latitude: place.latitude, longitude: place.longitude)
        {
            values.merge(position) { $1 }
        }
        return values
    }

    /// The name of a JPEG that is made of a photo's original: its own, with the ending of a JPEG in place of the
    /// original's.
    static func jpegName(_ name: String) -> String {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let isPicture = PictureFormat.allCases.contains { $0.endings.contains(parts.last?.lowercased() ?? "") }
        return fileName(
            parts.count > 1 && isPicture ? parts.dropLast().joined(separator: ".") : name,
            format: .picture(.jpeg)
        )
    }

    /// A file name that is safe to save under: the sender's last path component, with the right ending.
    private static func fileName(_ name: String, format: SharedFormat) -> String {
        let last = name.split(whereSeparator: { "/\\".contains($0) }).last.map(String.init) ?? ""
        var stem = String(String.UnicodeScalarView(last.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 }))
        var ending = format.fileExtension
        if let dot = stem.lastIndex(of: "."), format.endings.contains(stem[dot...].dropFirst().lowercased()) {
            ending = String(stem[dot...].dropFirst())
            stem = String(stem[..<dot])
        } else if format == .clip, let dot = stem.lastIndex(of: "."),
            ClipContainer.endings.contains(stem[dot...].dropFirst().lowercased())
        {
            stem = String(stem[..<dot])
        }
        while stem.utf8.count > nameLimit { stem.removeLast() }
        return stem.isEmpty || stem.hasPrefix(".")
            ? "\(format == .clip ? "clip" : "photo").\(format.fileExtension)" : "\(stem).\(ending)"
    }
}
