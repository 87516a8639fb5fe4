// SPDX-License-Identifier: Apache-2.0

import CSodium

/// Secret bytes in guarded, locked memory, wiped when the last owner lets go.
///
/// The bytes are never copied by passing the secret on: they have one place, which has one owner. A secret has no description,
/// no equality and no coding, so it cannot slip into a log or a dump.
@safe
package final class Secret: Sendable {
    /// How many bytes the secret has.
    package let count: Int
    // Written only in `init`.
    private nonisolated(unsafe) let memory: UnsafeMutableRawPointer
    /// Where it lies among others; nil if it is too long for that.
    private let slot: SecretMemory.Slot?

    /// Takes `bytes` into guarded memory.
    ///
    /// The caller's copy is the caller's to forget.
    package convenience init(_ bytes: [UInt8]) {
        unsafe self.init(count: bytes.count) { memory in
            for index in bytes.indices { unsafe memory[index] = bytes[index] }
        }
    }

    /// Allocates `count` bytes and lets `body` write them.
    init(count: Int, filledBy body: (UnsafeMutablePointer<UInt8>) -> Void) {
        Sodium.require()
        slot = count <= SecretMemory.slotLength ? SecretMemory.shared.take() : nil
        unsafe memory = slot?.pointer ?? SecretMemory.allocate(count)
        unsafe body(memory.assumingMemoryBound(to: UInt8.self))
        self.count = count
    }

    deinit {
        if let slot { SecretMemory.shared.giveBack(slot) } else { unsafe sodium_free(memory) }
    }

    /// Lends the bytes for the length of `body`.
    package func withBytes<Result, Failure: Error>(
        _ body: (borrowing Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let bytes = unsafe Span<UInt8>(
            _unsafeStart: memory.assumingMemoryBound(to: UInt8.self),
            count: count
        )
        return try body(bytes)
    }

    /// Copies the bytes out, for the few places that store or send them sealed.
    package func exposed() -> [UInt8] {
        withBytes { bytes in
            var copy: [UInt8] = []
            copy.reserveCapacity(bytes.count)
            for index in bytes.indices { copy.append(bytes[index]) }
            return copy
        }
    }

    /// Lends the pointer to this module's C calls.
    func withPointer<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        unsafe body(UnsafePointer(memory.assumingMemoryBound(to: UInt8.self)))
    }
}
