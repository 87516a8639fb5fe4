// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MingleMedia
import MingleModel
import MingleReplica
import MingleWire
import Synchronization

/// A photo that somebody is about to share: the file, and what is said of it.
package struct PhotoUpload: Sendable {
    /// Where the file lies; it stays as it is.
    package var path: String
    /// The file's name as others see it.
    package var name: String
    /// What is said of it.
    package var title: String
    /// The moment that it shall hang on; nil for the event itself.
    package var moment: String?
    /// Whether others may see where it was taken.
    package var keepsLocation: Bool

    /// Describes an upload.
    package init(path: String, name: String, title: String = "", moment: String? = nil, keepsLocation: Bool = false) {
        (self.path, self.name, self.title) = (path, name, title)
        (self.moment, self.keepsLocation) = (moment, keepsLocation)
    }
}

/// The three forms of a photo's media.
package enum Rendition: String, Sendable {
    /// For a grid.
    case thumbnail
    /// For a screen.
    case preview
    /// What the author shared.
    case original
}

extension Node {
    /// Where uploads lie until they are imported.
    package var uploadFolder: String { folder.path + "/uploads" }

    /// Imports a picture and shares it, unless its person has shared it in the same place already: then it is that photo, of which
    /// is said what is said now.
    package func addPhoto(_ upload: PhotoUpload, event: String?) async throws -> API.Photo {
        var upload = upload
        upload.title = try Wording.caption(upload.title)
        return try await addPhoto(worded: upload, try session(event))
    }

    private func addPhoto(worded upload: PhotoUpload, _ session: EventSession) async throws -> API.Photo {
        let target = try session.requireMayPost(upload.moment)
        do {
            return try await importGate.pass {
                let stripped = try await self.importer.strip(at: upload.path, keepLocation: upload.keepsLocation)
                if let photo = try session.alreadyShared(stripped.bytes, on: target, as: upload.title) { return photo }
                let picture = try await self.importer.importPicture(stripped)
                defer { picture.discard() }
                return try session.sharing.withLock { _ in
                    // It may have come a second time meanwhile.
                    try session.alreadyShared(stripped.bytes, on: target, as: upload.title)
                        ?? session.share(picture, upload, on: target)
                }
            }
        } catch {
            session.pauseIfFull(error)
            throw API.Problem(importing: error, name: upload.name)
        }
    }

    /// Makes a picture the person's profile picture.
    package func setProfilePicture(path: String, event: String?) async throws -> API.Person {
        let session = try session(event)
        do {
            return try await importGate.pass {
                let picture = try await self.importer.importPicture(at: path, keepLocation: false)
                defer { picture.discard() }
                return try session.wear(picture)
            }
        } catch {
            throw API.Problem(importing: error, name: "The picture")
        }
    }

    /// Opens one form of a photo, with its media type; throws `unavailable` while it is not here.
    package func openMedia(
        _ id: String,
        _ rendition: Rendition,
        event: String?
    ) throws -> (reader: BlobReader, type: String, name: String) {
        let session = try session(event)
        let photo = try session.shown { try session.replica.seenMedia(of: Wording.reference(id)) }
        let media =
            switch rendition {
            case .thumbnail: photo.thumbnail
            case .preview: photo.preview
            case .original: photo.original
            }
        return (try session.open(media, owner: photo.owner), media.type, photo.name)
    }

    /// Opens a person's profile picture.
    package func openProfilePicture(_ id: String, event: String?) throws -> (reader: BlobReader, type: String) {
        let session = try session(event)
        guard let person = PersonID(text: id),
            let media = try session.shown({ try session.replica.profilePicture(of: person) })
        else { throw API.Problem(.notFound, "There is no profile picture of that person here.") }
        return (try session.open(media, owner: person), media.type)
    }
}

extension EventSession {
    /// Bytes of a file's name before its ending, so that the whole fits where people save it.
    private static let nameLimit = 200

    /// The target of a photo that hangs on `moment`, if this person may post there now.
    fileprivate func requireMayPost(_ moment: String?) throws -> Target {
        guard try replica.hasKey() else { throw API.Problem(ReplicaError.locked) }
        try requireMayWrite(.photo)
        guard let moment else { return .nothing }
        let reference = try Wording.reference(moment)
        let seen = try shown { try replica.seenMoment(reference) }
        let status = seen.status(at: clock.now())
        guard MomentRules.mayPost(seen.participation, status) else {
            let reason =
                switch MomentRules.button(seen.participation, status) {
                case .join: "join it first"
                case .checkIn: "it has started, so check in first"
                default: "it has ended and you did not check in"
                }
            throw API.Problem(.notAllowed, "You cannot post photos to \(seen.title): \(reason).")
        }
        return .record(reference)
    }

    fileprivate func share(_ picture: ImportedPicture, _ upload: PhotoUpload, on target: Target) throws -> API.Photo {
        let references = try speak { put in
            var values = values(of: picture, upload)
            values["thumbnail"] = put.add(try blobs.put(picture.thumbnail, owner: put.owner), type: "image/jpeg")
            values["preview"] = put.add(try blobs.put(picture.preview, owner: put.owner), type: "image/jpeg")
            let original = try blobs.put(fileAt: picture.sharedPath, owner: put.owner)
            values["original"] = put.add(original, type: picture.format.mediaType)
            let photo = Draft.create(.photo, on: target, values: values, blobs: put.listings)
            return try author(takingPart(in: target) + [photo])
        }
        return try photo(references[references.count - 1])
    }

    /// What a photo says besides its media.
    private func values(of picture: ImportedPicture, _ upload: PhotoUpload) -> [String: Value] {
        var values: [String: Value] = [
            "width": .number(Int64(picture.width)),
            "height": .number(Int64(picture.height)),
            "name": .text(Self.fileName(upload.name, format: picture.format)),
        ]
        if !upload.title.isEmpty { values["title"] = .text(upload.title) }
        if let taken = picture.takenMilliseconds, taken >= 0 { values["taken"] = .number(taken) }
        if let place = picture.coordinates,
            let position = try? Wording.position(latitude: place.latitude, longitude: place.longitude)
        {
            values.merge(position) { $1 }
        }
        return values
    }

    fileprivate func wear(_ picture: ImportedPicture) throws -> API.Person {
        for kind in [Kind.profilePicture, .profile] { try requireMayWrite(kind) }
        var profile: [String: Value] = [:]
        // A profile without a name is not shown, and with it its picture.
        let name = try ownPerson().name
        if name.hasPrefix("Guest ") { profile["name"] = .text(name) }
        try speak { put in
            let thumbnail = put.add(try blobs.put(picture.thumbnail, owner: put.owner), type: "image/jpeg")
            try author { write in
                let values = ["thumbnail": thumbnail]
                let made = try write(.create(.profilePicture, on: .nothing, values: values, blobs: put.listings))
                profile["picture"] = .data(made.bytes)
                _ = try write(.set(.profile, on: .nothing, values: profile))
            }
        }
        return try ownPerson()
    }

    fileprivate func open(_ media: Media, owner: PersonID) throws -> BlobReader {
        guard let descriptor = BlobDescriptor(root: media.root, size: Int64(media.size), key: media.key) else {
            throw API.Problem(.internal, "The photo's record names no valid file.")
        }
        do {
            return try blobs.open(descriptor, owner: owner)
        } catch BlobStoreError.notHeld {
            throw API.Problem(
                .unavailable,
                "This has not arrived yet. It comes once a device that has it is connected."
            )
        } catch {
            throw API.Problem(error)
        }
    }

    /// A file name that is safe to save under: the sender's last path component, with the right ending.
    private static func fileName(_ name: String, format: PictureFormat) -> String {
        let last = name.split(whereSeparator: { "/\\".contains($0) }).last.map(String.init) ?? ""
        var stem = String(String.UnicodeScalarView(last.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 }))
        var ending = format.fileExtension
        if let dot = stem.lastIndex(of: "."), format.endings.contains(stem[dot...].dropFirst().lowercased()) {
            ending = String(stem[dot...].dropFirst())
            stem = String(stem[..<dot])
        }
        while stem.utf8.count > nameLimit { stem.removeLast() }
        return stem.isEmpty || stem.hasPrefix(".") ? "photo.\(format.fileExtension)" : "\(stem).\(ending)"
    }
}

extension API.Problem {
    /// What a failed import means to the person who chose the file.
    fileprivate init(importing error: any Error, name: String) {
        switch error {
        case let error as ImportError: self.init(Name(error), "\(name): \(error)")
        case BlobStoreError.noSpace:
            self.init(.noSpace, "\(name) was not shared because the disk is full. Free some space and try again.")
        default: self.init(error)
        }
    }
}
