// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The limit of open files of this process.
package enum OpenFiles {
    /// Raises the limit to the most that the system allows: each connection needs one, and pictures some.
    package static func allowMany() {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = min(limit.rlim_max, 65_536)
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
