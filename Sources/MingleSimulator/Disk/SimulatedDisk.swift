// SPDX-License-Identifier: Apache-2.0

import CSimulatedDisk
import Synchronization

/// A disk in memory for the SQLite files of one node, which fails as real ones do.
///
/// SQLite reaches it by a VFS, so that the replica above is the one that is shipped. One thread may use it at a time.
final class SimulatedDisk {
    private static let count = Atomic<UInt64>(0)
    /// Occurrences of a mark that are looked at.
    private static let numberLimit = 1 << 18

    /// What the paths of its files begin with.
    let prefix: String

    /// Makes an empty disk.
    init() {
        prefix = "\(SIMULATED_DISK_ROOT)\(Self.count.add(1, ordering: .relaxed).newValue)/"
        let isThere = unsafe simulated_disk_install() && simulated_disk_add(prefix)
        precondition(isThere, "there is no memory for another simulated disk")
    }

    deinit { unsafe simulated_disk_remove(prefix) }

    /// The path of a file on it.
    func path(of name: String) -> String { prefix + name }

    /// Bytes that its files take.
    var size: Int { Int(unsafe simulated_disk_size(prefix)) }

    /// Whether ``cutPower(after:)`` has come to pass.
    var hasFailed: Bool { unsafe simulated_disk_has_failed(prefix) }

    /// Cuts open files off, as when the program is killed; with `losses`, also loses or tears some of what was not
    /// synchronized, as when the power is cut.
    func crash(losses: Bool, seed: UInt64) { unsafe simulated_disk_crash(prefix, losses, seed) }

    /// Cuts the power in the midst of what goes on, after so many further writes and synchronizations; nil for never.
    func cutPower(after operations: Int?) { unsafe simulated_disk_fail_after(prefix, Int64(operations ?? -1)) }

    /// Leaves so many bytes of room besides what is stored; nil for any number.
    func leaveRoom(_ bytes: Int?) { unsafe simulated_disk_limit(prefix, bytes.map { Int64(size + $0) } ?? -1) }

    /// Flips bits of a file, as the seed has it; false if there is no such file, or nothing in it.
    func flip(_ count: Int, in name: String, seed: UInt64) -> Bool {
        unsafe simulated_disk_flip(path(of: name), Int32(count), seed)
    }

    /// Holds what another disk holds, and nothing else.
    func hold(whatIsOn other: SimulatedDisk) { unsafe _ = simulated_disk_copy(other.prefix, prefix) }

    /// The numbers that stand between a mark and a semicolon, wherever in any of its files; 0 for a mark without one.
    func numbers(behind mark: String) -> Set<UInt64> {
        let mark = Array(mark.utf8)
        let numbers = unsafe [UInt64](unsafeUninitializedCapacity: Self.numberLimit) { buffer, count in
            count = unsafe simulated_disk_numbers(prefix, mark, mark.count, buffer.baseAddress, buffer.count)
        }
        return Set(numbers)
    }

    /// What its files hold.
    var contents: [[UInt8]] {
        var contents: [[UInt8]] = []
        var count = 0
        while let bytes = unsafe simulated_disk_file(prefix, contents.count, &count) {
            contents.append(unsafe Array(UnsafeBufferPointer(start: bytes, count: count)))
        }
        return contents
    }
}
