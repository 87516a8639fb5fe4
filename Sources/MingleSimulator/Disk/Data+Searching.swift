// SPDX-License-Identifier: Apache-2.0

import CSimulatedDisk
import Foundation

extension Data {
    /// Whether some bytes stand anywhere in these: whole disks are looked through for each key, so it is left to the C library.
    func contains(bytes needle: Data) -> Bool {
        unsafe withUnsafeBytes { all in
            unsafe needle.withUnsafeBytes { part in
                guard let start = all.baseAddress, let sought = part.baseAddress else { return false }
                return unsafe simulated_disk_contains(start, all.count, sought, part.count)
            }
        }
    }
}
