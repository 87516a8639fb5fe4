// SPDX-License-Identifier: Apache-2.0

package import MingleModel

/// The blobs that nobody but a node that leaves is known to hold: of what its person shared, and of those who left before.
///
/// It is a value without clocks and I/O, asked about once a second.
package struct HandOver: Sendable {
    /// How often others are asked about what is left: news of a blob that became whole while it was asked about may be missed.
    private static let interval = Duration.seconds(60)

    /// What is not known to be whole at anybody else's.
    package private(set) var left: Set<BlobName> = []
    private var handed: Set<BlobName> = []
    /// Whose word that they hold something counts for nothing any more.
    private var whoLeft: Set<PersonID> = []
    /// Whether there may be others than were listed.
    package private(set) var isStale = true
    /// When others were asked last; nil if they are to be asked now.
    private var askedAt: Duration?

    /// Begins with nothing listed.
    package init() {}

    /// Something was shared, or somebody left.
    package mutating func noteChange() { isStale = true }

    /// Takes what there is to be handed over now, and who has left by now: what was handed to such a person may be nowhere else.
    package mutating func list(_ names: [BlobName], whoLeft: Set<PersonID>) {
        if !whoLeft.isSubset(of: self.whoLeft) { handed = [] }
        self.whoLeft = whoLeft
        (left, isStale, askedAt) = (Set(names).subtracting(handed), false, nil)
    }

    /// Somebody else's device holds some blobs whole.
    package mutating func noteHolding(_ names: [BlobName]) {
        handed.formUnion(left.intersection(names))
        left.subtract(names)
    }

    /// The blobs about which others are to be asked now; nil if they were.
    package mutating func question(at now: Duration) -> [BlobName]? {
        if let askedAt, left.isEmpty || now - askedAt < Self.interval { return nil }
        askedAt = now
        return left.sorted()
    }
}
