// SPDX-License-Identifier: Apache-2.0

import MingleModel

/// The latest references and their rows, up to twice a limit: when the younger half is full, the older is forgotten.
struct RecentRows {
    private typealias Entries = [UInt64: (reference: Reference, row: Int64)]

    private static let limit = 16_384
    /// By the part of the reference that is a hash already.
    private var younger: Entries = [:]
    private var older: Entries = [:]

    subscript(reference: Reference) -> Int64? {
        get {
            guard let entry = younger[reference.hash] ?? older[reference.hash], entry.reference == reference else {
                return nil
            }
            return entry.row
        }
        set {
            if younger.count >= Self.limit { (older, younger) = (younger, [:]) }
            younger[reference.hash] = newValue.map { (reference, $0) }
        }
    }
}
