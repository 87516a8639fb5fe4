// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
package import MingleEvent
package import MingleMedia
package import MingleModel

/// Photos that somebody takes home as one ZIP archive, which is made while it is sent.
///
/// One chunk of a photo is in memory at a time, or one JPEG where JPEGs are made.
package struct PhotoArchive: Sendable {
    /// Opens the original of a photo.
    package typealias Open = @Sendable (Reference) throws -> BlobReader
    /// Makes a JPEG of a photo.
    package typealias MakeJPEG = @Sendable (Reference) async throws -> [UInt8]

    /// The name to save it under.
    package let name: String
    private let photos: [ArchivedPhoto]
    private let open: Open
    private let makeJPEG: MakeJPEG

    /// Describes an archive; nothing is read yet.
    package init(
        name: String,
        photos: [ArchivedPhoto],
        open: @escaping Open,
        makeJPEG: @escaping MakeJPEG
    ) {
        (self.name, self.photos, self.open, self.makeJPEG) = (name, photos, open, makeJPEG)
    }

    /// The bytes of the archive, from its beginning.
    package func parts() -> Parts { Parts(self) }

    fileprivate enum Contents {
        case stored(BlobReader)
        case made([UInt8])
    }

    fileprivate func contents(of photo: ArchivedPhoto) async throws(Missing) -> Contents {
        let original: BlobReader
        do {
            original = try open(photo.id)
        } catch {
            switch API.Problem(error).name {
            case .notFound, .notAllowed: throw .deleted
            case .unavailable: throw .awaited
            default: throw .unreadable
            }
        }
        guard photo.isAsJPEG else { return .stored(original) }
        do { return .made(try await makeJPEG(photo.id)) } catch { throw .unreadable }
    }
}

extension PhotoArchive {
    /// The bytes of an archive, read and made as they are asked for.
    ///
    /// A photo that was deleted meanwhile is left out. One that has not arrived yet is named in `missing.txt`.
    package struct Parts {
        private let archive: PhotoArchive
        private var zip = ZipWriter()
        private var missing = MissingPhotos()
        /// Photos that have begun.
        private var count = 0
        /// The photo that is being read, and from where on.
        private var reading: (photo: ArchivedPhoto, reader: BlobReader, offset: Int64)?
        /// What comes before anything else is read: at most a file with what stands around it, and the archive's end.
        private var made: [[UInt8]] = []
        private var isAtEnd = false

        fileprivate init(_ archive: PhotoArchive) { self.archive = archive }

        /// The next bytes; nil behind the last.
        package mutating func next() async -> [UInt8]? {
            while true {
                if !made.isEmpty { return made.removeFirst() }
                if reading != nil { return nextChunk() }
                if count < archive.photos.count {
                    await begin(archive.photos[count])
                    count += 1
                } else if !isAtEnd {
                    isAtEnd = true
                    end()
                } else {
                    return nil
                }
            }
        }

        private mutating func begin(_ photo: ArchivedPhoto) async {
            do throws(Missing) {
                switch try await archive.contents(of: photo) {
                case .made(let bytes): add(bytes, as: photo.name, photo)
                case .stored(let reader):
                    made = [header(photo.name, photo, size: UInt64(reader.size))]
                    reading = (photo, reader, 0)
                }
            } catch {
                missing.add(photo, error)
            }
        }

        private mutating func nextChunk() -> [UInt8]? {
            guard let (photo, reader, offset) = reading, offset < reader.size else {
                reading = nil
                return zip.end()
            }
            guard let chunk = try? reader.read(offset: offset, length: reader.chunkSize), !chunk.isEmpty else {
                // The file has begun: it ends here, and the archive goes on.
                missing.add(photo, .unreadable)
                reading = nil
                return zip.end()
            }
            zip.add(chunk)
            reading?.offset += Int64(chunk.count)
            return chunk
        }

        private mutating func end() {
            if let text = missing.text, let last = archive.photos.last {
                add(Array(text.utf8), as: MissingPhotos.fileName, last)
            }
            made.append(zip.finish())
        }

        private mutating func add(_ bytes: [UInt8], as name: String, _ photo: ArchivedPhoto) {
            made.append(header(name, photo, size: UInt64(bytes.count)))
            zip.add(bytes)
            made += [bytes, zip.end()]
        }

        private mutating func header(_ name: String, _ photo: ArchivedPhoto, size: UInt64) -> [UInt8] {
            zip.begin(name, at: photo.time, modified: photo.milliseconds, size: size)
        }
    }
}

/// Why a photo is not in an archive, or not all of it.
private enum Missing: Error {
    case awaited
    case deleted
    case unreadable
}

/// What an archive says of photos that it does not hold.
private struct MissingPhotos {
    static let fileName = "missing.txt"

    private var awaited: [String] = []
    private var unreadable: [String] = []

    mutating func add(_ photo: ArchivedPhoto, _ reason: Missing) {
        switch reason {
        case .awaited: awaited.append(photo.name)
        case .unreadable: unreadable.append(photo.name)
        // Who deleted a photo wants nobody to keep its name.
        case .deleted: break
        }
    }

    /// The text; nil where nothing is missing.
    ///
    /// Lines end as Windows ends them, which others read too.
    var text: String? {
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

extension Node {
    /// The photos of an event that fit a choice, to take home.
    ///
    /// - Throws: As ``EventService/archive(_:assuming:where:)``.
    package func photoArchive(_ choice: PhotoChoice, for part: Part) throws -> PhotoArchive {
        PhotoArchive(
            name: try part.service.archiveName(),
            photos: try part.service.archive(choice, assuming: .current),
            open: { try part.openMedia($0, .original).reader },
            makeJPEG: { try await self.fullSizeJPEG($0, for: part).bytes }
        )
    }
}
