// SPDX-License-Identifier: Apache-2.0

/// What one import may take; a picture beyond it is refused.
package struct ImportLimits: Sendable {
    /// Bytes of the file.
    package var pictureBytes: Int64 = 128 << 20
    /// Pixels of the picture.
    package var pixels = 200_000_000
    /// Pixels of its longer side: as many as a JPEG can have, in which it is shown.
    package var side = 65_535
    /// Seconds of processor time for each decoding.
    package var processorTime: Duration = .seconds(20)
    /// How long each decoding may take on the clock.
    package var wallTime: Duration = .seconds(30)
    /// Bytes of address space for each decoding.
    package var memory: Int64 = 3 << 30
    /// Bytes of each file that decoding writes, its scratch files included.
    package var fileSize: Int64 = 1 << 30
    /// What measures ``wallTime``.
    package var clock: any Clock<Duration> = ContinuousClock()

    /// The limits for pictures that people take with cameras and phones.
    package init() {}

    /// The same, but for the time that encoding a clip takes on a small machine.
    var forClips: ImportLimits {
        var limits = self
        (limits.processorTime, limits.wallTime) = (processorTime * 5, wallTime * 3)
        return limits
    }

    /// Throws `empty` or `tooLarge` for a file of so many bytes.
    func admit(bytes: Int64) throws(ImportError) {
        guard bytes > 0 else { throw .empty }
        guard bytes <= pictureBytes else {
            throw .tooLarge("\(bytes >> 20) MiB, and the limit is \(pictureBytes >> 20) MiB")
        }
    }

    /// Throws `tooLarge` if decoding what `outline` claims would go beyond the limits.
    func admit(_ outline: PictureOutline) throws(ImportError) {
        let size = "\(outline.width) × \(outline.height) pixels"
        guard max(outline.width, outline.height) <= side else {
            throw .tooLarge("\(size), and the limit for one side is \(side)")
        }
        guard outline.largestPart <= pixels else {
            throw .tooLarge("\(size), and the limit is \(pixels / 1_000_000) megapixels")
        }
    }
}
