// SPDX-License-Identifier: Apache-2.0

package import MingleAPI
import MingleCrypto
import MingleMedia
import MingleModel
import MingleReplica
import MingleWire
import Synchronization

/// Pictures that were uploaded and wait for the record that will have them.
final class PictureShelf: Sendable {
    /// Pictures at a time; one more and the oldest goes.
    private static let limit = 32

    private let pictures = Mutex<[(id: String, picture: ImportedPicture)]>([])

    /// Keeps a picture under an id.
    func add(_ picture: ImportedPicture, id: String) {
        let dropped = pictures.withLock { pictures in
            pictures.append((id, picture))
            return pictures.count > Self.limit ? pictures.removeFirst().picture : nil
        }
        dropped?.discard()
    }

    /// The picture of an id.
    ///
    /// - Throws: ``API/Problem`` named `notFound`.
    func picture(_ id: String) throws -> ImportedPicture {
        guard let found = pictures.withLock({ $0.first { $0.id == id } }) else {
            throw API.Problem(
                .notFound,
                "There is no uploaded picture \(id.prefix(60)). Upload it again (POST /api/v1/pictures)."
            )
        }
        return found.picture
    }

    /// Forgets a picture that a record has now.
    func remove(_ id: String) {
        let removed = pictures.withLock { pictures in
            pictures.firstIndex { $0.id == id }.map { pictures.remove(at: $0).picture }
        }
        removed?.discard()
    }
}

extension EventSession {
    /// Stores an uploaded picture for a record that `body` writes, and forgets the upload.
    func attach(
        _ id: String,
        _ kind: Kind,
        _ body: ([String: Value], [BlobListing]) throws -> Void
    ) throws {
        let picture = try shelf.picture(id)
        try speak { put in
            var values: [String: Value] = [:]
            values["thumbnail"] = put.add(try blobs.put(picture.thumbnail, owner: put.owner), type: "image/jpeg")
            values["preview"] = put.add(try blobs.put(picture.preview, owner: put.owner), type: "image/jpeg")
            if kind.field(named: "original") != nil {
                let original = try blobs.put(fileAt: picture.sharedPath, owner: put.owner)
                values["original"] = put.add(original, type: picture.format.mediaType)
            }
            if kind.field(named: "width") != nil, kind.field(named: "height") != nil {
                values["width"] = .number(Int64(picture.width))
                values["height"] = .number(Int64(picture.height))
            }
            try body(values, put.listings)
        }
        shelf.remove(id)
    }
}

extension Node {
    /// Imports a picture for a record that is to come.
    package func addPicture(path: String, event: String?) async throws -> API.Picture {
        let session = try session(event)
        do {
            return try await importGate.pass {
                let picture = try await self.importer.importPicture(at: path, keepLocation: false)
                let id = Base32.encode(Randomness.system.bytes(16))
                session.shelf.add(picture, id: id)
                return API.Picture(id: id, width: picture.width, height: picture.height)
            }
        } catch {
            throw API.Problem(importing: error, name: "The picture")
        }
    }
}
