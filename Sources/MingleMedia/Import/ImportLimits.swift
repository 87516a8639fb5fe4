// SPDX-License-Identifier: Apache-2.0

/// What one import may take; a picture beyond it is refused.
package struct ImportLimits: Sendable {
    /// Bytes of the picture's file.
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
