// SPDX-License-Identifier: Apache-2.0

/// Whether an unfinished message comes fast enough: 4 KiB a second, of which 20 seconds' worth may be missing.
///
/// What counts is all that the connection brings, as a message may be overtaken by others of higher lanes.
struct LeastRate: Sendable {
    /// Bytes that buy a second.
    static let bytesPerSecond = 4 << 10
    /// How long nothing may come.
    static let patience = Duration.seconds(20)

    /// When it is too late; nil while nothing is unfinished.
    private var deadline: Duration?

    /// Notes that bytes came, and whether something is unfinished after them.
    mutating func note(_ byteCount: Int, isUnfinished: Bool, at now: Duration) {
        let latest = now + Self.patience
        let earned = deadline.map { min($0 + .seconds(1) * byteCount / Self.bytesPerSecond, latest) }
        deadline = isUnfinished ? earned ?? latest : nil
    }

    /// Whether the connection has to be closed.
    func isTooSlow(at now: Duration) -> Bool { deadline.map { now > $0 } ?? false }
}
