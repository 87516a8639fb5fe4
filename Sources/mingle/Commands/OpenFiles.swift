// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The limit of what this process may hold open.
enum OpenFiles {
    /// Takes as many open files as the system gives: one for each connection, and some for pictures.
    static func allowMany() {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = min(limit.rlim_max, 65_536)
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
