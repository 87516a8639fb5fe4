// SPDX-License-Identifier: Apache-2.0

import CSodium

/// Where random bytes come from; handed in, so that the simulator can replay a run.
package struct Randomness: Sendable {
    private let fill: @Sendable (Int) -> [UInt8]

    /// Draws from `fill`, which returns as many bytes as asked for.
    package init(_ fill: @escaping @Sendable (Int) -> [UInt8]) { self.fill = fill }

    /// The system's generator, through libsodium.
    package static let system = Randomness { count in
        Sodium.require()
        var bytes = [UInt8](repeating: 0, count: count)
        unsafe randombytes_buf(&bytes, count)
        return bytes
    }

    /// `count` random bytes.
    package func bytes(_ count: Int) -> [UInt8] { fill(count) }

    /// `count` random bytes that are a secret from the start.
    package func secret(_ count: Int = 32) -> Secret { Secret(fill(count)) }
}
