// SPDX-License-Identifier: Apache-2.0

/// What a file is that is shared.
package enum SharedFormat: Hashable, Sendable {
    /// A picture that stands still.
    case picture(PictureFormat)
    /// A picture that moves: H.264 and AAC in MP4, as every browser plays it.
    case clip

    /// All that there are.
    package static let all = PictureFormat.allCases.map(Self.picture) + [.clip]

    /// The media type (RFC 6838).
    package var mediaType: String {
        switch self {
        case .picture(let format): format.mediaType
        case .clip: "video/mp4"
        }
    }

    /// How a file of this format ends.
    package var fileExtension: String {
        switch self {
        case .picture(let format): format.fileExtension
        case .clip: "mp4"
        }
    }

    /// How files of this format may end, in small letters.
    package var endings: Set<String> {
        switch self {
        case .picture(let format): format.endings
        case .clip: ["mp4", "m4v"]
        }
    }
}
