// SPDX-License-Identifier: Apache-2.0

package import MingleModel

/// Blobs that an earlier run of a node left, until it is known which of them no record speaks of: a stop between an erasing and the
/// deletion of its files would keep these for ever.
package struct Inheritance: Sendable {
    /// All that lay there at the start.
    package let names: [BlobName]
    /// Whether the words beside them are gone, and have not all come again: what lies there may be the only copy.
    ///
    /// It is to be kept over a stop, as words that come one after the other look like all.
    package let areWordsLost: Bool

    /// Takes over what is there at a start.
    ///
    /// - Parameters:
    ///   - holdsWords: whether the replica has anything that somebody said.
    ///   - wereWordsLost: whether an earlier run found them gone and has not seen them come back.
    package init(_ names: [BlobName], holdsWords: Bool, wereWordsLost: Bool) {
        self.names = names
        areWordsLost = !names.isEmpty && (wereWordsLost || !holdsWords)
    }

    /// Those of which no record speaks; nil while nobody can tell.
    ///
    /// - Parameters:
    ///   - mentioned: what records speak of, and what is held back; nil without a key to read them.
    ///   - isLevel: whether this node holds all that some member does.
    package func orphans(besides mentioned: Set<BlobName>?, isLevel: Bool) -> [BlobName]? {
        guard let mentioned, isLevel || !areWordsLost else { return nil }
        return names.filter { !mentioned.contains($0) }
    }
}
