// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import MingleCrypto
import MingleNode
import Synchronization

/// Lets in who has scanned the code: looks at what visitors show, and gives them what their browser shows from then on.
final class ShowcaseDoor: Sendable {
    /// What becomes of who shows a code.
    enum Verdict: Equatable {
        /// It is right; this is what the browser keeps.
        case welcome(cookie: String)
        case wrong
        /// There were too many wrong ones; in so many seconds there is another try.
        case tooMany(seconds: Int64)
    }

    /// What stands before the code in the address.
    static let prefix = "/v/"
    /// How long a browser keeps what lets it in.
    private static let seconds = 7 * 86_400

    private let code: VisitorCode
    private let cookieName: String
    private let now: @Sendable () -> Duration
    private let tries = Mutex(Tries())

    /// Lets in who knows `code`.
    ///
    /// - Parameter event: The event's id; pages of one machine share their cookies, whatever their port.
    init(_ code: VisitorCode, event: String, now: @escaping @Sendable () -> Duration) {
        (self.code, self.now) = (code, now)
        cookieName = "mingle-\(event.prefix(8))"
    }

    /// Looks at a code that stood in an address.
    func show(_ shown: some StringProtocol, from address: String) -> Verdict {
        let now = now()
        return tries.withLock { tries in
            // Also who is right has to wait, or there would be no limit on being wrong.
            guard tries.isOpen(to: address, at: now) else {
                return .tooMany(seconds: tries.wait(of: address, at: now).components.seconds + 1)
            }
            guard ConstantTime.areSame(shown.lowercased(), code.code) else {
                tries.noteWrong(address, at: now)
                return .wrong
            }
            return .welcome(
                cookie: "\(cookieName)=\(code.token); Path=/; Max-Age=\(Self.seconds); HttpOnly; SameSite=Strict"
            )
        }
    }

    /// Whether a request comes from a browser that was let in.
    func knows(_ request: Request) -> Bool {
        request.cookies[cookieName].map { ConstantTime.areSame($0.value, code.token) } ?? false
    }
}
