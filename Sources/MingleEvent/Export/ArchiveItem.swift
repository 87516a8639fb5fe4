// SPDX-License-Identifier: Apache-2.0

package import MingleMedia

/// A file of an archive, or a piece of one.
package enum ArchiveItem: Sendable {
    /// A photo.
    case photo(ArchivedPhoto)
    /// The next piece of a text; the pieces of a file follow each other.
    case text(String, of: ArchivedText)
}

/// A text as a file of an archive.
package struct ArchivedText: Hashable, Sendable {
    /// The file's path in the archive.
    package let path: String
    /// When it was made: milliseconds since 1970, UTC.
    package let milliseconds: Int64
    /// The same, where the event is.
    package let time: LocalTime
}

/// What an archive holds, in its order; what comes next is read when it is asked for.
package protocol ArchiveItems: Sendable {
    /// The next file or piece; nil behind the last.
    mutating func next() throws -> ArchiveItem?
}

/// Photos and nothing else.
package struct ArchivedPhotos: ArchiveItems {
    private var photos: ArraySlice<ArchivedPhoto>

    package init(_ photos: [ArchivedPhoto]) { self.photos = photos[...] }

    package mutating func next() -> ArchiveItem? { photos.popFirst().map(ArchiveItem.photo) }
}
