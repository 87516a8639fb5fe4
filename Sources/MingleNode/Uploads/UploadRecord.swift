// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleEvent
import MingleModel

/// What is known of an upload besides its bytes, as it lies in JSON beside the partial file.
struct UploadRecord: Codable, Sendable {
    let id: String
    /// Whose it is; empty for the node's own person.
    let owner: String
    /// Bytes of the whole file.
    let length: Int
    let name: String
    let title: String
    /// The text of the moment or place that the photo is of.
    let target: String?
    let keepsLocation: Bool
    /// The text of the event; nil for the current one.
    let event: String?
    /// When it began, in milliseconds since 1970.
    let begun: Int64
    /// The photo that it became.
    var photo: API.Photo?
    /// When the photo was shared, in milliseconds since 1970.
    var shared: Int64?

    /// Describes an upload that begins.
    init(_ upload: PhotoUpload, id: String, owner: String, length: Int, begun: Int64) {
        (self.id, self.owner, self.length, self.begun) = (id, owner, length, begun)
        (name, title, target) = (upload.name, upload.title, upload.target?.description)
        (keepsLocation, event) = (upload.keepsLocation, upload.event)
    }

    /// The upload as an import takes it, with its file at `path`.
    func upload(at path: String) throws -> PhotoUpload {
        var upload = PhotoUpload(
            path: path,
            name: name,
            title: title,
            target: try target.map(RequestValidation.reference),
            keepsLocation: keepsLocation
        )
        upload.event = event
        return upload
    }

    /// Whether it, or its outcome, has been kept for `lifetime` milliseconds.
    func isExpired(at now: Int64, lifetime: Int64) -> Bool { now - (shared ?? begun) >= lifetime }
}
