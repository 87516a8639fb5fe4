// SPDX-License-Identifier: Apache-2.0

/// How much unfinished uploads may take, and for how long.
package struct UploadLimits: Sendable {
    /// Unfinished uploads and the bytes that they announce.
    package struct Share: Sendable {
        package var uploads: Int
        package var bytes: Int

        /// Sets both limits.
        package init(uploads: Int, bytes: Int) { (self.uploads, self.bytes) = (uploads, bytes) }
    }

    /// Bytes of one picture.
    package var length = 128 << 20
    /// The share of one owner.
    package var ofOwner = Share(uploads: 32, bytes: 1 << 30)
    /// The share of all owners.
    package var inAll = Share(uploads: 1000, bytes: 16 << 30)
    /// Outcomes that are kept.
    package var outcomes = 2000
    /// How long an upload lives after it began, and its outcome after it was shared, in milliseconds.
    package var lifetime: Int64 = 24 * 3_600_000
    /// How long nothing came before an upload makes room for a new one of its owner, in milliseconds.
    package var patience: Int64 = 3_600_000

    /// The limits of a node.
    package init() {}
}

extension UploadLimits {
    /// What the limits say of one more upload.
    enum Verdict: Equatable, Sendable {
        /// It may begin after these were dropped.
        case allowed(dropping: [String])
        /// Its owner has too much unfinished.
        case ownerIsFull
        /// All owners together have too much unfinished.
        case allIsFull
    }

    /// One unfinished upload, as the limits count it.
    struct Unfinished: Sendable {
        let id: String
        let owner: String
        let length: Int
        /// When bytes last came, in milliseconds since 1970.
        let touched: Int64
    }

    /// Decides on one more upload of `length` bytes: an owner's uploads that nobody goes on with make room for it.
    func verdict(on length: Int, of owner: String, beside unfinished: [Unfinished], at now: Int64) -> Verdict {
        var dropped: [String] = []
        var (own, all) = (unfinished.filter { $0.owner == owner }.sorted { $0.touched < $1.touched }, unfinished)
        while !ofOwner.holds(own, and: length) || !inAll.holds(all, and: length) {
            guard let oldest = own.first, now - oldest.touched >= patience else {
                return ofOwner.holds(own, and: length) ? .allIsFull : .ownerIsFull
            }
            dropped.append(oldest.id)
            own.removeFirst()
            all.removeAll { $0.id == oldest.id }
        }
        return .allowed(dropping: dropped)
    }
}

extension UploadLimits.Share {
    fileprivate func holds(_ uploads: [UploadLimits.Unfinished], and length: Int) -> Bool {
        uploads.count < self.uploads && uploads.reduce(length) { $0 + $1.length } <= bytes
    }
}
