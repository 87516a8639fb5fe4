// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import MingleCrypto
import MingleModel
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
    init(_ code: VisitorCode, now: @escaping @Sendable () -> Duration) {
        (self.code, self.now) = (code, now)
        cookieName = Self.cookieName(of: code)
    }

    /// What the cookie is called: another name for each code, as pages of one machine share their cookies, whatever their port.
    ///
    /// Forty bits of a hash tell nothing of the word behind it.
    static func cookieName(of code: VisitorCode) -> String {
        "mingle-\(Base32.encode(Blake2b.hash(.file, Array(code.token.utf8)).bytes.prefix(5)))"
    }

    /// What was shown as the code in an address, however a browser or a person has written it.
    static func code(in path: String) -> String {
        var shown = path.dropFirst(prefix.count)
        if shown.hasSuffix("/") { shown = shown.dropLast() }
        return shown.removingPercentEncoding ?? String(shown)
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
    ///
    /// Another server on the machine may have left a cookie of that name, which is to keep nobody out.
    func knows(_ request: Request) -> Bool {
        request.headers[values: .cookie].contains { line in
            line.split(separator: ";").contains { cookie in
                let parts = cookie.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
                return parts.count == 2 && parts[0] == cookieName && ConstantTime.areSame(parts[1], code.token)
            }
        }
    }
}
