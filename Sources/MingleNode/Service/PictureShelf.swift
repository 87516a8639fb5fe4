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

    /// Takes the picture of an id, so that nobody else uses it.
    ///
    /// - Throws: ``API/Problem`` named `notFound`.
    func take(_ id: String) throws -> ImportedPicture {
        let taken = pictures.withLock { pictures in
            pictures.firstIndex { $0.id == id }.map { pictures.remove(at: $0).picture }
        }
        guard let taken else {
            throw API.Problem(
                .notFound,
                "There is no uploaded picture \(id.prefix(60)). Upload it again (POST /api/v1/pictures)."
            )
        }
        return taken
    }

    /// Deletes all pictures.
    func clear() {
        let all = pictures.withLock { pictures in
            defer { pictures = [] }
            return pictures
        }
        for (_, picture) in all { picture.discard() }
    }
}

extension EventSession {
    /// Stores an uploaded picture for a record that `body` writes, and forgets the upload.
    func attach(
        _ id: String,
        _ kind: Kind,
        owner: PersonID,
        _ body: ([String: Value], [BlobListing]) throws -> Void
    ) throws {
        let picture = try shelf.take(id)
        do {
            try speak(for: owner) { put in try body(values(of: picture, kind, &put), put.listings) }
        } catch {
            // The request may be made again.
            shelf.add(picture, id: id)
            throw error
        }
        picture.discard()
    }

    /// The fields of a picture that a kind has.
    private func values(of picture: ImportedPicture, _ kind: Kind, _ put: inout PutBlobs) throws -> [String: Value] {
        var values = [
            "thumbnail": put.add(try blobs.put(picture.thumbnail, owner: put.owner), type: "image/jpeg"),
            "preview": put.add(try blobs.put(picture.preview, owner: put.owner), type: "image/jpeg"),
        ]
        if kind.field(named: "width") != nil, kind.field(named: "height") != nil {
            values["width"] = .number(Int64(picture.width))
            values["height"] = .number(Int64(picture.height))
        }
        return values
    }
}

extension Node {
    /// Imports a picture for a record that is to come.
    package func addPicture(path: String, to part: Part) async throws -> API.Picture {
        do {
            return try await importGate.pass {
                let picture = try await self.importer.importPicture(at: path, keepLocation: false)
                let id = Base32.encode(Randomness.system.bytes(16))
                part.session.shelf.add(picture, id: id)
                return API.Picture(id: id, width: picture.width, height: picture.height)
            }
        } catch {
            throw API.Problem(importing: error, name: "The picture")
        }
    }
}
