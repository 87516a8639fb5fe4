// SPDX-License-Identifier: Apache-2.0

import CSodium

/// Libsodium, initialised: every wrapper of this module asks for it first.
///
/// Without `sodium_init`, guarded allocation aborts the process.
enum Sodium {
    private static let isReady: Bool = sodium_init() >= 0

    /// Stops the program if libsodium cannot start; nothing here could go on safely.
    static func require() { precondition(isReady, "libsodium could not be initialised") }
}
