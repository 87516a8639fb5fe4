// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
package import MingleEvent
package import MingleMedia
package import MingleModel

/// What somebody takes home as one ZIP archive, which is made while it is sent.
///
/// One chunk of a photo is in memory at a time, or one JPEG where JPEGs are made, or a piece of a text.
package struct PhotoArchive: Sendable {
    /// Opens the original or the thumbnail of a photo.
    package typealias Open = @Sendable (Reference, Rendition) throws -> BlobReader
    /// Makes a JPEG of a photo.
    package typealias MakeJPEG = @Sendable (Reference) async throws -> [UInt8]

    /// The name to save it under.
    package let name: String
    private let items: any ArchiveItems
    private let open: Open
    private let makeJPEG: MakeJPEG

    /// Describes an archive; nothing is read yet.
    package init(
        name: String,
        items: any ArchiveItems,
        open: @escaping Open,
        makeJPEG: @escaping MakeJPEG
    ) {
        (self.name, self.items, self.open, self.makeJPEG) = (name, items, open, makeJPEG)
    }

    /// The bytes of the archive, from its beginning.
    package func parts() -> Parts { Parts(self) }

    fileprivate enum Contents {
        case stored(BlobReader)
        case made([UInt8])
    }

    fileprivate func contents(of photo: ArchivedPhoto) async throws(MissingPhotos.Reason) -> Contents {
        let stored: BlobReader
        do {
            stored = try open(photo.id, photo.form == .thumbnail ? .thumbnail : .original)
        } catch {
            throw MissingPhotos.Reason(error)
        }
        guard photo.form == .jpeg else { return .stored(stored) }
        do { return .made(try await makeJPEG(photo.id)) } catch { throw .unreadable }
    }
}

extension PhotoArchive {
    /// The bytes of an archive, read and made as they are asked for.
    ///
    /// A photo that was deleted meanwhile is left out. One that has not arrived yet is named in `missing.txt`.
    package struct Parts {
        /// Bytes of a text in an archive; a longer one would need fields that not every program reads.
        private static let textLimit = 2 << 30

        private let archive: PhotoArchive
        private var items: any ArchiveItems
        private var zip = ZipWriter()
        private var missing = MissingPhotos()
        /// The photo that is being read, and from where on.
        private var reading: (photo: ArchivedPhoto, reader: BlobReader, offset: Int64)?
        /// The text that is being written, and its bytes so far.
        private var writing: (text: ArchivedText, count: Int)?
        /// What comes before anything else is read: at most a file with what stands around it, and the archive's end.
        private var made: [[UInt8]] = []
        /// The time of what was written last.
        private var latest: (time: LocalTime, milliseconds: Int64)?
        private var isAtEnd = false

        fileprivate init(_ archive: PhotoArchive) { (self.archive, items) = (archive, archive.items) }

        /// The next bytes; nil behind the last.
        ///
        /// - Throws: what reading records throws; the archive ends there.
        package mutating func next() async throws -> [UInt8]? {
            while true {
                if !made.isEmpty { return made.removeFirst() }
                if reading != nil { return nextChunk() }
                if isAtEnd { return nil }
                switch try items.next() {
                case .photo(let photo)?:
                    endText()
                    await begin(photo)
                case .text(let piece, let text)?: try add(Array(piece.utf8), to: text)
                case nil:
                    isAtEnd = true
                    end()
                }
            }
        }

        private mutating func begin(_ photo: ArchivedPhoto) async {
            do throws(MissingPhotos.Reason) {
                switch try await archive.contents(of: photo) {
                case .made(let bytes): add(bytes, as: photo.path, photo.time, photo.milliseconds)
                case .stored(let reader):
                    made.append(header(photo.path, photo.time, photo.milliseconds, size: UInt64(reader.size)))
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

        private mutating func add(_ piece: [UInt8], to text: ArchivedText) throws {
            if writing?.text != text {
                endText()
                writing = (text, 0)
                made.append(header(text.path, text.time, text.milliseconds, size: UInt64(Self.textLimit)))
            }
            let count = (writing?.count ?? 0) + piece.count
            guard count <= Self.textLimit else { throw API.Problem(.tooLarge, "\(text.path) is larger than 2 GiB.") }
            writing?.count = count
            guard !piece.isEmpty else { return }
            zip.add(piece)
            made.append(piece)
        }

        private mutating func endText() {
            guard writing != nil else { return }
            writing = nil
            made.append(zip.end())
        }

        private mutating func end() {
            endText()
            if let text = missing.text, let latest {
                add(Array(text.utf8), as: MissingPhotos.fileName, latest.time, latest.milliseconds)
            }
            made.append(zip.finish())
        }

        private mutating func add(_ bytes: [UInt8], as path: String, _ time: LocalTime, _ milliseconds: Int64) {
            made.append(header(path, time, milliseconds, size: UInt64(bytes.count)))
            zip.add(bytes)
            made += [bytes, zip.end()]
        }

        private mutating func header(_ path: String, _ time: LocalTime, _ milliseconds: Int64, size: UInt64) -> [UInt8]
        {
            latest = (time, milliseconds)
            return zip.begin(path, at: time, modified: milliseconds, size: size)
        }
    }
}

extension Node {
    /// The photos of an event that fit a choice, to take home.
    ///
    /// - Throws: As ``EventService/archive(_:assuming:where:)``.
    package func photoArchive(_ choice: PhotoChoice, for part: Part) throws -> PhotoArchive {
        try archive(ArchivedPhotos(part.service.archive(choice, assuming: .current)), for: part)
    }

    /// All that a person sees of an event, to take home.
    ///
    /// - Throws: As ``EventService/export(includingPrivate:assuming:)``.
    package func exportArchive(includingPrivate: Bool, for part: Part) throws -> PhotoArchive {
        try archive(part.service.export(includingPrivate: includingPrivate, assuming: .current), for: part)
    }

    private func archive(_ items: some ArchiveItems, for part: Part) throws -> PhotoArchive {
        PhotoArchive(
            name: try part.service.archiveName(),
            items: items,
            open: { try part.openMedia($0, $1).reader },
            makeJPEG: { try await self.fullSizeJPEG($0, for: part).bytes }
        )
    }
}
