// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import MingleCrypto
import MingleModel
import MingleNode
import MinglePeering
import Synchronization

/// Lets in who has scanned the code: gives their browsers a secret of their own, and knows them by it from then on.
final class DoorEntrance: Sendable {
    /// What becomes of a browser that shows a code.
    enum Verdict: Equatable {
        /// It is right; this is what the browser keeps.
        case welcome(cookie: String)
        case wrong
        /// There were too many wrong ones; in so many seconds there is another try.
        case tooMany(seconds: Int64)
    }

    /// How long a browser keeps what lets it in.
    private static let seconds = 60 * 86_400
    /// Cookies of a door's name that are looked at in a request.
    private static let cookies = 16

    private let code: DoorCode
    private let cookieName: String
    private let state: @Sendable (Browser) -> BrowserState
    private let randomness: Randomness
    private let now: @Sendable () -> Duration
    private let tries = Mutex(Tries())

    /// Lets in who knows `code`.
    ///
    /// - Parameter state: What the door knows of a browser.
    init(
        _ code: DoorCode,
        randomness: Randomness = .system,
        now: @escaping @Sendable () -> Duration,
        state: @escaping @Sendable (Browser) -> BrowserState
    ) {
        (self.code, self.randomness, self.now, self.state) = (code, randomness, now, state)
        // Pages of one machine share their cookies, whatever their port.
        cookieName = "mingle-\(code.id)"
    }

    /// What was shown as the code in an address, however a browser or a person has written it; nil for other paths.
    static func code(in path: String) -> String? {
        var shown = path.dropFirst()
        if shown.hasSuffix("/") { shown = shown.dropLast() }
        let text = shown.removingPercentEncoding?.lowercased() ?? ""
        guard text.utf8.count == DoorCode.codeLength, text.utf8.allSatisfy(Self.isLetter) else { return nil }
        return text
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "2")...UInt8(ascii: "7")).contains(byte)
    }

    /// Looks at a code that stood in an address of `request`.
    func show(_ shown: String, by request: Request, from address: String) -> Verdict {
        guard let verdict = refusal(of: shown, from: address, isRight: { ConstantTime.areSame($0, code.code) }) else {
            return .welcome(cookie: cookie(for: known(by: request) ?? Browser(randomness)))
        }
        return verdict
    }

    /// The browser that scans the code again.
    ///
    /// A guest goes on as the same person, also after a new code. Someone who looked on by this code may be about to
    /// write.
    private func known(by request: Request) -> Browser? {
        let browsers = secrets(of: request).map(\.browser)
        if let guest = browsers.first(where: { state($0) == .takingPart }) { return guest }
        return browser(of: request).flatMap { state($0) == .looking ? $0 : nil }
    }

    /// Counts a try of something that one may guess, at a rate; nil if it is right.
    func refusal(of shown: String, from address: String, isRight: (String) throws -> Bool) rethrows -> Verdict? {
        let now = now()
        let wait = tries.withLock { $0.isOpen(to: address, at: now) ? nil : $0.wait(of: address, at: now) }
        // Also who is right has to wait, or there would be no limit on being wrong.
        if let wait { return .tooMany(seconds: wait.components.seconds + 1) }
        if try isRight(shown) { return nil }
        tries.withLock { $0.noteWrong(address, at: now) }
        return .wrong
    }

    /// The browser that a request comes from, if it was let in by the code that holds now.
    ///
    /// Another server on the machine may have left a cookie of that name, which is to keep nobody out.
    func browser(of request: Request) -> Browser? {
        secrets(of: request).first { ConstantTime.areSame($0.mark, code.mark(of: $0.browser)) }?.browser
    }

    /// What a browser keeps from now on.
    ///
    /// It is not `Strict`: a guest who opens the address from a page of another site would become somebody new. No GET
    /// changes anything, and all other methods are refused to pages of other sites.
    private func cookie(for browser: Browser) -> String {
        "\(cookieName)=\(browser.text).\(code.mark(of: browser)); Path=/; Max-Age=\(Self.seconds); HttpOnly; SameSite=Lax"
    }

    /// What stands behind the host in the address that guests open.
    var path: String { DoorServer.path(of: code) }

    /// What makes a browser forget.
    var forgottenCookie: String { "\(cookieName)=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax" }

    private func secrets(of request: Request) -> [(browser: Browser, mark: String)] {
        let cookies = request.headers[values: .cookie].flatMap { $0.split(separator: ";") }.lazy.compactMap { cookie in
            let parts = cookie.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            return parts.count == 2 && parts[0] == self.cookieName ? parts[1] : nil
        }
        return cookies.prefix(Self.cookies).compactMap { cookie in
            let words = cookie.split(separator: ".", maxSplits: 1)
            guard words.count == 2, let browser = Browser(words[0]) else { return nil }
            return (browser, String(words[1]))
        }
    }
}
