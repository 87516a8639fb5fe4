// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials
package import MingleCrypto

/// Makes of a person's picture or clip what is shared: the original without what must not be told, and its renditions.
///
/// Only the author's own node does this. The file's structure is read in this process, in memory-safe code; its pixels
/// are decoded in processes with limits, and only after all metadata is gone.
package struct PictureImporter: Sendable {
    let temporaryFolder: String
    private let timeZone: TimeZone
    let limits: ImportLimits
    let renditions: Renditions
    let clips: ClipEncoder
    let randomness: Randomness

    /// Imports in folders below `temporaryFolder`, which is this importer's alone: what an earlier run left is removed.
    ///
    /// Cameras that do not say their offset from UTC are taken to be set to `timeZone`.
    package init(
        temporaryFolder: String,
        timeZone: TimeZone = .current,
        vips: String = "/usr/bin/vips",
        ffmpeg: String = "/usr/bin/ffmpeg",
        limits: ImportLimits = ImportLimits(),
        randomness: Randomness = .system
    ) throws {
        try ImportWorkspace.removeAll(in: temporaryFolder)
        self.temporaryFolder = temporaryFolder
        self.timeZone = timeZone
        self.limits = limits
        self.randomness = randomness
        renditions = Renditions(program: vips, limits: limits)
        clips = ClipEncoder(program: ffmpeg, limits: limits.forClips)
    }

    /// Imports the picture at `path`, which stays as it is; throws ``ImportError``, or ``BlobStoreError`` if the disk
    /// refuses.
    @concurrent
    package func importPicture(at path: String, keepLocation: Bool) async throws -> ImportedPicture {
        try await importPicture(strip(at: path, keepLocation: keepLocation))
    }

    /// Reads the picture at `path`, which stays as it is, without what must not be told.
    ///
    /// A picture that hides pixels outside a crop or below others is encoded anew, as a JPEG of what is shown; nothing
    /// else is decoded yet.
    @concurrent
    package func strip(at path: String, keepLocation: Bool) async throws -> StrippedPicture {
        let stripped = try StrippedPicture(read(path), keepingLocation: keepLocation, limits: limits)
        guard stripped.hidesPixels else { return stripped }
        let shown = try await inWorkspace { workspace in
            try await fullSize(stripped, keepsMetadata: true, in: workspace)
        }
        return try StrippedPicture(shown, keepingLocation: keepLocation, limits: limits)
    }

    /// Makes the renditions of a picture.
    @concurrent
    package func importPicture(_ stripped: StrippedPicture) async throws -> ImportedPicture {
        let workspace = try ImportWorkspace(in: temporaryFolder, randomness)
        do {
            let path = try workspace.write(stripped)
            let preview = try await renditions.make(.preview, of: path, stripped, in: workspace.path)
            // Made of the preview, the thumbnail spares decoding the original twice.
            let thumbnail = try await renditions.makeThumbnail(in: workspace.path)
            return ImportedPicture(
                format: .picture(stripped.format),
                width: stripped.width,
                height: stripped.height,
                takenMilliseconds: stripped.taken?.milliseconds(assuming: timeZone),
                coordinates: stripped.coordinates,
                durationMilliseconds: nil,
                sharedPath: path,
                thumbnail: thumbnail,
                preview: preview,
                workspace: workspace
            )
        } catch {
            workspace.remove()
            throw error
        }
    }

    /// Makes a JPEG with all pixels of a picture that was shared, for programs that do not show its format: upright,
    /// sRGB, without metadata.
    @concurrent
    package func fullSize(of shared: [UInt8]) async throws -> [UInt8] {
        let stripped = try StrippedPicture(shared, keepingLocation: false, limits: limits)
        return try await inWorkspace { try await fullSize(stripped, keepsMetadata: false, in: $0) }
    }

    private func fullSize(
        _ stripped: StrippedPicture,
        keepsMetadata: Bool,
        in workspace: ImportWorkspace
    ) async throws -> [UInt8] {
        let path = try workspace.write(stripped)
        return try await renditions.make(.full, of: path, stripped, keepsMetadata: keepsMetadata, in: workspace.path)
    }

    private func inWorkspace<Result>(_ body: (ImportWorkspace) async throws -> Result) async throws -> Result {
        let workspace = try ImportWorkspace(in: temporaryFolder, randomness)
        defer { workspace.remove() }
        return try await body(workspace)
    }

    private func read(_ path: String) throws -> [UInt8] {
        try reading(path) { file in
            let length = try file.length
            try limits.admit(bytes: length)
            return try file.read(upTo: Int(length), at: 0)
        }
    }

    /// Reads of the file at `path`, and says what keeps it from being read.
    func reading<Result>(_ path: String, _ body: (borrowing File) throws -> Result) throws -> Result {
        do {
            return try body(File(path, for: .reading))
        } catch BlobStoreError.system(_, _, let code) {
            throw ImportError.unreadable(File.message(for: code))
        } catch is BlobStoreError {
            throw ImportError.unreadable("the file changed while it was read")
        }
    }
}
