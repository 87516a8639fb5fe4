// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A yes or no that several queues share.
final class Flag: Sendable {
    private let value = Mutex(false)

    /// What it says now.
    var isSet: Bool { value.withLock { $0 } }

    /// Sets it, and returns what it said before.
    func exchange(_ new: Bool) -> Bool {
        value.withLock { value in
            defer { value = new }
            return value
        }
    }
}
