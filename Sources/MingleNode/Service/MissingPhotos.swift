// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleEvent

/// What an archive says of photos that it does not hold.
package struct MissingPhotos: Sendable {
    /// Why a photo is not in an archive, or not all of it.
    package enum Reason: Error {
        case awaited
        case deleted
        case unreadable

        /// What a failure to open a photo means.
        package init(_ error: any Error) {
            switch API.Problem(error).name {
            case .notFound, .notAllowed: self = .deleted
            case .unavailable: self = .awaited
            default: self = .unreadable
            }
        }
    }

    /// The name of the file that says it.
    package static let fileName = "missing.txt"

    private var awaited: [String] = []
    private var unreadable: [String] = []

    /// Nothing is missing.
    package init() {}

    /// How many photos are missing.
    package var count: Int { awaited.count + unreadable.count }

    /// Notes a photo; a missing thumbnail is no missing photo.
    mutating func add(_ photo: ArchivedPhoto, _ reason: Reason) {
        if photo.form != .thumbnail { add(photo.path, reason) }
    }

    /// Notes the path of a photo.
    package mutating func add(_ path: String, _ reason: Reason) {
        switch reason {
        case .awaited: awaited.append(path)
        case .unreadable: unreadable.append(path)
        // Who deleted a photo wants nobody to keep its name.
        case .deleted: break
        }
    }

    /// The text; nil where nothing is missing.
    ///
    /// Lines end as Windows ends them, which others read too.
    package var text: String? {
        let parts = [
            ("These photos have not arrived on the device that made this file. Save again later to get them:", awaited),
            (
                "These photos could not be read or made into a JPEG. Save their originals, or save on another device:",
                unreadable
            ),
        ].filter { !$0.1.isEmpty }
        if parts.isEmpty { return nil }
        return parts.map { ([$0.0, ""] + $0.1 + [""]).joined(separator: "\r\n") }.joined(separator: "\r\n")
    }
}
