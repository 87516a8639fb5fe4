// SPDX-License-Identifier: Apache-2.0

extension API {
    /// How far files are copied, in bytes.
    package struct Copied: Codable, Hashable, Sendable {
        package var done: Int
        package var total: Int
    }
}

/// Copying of files, and somebody who is told how far it is.
struct Copying {
    private let tell: (API.Copied) -> Void
    private var copied: API.Copied

    /// Nothing is copied yet of `total` bytes.
    init(total: Int, tell: @escaping (API.Copied) -> Void) {
        (copied, self.tell) = (API.Copied(done: 0, total: total), tell)
        tell(copied)
    }

    /// Notes that a file is copied; what grew meanwhile counts as it was.
    mutating func add(_ bytes: Int) {
        copied.done = min(copied.done + bytes, copied.total)
        tell(copied)
    }
}
