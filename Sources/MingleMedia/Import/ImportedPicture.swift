// SPDX-License-Identifier: Apache-2.0

/// A picture or clip ready to be shared: the stripped original and its renditions.
package struct ImportedPicture: Sendable {
    /// What the original is.
    package let format: SharedFormat
    /// Pixels across as people see it.
    package let width: Int
    /// Pixels down as people see it.
    package let height: Int
    /// When it was taken, in milliseconds since 1970, UTC; nil if the camera did not say.
    package let takenMilliseconds: Int64?
    /// Where it was taken; nil unless the person keeps the location.
    package let coordinates: Coordinates?
    /// How long a clip is; nil for what stands still.
    package let durationMilliseconds: Int64?
    /// Where the stripped original lies, in a folder that ``discard()`` removes.
    package let sharedPath: String
    /// A JPEG that fits into 320 by 320 pixels.
    package let thumbnail: [UInt8]
    /// A JPEG that fits into 1440 by 1440 pixels.
    package let preview: [UInt8]
    let workspace: ImportWorkspace

    /// The bytes of the stripped original.
    package func sharedBytes() throws -> [UInt8] {
        let file = try File(sharedPath, for: .reading)
        return try file.read(upTo: Int(file.length), at: 0)
    }

    /// Removes the temporary files, once the original is stored.
    package func discard() { workspace.remove() }
}
