// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MinglePeering

/// Codes by which a guest takes part with another phone: a value without any I/O or clock.
///
/// A code is good once, for ten minutes, and a wrong one uses up a try of all that are open: of a hundred million codes
/// nobody guesses one in so few.
struct SignInCodes: Sendable {
    /// How long a code is good.
    static let life = Duration.seconds(600)
    /// Digits of a code.
    static let length = 8
    /// Wrong codes after which an open one is good no more.
    static let tries = 5
    /// Codes that are open at a time; one more and the oldest goes.
    private static let limit = 64

    private struct Open: Sendable {
        let code: String
        let keys: GuestKeys
        let until: Duration
        var tries = SignInCodes.tries
    }

    private var open: [Open] = []

    /// Makes a code for a guest; an earlier one of the same guest is good no more.
    mutating func make(for keys: GuestKeys, at now: Duration, _ randomness: Randomness) -> String {
        forgetExpired(at: now)
        open.removeAll { $0.keys.person == keys.person }
        if open.count >= Self.limit { open.removeFirst() }
        let number = randomness.bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 100_000_000
        let digits = String(number)
        let code = String(repeating: "0", count: Self.length - digits.count) + digits
        open.append(Open(code: code, keys: keys, until: now + Self.life))
        return code
    }

    /// Forgets the keys of those that are good no more.
    mutating func forgetExpired(at now: Duration) { open.removeAll { $0.until <= now } }

    /// How many are open.
    var count: Int { open.count }

    /// Takes the guest of a code, which is good no more; nil if there is none.
    mutating func take(_ code: String, at now: Duration) -> GuestKeys? {
        forgetExpired(at: now)
        let digits = code.filter { !$0.isWhitespace && $0 != "-" }
        if let index = open.firstIndex(where: { ConstantTime.areSame($0.code, digits) }) {
            return open.remove(at: index).keys
        }
        for index in open.indices { open[index].tries -= 1 }
        open.removeAll { $0.tries <= 0 }
        return nil
    }
}
