// SPDX-License-Identifier: Apache-2.0

import CMalloc
import Foundation
import MingleModel

/// Times a piece of work.
enum Stopwatch {
    /// Seconds that all threads of this process have computed.
    static var processorSeconds: Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

    /// Seconds that `body` takes.
    static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let duration = try ContinuousClock().measure(body)
        return Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
    }
}

/// The memory of a process, as Linux counts it.
enum ProcessMemory {
    /// Lets ``peak(of:)`` begin anew at what is in use now.
    static func resetPeak() throws {
        // What earlier work has freed is not this work's.
        malloc_trim(0)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "/proc/self/clear_refs"))
        try file.write(contentsOf: Data("5".utf8))
        try file.close()
    }

    /// Bytes that were resident at most, of this process or of the one with the number `process`.
    static func peak(of process: String = "self") throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
    }
}

/// The computing of a process, as Linux counts it.
enum ProcessTime {
    /// Linux tells programs of hundredths of a second, on whichever machine.
    private static let ticksPerSecond = 100.0

    /// Seconds of processor time that the process with the number `process` has used, over all threads.
    static func used(by process: String) throws -> Double {
        let words = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        // The program's name may hold anything; behind it the 12th and 13th words are what is meant (proc(5)).
        let fields = words.split(separator: ")").last?.split(separator: " ") ?? []
        return fields.dropFirst(11).prefix(2).reduce(0) { $0 + (Double($1) ?? 0) } / ticksPerSecond
    }
}

/// Random numbers that follow from a seed (SplitMix64), so that every round and run works on the same records.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count { next().appendBigEndian(to: &bytes) }
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}
