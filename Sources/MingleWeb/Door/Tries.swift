// SPDX-License-Identifier: Apache-2.0

/// How often who says a wrong code may try again.
///
/// It is a value without any I/O or clock. Each address has some tries and gets another one after a while. Of addresses that
/// said nothing wrong lately nothing is kept.
struct Tries: Sendable {
    /// Tries that an address has to begin with, and at most.
    static let most = 8
    /// How long it takes until it has another one.
    static let pause = Duration.seconds(30)
    /// Addresses that are remembered.
    static let addresses = 1024

    /// When each address has all its tries again.
    private var restored: [String: Duration] = [:]

    /// Whether somebody may try.
    func isOpen(to address: String, at now: Duration) -> Bool {
        (restored[address] ?? now) - now <= Self.pause * (Self.most - 1)
    }

    /// Notes that somebody was wrong.
    mutating func noteWrong(_ address: String, at now: Duration) {
        restored[address] = max(restored[address] ?? now, now) + Self.pause
        guard restored.count > Self.addresses else { return }
        restored = restored.filter { $0.value > now }
        // Of a crowd that all guess, who guessed least is forgotten.
        while restored.count > Self.addresses, let least = restored.min(by: { ($0.value, $0.key) < ($1.value, $1.key) })
        {
            restored[least.key] = nil
        }
    }

    /// How long somebody has to wait for another try.
    func wait(of address: String, at now: Duration) -> Duration {
        max(.zero, (restored[address] ?? now) - now - Self.pause * (Self.most - 1))
    }
}
