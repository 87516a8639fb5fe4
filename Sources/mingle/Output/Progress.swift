// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization

/// How far long work is, on the error stream; only where a person looks.
final class Progress: Sendable {
    private struct State {
        var done = 0
        var shown = ContinuousClock.now
    }

    private let what: String
    private let total: Int
    private let isShown: Bool
    private let state = Mutex(State())

    init(_ what: String, total: Int) {
        (self.what, self.total) = (what, total)
        isShown = isatty(STDERR_FILENO) == 1 && !CommandLine.arguments.contains("--json")
    }

    /// Notes that so much more is done; shown at most ten times a second.
    func add(_ count: Int) {
        let line = state.withLock { state -> String? in
            state.done += count
            guard isShown, ContinuousClock.now - state.shown > .milliseconds(100) else { return nil }
            state.shown = ContinuousClock.now
            return "\r\(what): \(total > 0 ? state.done * 100 / total : 100) %\u{1B}[K"
        }
        if let line { FileHandle.standardError.write(Data(line.utf8)) }
    }

    /// Clears the line.
    func finish() {
        if isShown { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
    }
}
