// SPDX-License-Identifier: Apache-2.0

import CSodium
import Synchronization

/// Guarded, locked memory in which many short secrets lie side by side.
///
/// An allocation of libsodium's for each secret would take four mappings and 8 KiB, and a process may have 65 530 mappings
/// (`vm.max_map_count`): a relay of a large event would end for want of them. So short secrets share slabs that libsodium
/// allocates. What is given back is wiped and used again; slabs are kept, 64 KiB for each 1 024 secrets there ever were at once.
@safe
final class SecretMemory: Sendable {
    /// The memory of this process.
    static let shared = SecretMemory()
    /// The longest secret that lies in a slab, in bytes: the secret half of an Ed25519 key pair.
    static let slotLength = 64
    private static let slotsPerSlab = 1024

    /// A place for one secret, all zeros.
    ///
    /// @unchecked because it belongs to one secret at a time.
    @safe
    struct Slot: @unchecked Sendable {
        let pointer: UnsafeMutableRawPointer
    }

    private let free = Mutex<[Slot]>([])

    private init() {}

    /// A place that nobody else has, until it is given back.
    func take() -> Slot {
        free.withLock { free in
            if free.isEmpty { free = Self.slab() }
            return free.removeLast()
        }
    }

    /// Wipes a place, for the next secret.
    func giveBack(_ slot: Slot) {
        unsafe sodium_memzero(slot.pointer, Self.slotLength)
        free.withLock { $0.append(slot) }
    }

    /// Memory for a secret that is too long for a slab, by itself.
    static func allocate(_ count: Int) -> UnsafeMutableRawPointer {
        guard let memory = unsafe sodium_malloc(count) else {
            preconditionFailure("no locked memory left for secrets: raise the limit of locked memory (ulimit -l)")
        }
        return unsafe memory
    }

    private static func slab() -> [Slot] {
        let slab = unsafe allocate(slotsPerSlab * slotLength)
        unsafe sodium_memzero(slab, slotsPerSlab * slotLength)
        return (0..<slotsPerSlab).map { unsafe Slot(pointer: slab + $0 * slotLength) }
    }
}
