// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import MingleModel
import Synchronization

/// How far long work is, on the error stream; only where a person looks.
final class Progress: Sendable {
    private struct State {
        var done = 0
        /// When it was shown last; at first at once, as work may begin with something long.
        var shown: ContinuousClock.Instant?
    }

    private let what: String
    private let total: Int
    /// Whether somebody looks: the error stream is a terminal, and nobody asked for JSON.
    let isShown: Bool
    private let state = Mutex(State())

    init(_ what: String, total: Int = 0) {
        (self.what, self.total) = (what, total)
        isShown = isatty(STDERR_FILENO) == 1 && !CommandLine.arguments.contains("--json")
    }

    /// Notes that so much more is done; shown at most ten times a second.
    func add(_ count: Int) { show(of: total) { $0 += count } }

    /// Notes that so much is done of as much as turned out.
    func set(_ done: Int, of total: Int) { show(of: total) { $0 = done } }

    private func show(of total: Int, _ change: (inout Int) -> Void) {
        let line = state.withLock { state -> String? in
            change(&state.done)
            let now = ContinuousClock.now
            guard isShown, state.shown.map({ now - $0 > .milliseconds(100) }) ?? true else { return nil }
            state.shown = now
            return "\r\(what.onTerminal()): \(total > 0 ? state.done * 100 / total : 100) %\u{1B}[K"
        }
        if let line { FileHandle.standardError.write(Data(line.utf8)) }
    }

    /// Clears the line.
    func finish() {
        if isShown { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
    }

    /// Runs `work`, and clears the line when it ends, however it does.
    func shown<Result>(_ work: () throws -> Result) rethrows -> Result {
        defer { finish() }
        return try work()
    }

    /// Runs `work`, and clears the line when it ends, however it does.
    func shown<Result>(_ work: () async throws -> Result) async rethrows -> Result {
        defer { finish() }
        return try await work()
    }
}
