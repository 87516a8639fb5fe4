// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Until when a connection may be as it is: a value without I/O.
struct ConnectionDeadline {
    private enum Reading {
        /// No byte of a next request came.
        case nothing
        /// A request's head came in part, since then.
        case head(NIODeadline)
        /// A body came in part. The server has waited for more since then; nil if it does not wait.
        case body(NIODeadline?)
    }

    private let limits: ServerLimits
    private var reading = Reading.nothing
    private var unanswered = 0
    private var quiet: NIODeadline
    /// Since when more waits for the client to read than the channel takes; nil if it takes more.
    private var blocked: NIODeadline?
    private var closing: NIODeadline?

    /// A connection that opens now.
    init(_ limits: ServerLimits, at now: NIODeadline) { (self.limits, quiet) = (limits, now) }

    /// When the connection is to be closed; nil while only the server may keep the client waiting.
    var deadline: NIODeadline? {
        if let closing { return closing + limits.closing }
        if let blocked { return blocked + limits.unread }
        switch reading {
        case .body(let since): return since.map { $0 + limits.body }
        case .head(let since): return unanswered == 0 ? since + limits.head : nil
        case .nothing: return unanswered == 0 ? quiet + limits.idle : nil
        }
    }

    /// The server asks the system for bytes.
    mutating func readBegan(at now: NIODeadline) {
        if case .body(nil) = reading { reading = .body(now) }
    }

    /// Bytes came, which nobody has looked at.
    mutating func bytesCame(at now: NIODeadline) {
        switch reading {
        case .nothing: reading = .head(now)
        case .head: break
        case .body: reading = .body(nil)
        }
    }

    /// A request's head came to its end.
    mutating func headEnded() { (reading, unanswered) = (.body(nil), unanswered + 1) }

    /// A request came to its end.
    mutating func requestEnded() { reading = .nothing }

    /// An answer was written to its end.
    mutating func answerEnded(at now: NIODeadline) {
        (unanswered, quiet) = (max(0, unanswered - 1), now)
        if unanswered == 0, case .head = reading { reading = .head(now) }
    }

    /// The channel takes more to write, or takes no more.
    mutating func writabilityChanged(to isWritable: Bool, at now: NIODeadline) { blocked = isWritable ? nil : now }

    /// The last answer was written, and what comes is dropped.
    mutating func closingBegan(at now: NIODeadline) { closing = closing ?? now }
}
