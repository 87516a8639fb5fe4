// SPDX-License-Identifier: Apache-2.0

import Glibc
import MingleModel

/// Everything that happened in a run: a running hash of it, and a file of its lines if wanted.
struct Trace {
    /// What kind of thing happened.
    enum Mark: String {
        case opened, closed, sent, heard, fed, merged, authored, stored, slept, woke, crashed, cut, blocked, healed
        case jumped, arrived, checked, copied, renewed, flipped
    }

    private(set) var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    /// How many things happened.
    private(set) var count = 0
    private var lines: [UInt8] = []
    private let file: TraceFile?

    /// Begins a trace; its lines go to the file at `path`, if there is one.
    init(path: String?) throws(SimulationError) {
        if let path { file = try TraceFile(path) } else { file = nil }
    }

    /// Notes that something happened; every number goes into the hash.
    mutating func note(_ mark: Mark, at time: Duration, _ numbers: UInt64...) {
        count += 1
        let (seconds, attoseconds) = time.components
        let microseconds = UInt64(seconds) * 1_000_000 + UInt64(attoseconds / 1_000_000_000_000)
        mix(microseconds)
        for byte in mark.rawValue.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        for number in numbers { mix(number) }
        guard let file else { return }
        let words = numbers.map { String($0, radix: 16) }.joined(separator: " ")
        lines += Array("\(microseconds) \(mark.rawValue) \(words)\n".utf8)
        if lines.count > 1 << 16 { flush(to: file) }
    }

    /// Writes the lines that are not written yet.
    mutating func finish() throws(SimulationError) {
        guard let file else { return }
        flush(to: file)
        if file.isBroken { throw .trace(path: file.path) }
    }

    private mutating func flush(to file: TraceFile) {
        file.write(lines)
        lines = []
    }

    private mutating func mix(_ number: UInt64) {
        hash = (hash ^ number) &* 0x100_0000_01b3
        hash ^= hash >> 29
    }

    /// A short hash of bytes, to be noted: of eight at a time, as there are many.
    static func digest(_ bytes: [UInt8]) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ UInt64(bytes.count)
        var place = 0
        while place + 8 <= bytes.count {
            hash = (hash ^ UInt64(bigEndianAt: place, of: bytes.span)) &* 0x100_0000_01b3
            hash ^= hash >> 29
            place += 8
        }
        for byte in bytes[place...] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return hash
    }
}

/// The file of a trace.
final class TraceFile {
    let path: String
    private let descriptor: Int32
    /// Whether the disk refused some of it.
    private(set) var isBroken = false

    /// Makes the file anew.
    init(_ path: String) throws(SimulationError) {
        self.path = path
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SimulationError.trace(path: path) }
    }

    deinit { _ = close(descriptor) }

    /// Appends bytes, until the disk refuses some.
    func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty, !isBroken {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            isBroken = count <= 0
            rest = rest.dropFirst(max(0, count))
        }
    }
}
