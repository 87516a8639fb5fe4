// SPDX-License-Identifier: Apache-2.0

package import MingleModel
import Synchronization

/// Signatures that were found valid before.
///
/// Where many replicas live in one process, as in a simulation, each checks what all the others have checked: whether a
/// signature is valid depends on nothing else than the signature, the message and the key.
package final class KnownSignatures: Sendable {
    private let limit: Int
    private let known = Mutex<Set<Bytes32>>([])

    /// Remembers up to `limit` signatures; one more, and it begins anew.
    package init(limit: Int = 1 << 17) { self.limit = limit }

    /// Whether the holder of the key behind `publicKey` signed `message`.
    package func isValid(_ signature: Signature, for message: [UInt8], by publicKey: Bytes32) -> Bool {
        let name = Blake2b.hash(.signature, publicKey.bytes + signature.bytes + message)
        if known.withLock({ $0.contains(name) }) { return true }
        guard signature.isValid(for: message, by: publicKey) else { return false }
        known.withLock { known in
            if known.count >= limit { known = [] }
            known.insert(name)
        }
        return true
    }
}

extension Signature {
    /// Whether the holder of the key behind `publicKey` signed `message`; what `known` remembers is not checked again.
    package func isValid(for message: [UInt8], by publicKey: Bytes32, known: KnownSignatures?) -> Bool {
        known?.isValid(self, for: message, by: publicKey) ?? isValid(for: message, by: publicKey)
    }
}
