// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MingleAPI
import MingleEvent
package import MingleMedia
package import MingleModel
import MingleReplica
import MingleWire
import Synchronization

/// A photo or clip that somebody is about to share: the file, and what is said of it.
package struct PhotoUpload: Sendable {
    /// Where the file lies; it stays as it is.
    package var path: String
    /// The file's name as others see it.
    package var name: String
    /// What is said of it.
    package var title: String
    /// The moment or place that it is to hang on; nil for the event itself.
    package var target: Reference?
    /// Whether others may see where it was taken.
    package var keepsLocation: Bool
    /// The text of the event to share it in; nil for the current one.
    package var event: String?

    /// Describes an upload to the current event.
    package init(path: String, name: String, title: String = "", target: Reference? = nil, keepsLocation: Bool = false)
    {
        (self.path, self.name, self.title) = (path, name, title)
        (self.target, self.keepsLocation) = (target, keepsLocation)
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

    /// Imports a picture or a video and shares it.
    ///
    /// If its person has shared it in the same place already, it is that photo, of which is said what is said now.
    package func addPhoto(_ upload: PhotoUpload, event: String?) async throws -> API.Photo {
        try await addPhoto(upload, to: part(event))
    }

    /// The same as somebody's part in an event.
    package func addPhoto(_ upload: PhotoUpload, to part: Part) async throws -> API.Photo {
        try part.service.requireMayPost(on: upload.target.map { .record($0) } ?? .nothing)
        return try await addPhoto(upload) { part }
    }

    /// The same.
    ///
    /// - Parameter part: Whose part it is; asked once the file has turned out to be a picture or a clip.
    package func addPhoto(_ upload: PhotoUpload, by part: @Sendable () throws -> Part) async throws -> API.Photo {
        var upload = upload
        upload.title = try RequestValidation.caption(upload.title)
        do {
            if try importer.isClip(at: upload.path) {
                return try await clipGate.pass { [upload] in
                    let clip = try await self.importer.importClip(at: upload.path)
                    defer { clip.discard() }
                    return try await self.share(clip, clip.sharedBytes(), upload, as: part())
                }
            }
            return try await importGate.pass { [upload] in
                let stripped = try await self.importer.strip(at: upload.path, keepLocation: upload.keepsLocation)
                return try await self.share(stripped, upload, as: part())
            }
        } catch {
            throw API.Problem(importing: error, name: upload.name)
        }
    }

    /// Refuses what cannot be shared whatever its bytes are, and names the event.
    package func prepare(_ upload: PhotoUpload, for part: Part) throws -> PhotoUpload {
        var upload = upload
        upload.title = try RequestValidation.caption(upload.title)
        try part.service.requireMayPost(on: upload.target.map { Target.record($0) } ?? .nothing)
        upload.event = part.session.event.description
        return upload
    }

    private func share(_ stripped: StrippedPicture, _ upload: PhotoUpload, as part: Part) async throws -> API.Photo {
        let target = upload.target.map { Target.record($0) } ?? .nothing
        do {
            try part.service.requireMayPost(on: target)
            if let photo = try part.service.alreadyShared(stripped.bytes, on: target, as: upload.title) { return photo }
            let picture = try await importer.importPicture(stripped)
            defer { picture.discard() }
            return try await share(picture, stripped.bytes, upload, as: part)
        } catch {
            part.session.pauseIfFull(error)
            throw error
        }
    }

    /// Shares what is ready, of which these are the bytes, unless it is there.
    private func share(
        _ picture: ImportedPicture,
        _ bytes: [UInt8],
        _ upload: PhotoUpload,
        as part: Part
    ) async throws -> API.Photo {
        let target = upload.target.map { Target.record($0) } ?? .nothing
        do {
            return try await part.write { service in
                try service.requireMayPost(on: target)
                return try part.session.sharing.withLock { _ in
                    // It may have come a second time meanwhile.
                    try service.alreadyShared(bytes, on: target, as: upload.title)
                        ?? part.share(picture, upload, on: target)
                }
            }
        } catch {
            part.session.pauseIfFull(error)
            throw error
        }
    }

    /// Makes a picture the person's profile picture.
    package func setProfilePicture(path: String, of part: Part) async throws -> API.Person {
        do {
            return try await importGate.pass {
                let picture = try await self.importer.importPicture(at: path, keepLocation: false)
                defer { picture.discard() }
                return try await part.write { _ in try part.wear(picture) }
            }
        } catch {
            throw API.Problem(importing: error, name: "The picture")
        }
    }

}

extension Part {
    /// Opens one form of a photo, with its media type; throws `unavailable` while it is not here.
    package func openMedia(
        _ id: Reference,
        _ rendition: Rendition
    ) throws -> (reader: BlobReader, type: String, name: String) {
        let photo = try replica.seenMedia(of: id)
        let media =
            switch rendition {
            case .thumbnail: photo.thumbnail
            case .preview: photo.preview
            case .original: photo.original
            }
        return (try session.open(media, owner: photo.owner), media.type, photo.name)
    }

    /// Opens a blob of a record.
    package func openMedia(_ media: Media, of owner: PersonID) throws -> BlobReader {
        try session.open(media, owner: owner)
    }

    /// Opens a picture that a person has had in the profile.
    ///
    /// - Parameter isLarge: Whether it is for a screen; where its author stored none so large, the small one is opened.
    package func openProfilePicture(
        _ id: Reference,
        of person: PersonID,
        isLarge: Bool
    ) throws -> (reader: BlobReader, type: String) {
        let picture = try replica.profilePicture(id, of: person)
        let media = (isLarge ? picture.preview : nil) ?? picture.thumbnail
        return (try session.open(media, owner: person), media.type)
    }

    /// Opens a person's profile picture.
    package func openProfilePicture(_ person: PersonID) throws -> (reader: BlobReader, type: String) {
        guard let media = try replica.profilePicture(of: person) else {
            throw API.Problem(.notFound, "There is no profile picture of that person here.")
        }
        return (try session.open(media, owner: person), media.type)
    }
}

extension Part {
    fileprivate func share(_ picture: ImportedPicture, _ upload: PhotoUpload, on target: Target) throws -> API.Photo {
        let references = try session.speak(for: replica.own.person) { put in
            var values = PhotoFields.values(of: picture, upload)
            values["thumbnail"] = put.add(
                try session.blobs.put(picture.thumbnail, owner: put.owner),
                type: "image/jpeg"
            )
            values["preview"] = put.add(try session.blobs.put(picture.preview, owner: put.owner), type: "image/jpeg")
            let original = try session.blobs.put(fileAt: picture.sharedPath, owner: put.owner)
            values["original"] = put.add(original, type: picture.format.mediaType)
            if isHeldBack { values["held"] = .number(1) }
            let photo = Draft.create(.photo, on: target, values: values, blobs: put.listings)
            return try service.author(service.takingPart(in: target) + [photo])
        }
        return try service.photo(references[references.count - 1])
    }

    fileprivate func wear(_ picture: ImportedPicture) throws -> API.Person {
        for kind in [Kind.profilePicture, .profile] { try replica.requireMayWrite(kind) }
        var profile: [String: Value] = [:]
        // A profile without a name is not shown, and with it its picture.
        let me = try replica.person(replica.own.person)
        if !me.hasName { profile["name"] = .text(me.name) }
        try session.speak(for: replica.own.person) { put in
            let thumbnail = put.add(try session.blobs.put(picture.thumbnail, owner: put.owner), type: "image/jpeg")
            try author { write in
                let values = ["thumbnail": thumbnail]
                let made = try write(.create(.profilePicture, on: .nothing, values: values, blobs: put.listings))
                profile["picture"] = .data(made.bytes)
                _ = try write(.set(.profile, on: .nothing, values: profile))
            }
        }
        return try self.person()
    }
}

extension EventSession {
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

}

extension API.Problem {
    /// What a failed import means to the person who chose the file.
    init(importing error: any Error, name: String) {
        switch error {
        case let error as ImportError: self.init(Name(error), "\(name): \(error)")
        case BlobStoreError.noSpace:
            self.init(.noSpace, "\(name) was not shared because the disk is full. Free some space and try again.")
        default: self.init(error)
        }
    }
}
