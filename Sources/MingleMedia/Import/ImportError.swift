// SPDX-License-Identifier: Apache-2.0

/// Why a picture was not taken; the description is for the person who chose it.
package enum ImportError: Error, Equatable {
    /// The file has no bytes.
    case empty
    /// The file is none of the formats of ``PictureFormat``.
    case notAPicture
    /// The file seems to be a video, and none that can be decoded.
    case notAClip
    /// The video is shorter than a clip.
    case tooShort
    /// The file ends before the picture does.
    case cutShort
    /// The file contradicts its own format.
    case damaged(String)
    /// The picture is beyond a limit of ``ImportLimits``.
    case tooLarge(String)
    /// After stripping, the file still was not free of what must not be shared.
    case locationStays
    /// A program that the import needs is not installed.
    case toolMissing(program: String, package: String)
    /// Decoding took longer than the limits allow.
    case timedOut
    /// There was no room for what is made of the picture.
    case noSpace
    /// The file or the temporary folder could not be used.
    case unreadable(String)
}

extension ImportError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .empty:
            "This file is empty. Copy it again from the original."
        case .notAPicture:
            "This file is not a picture that can be shared. Choose a JPEG, PNG, WebP, GIF, HEIC or AVIF file."
        case .notAClip:
            "This file is not a clip that can be shared. Choose an MP4, MOV or WebM file as phones record them."
        case .tooShort:
            "This clip is shorter than 5 seconds. Choose one of 5 to 10 seconds."
        case .cutShort:
            "The picture is incomplete because part of the file is missing. Copy it again from the original."
        case .damaged(let detail):
            "The picture is damaged (\(detail)). Open it in another program and save it again."
        case .tooLarge(let detail):
            "The picture is too large (\(detail)). Make it smaller and try again."
        case .locationStays:
            "The picture was not shared because something in it that is not seen could not be removed. Save it again in "
                + "another program."
        case .toolMissing(let program, let package):
            "This cannot be prepared because \(program.split(separator: "/").last ?? "a program") is not installed. "
                + "Install it: apt install \(package)."
        case .noSpace:
            "The picture could not be prepared because the disk is full. Free some space and try again."
        case .timedOut:
            "The picture took too long to decode. Open it in another program and save it again."
        case .unreadable(let detail):
            "The picture could not be read: \(detail)."
        }
    }
}
