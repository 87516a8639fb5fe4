// SPDX-License-Identifier: Apache-2.0

extension PictureImporter {
    /// Whether the file at `path` is a moving picture, by its first bytes.
    package func isClip(at path: String) throws -> Bool {
        try reading(path) { file in
            ClipContainer.begins(try file.read(upTo: PictureFormat.signatureLength, at: 0))
        }
    }

    /// Makes a clip of the video at `path`, which stays as it is; throws as ``importPicture(at:keepLocation:)`` does.
    ///
    /// A clip is encoded anew, so nothing of the video is shared but what is seen and heard. Its first picture is what
    /// stands for it.
    @concurrent
    package func importClip(at path: String) async throws -> ImportedPicture {
        try reading(path) { try limits.admit(bytes: $0.length) }
        let workspace = try ImportWorkspace(in: temporaryFolder, randomness)
        do {
            let milliseconds = try await clips.encode(path, in: workspace.path)
            let first = try await clips.makePoster(in: workspace.path)
            let poster = try StrippedPicture(first, keepingLocation: false, limits: limits)
            let still = try workspace.write(poster)
            let preview = try await renditions.make(.preview, of: still, poster, in: workspace.path)
            let thumbnail = try await renditions.makeThumbnail(in: workspace.path)
            return ImportedPicture(
                format: .clip,
                width: poster.width,
                height: poster.height,
                takenMilliseconds: nil,
                coordinates: nil,
                durationMilliseconds: milliseconds,
                sharedPath: "\(workspace.path)/\(ClipEncoder.file)",
                thumbnail: thumbnail,
                preview: preview,
                workspace: workspace
            )
        } catch {
            workspace.remove()
            throw error
        }
    }
}
