// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import MingleAPI
import MingleNode
import NIOCore
import NodeTestSupport
import Synchronization
import Testing

@testable import MingleWeb

/// What came back, read to its end.
struct Answer: CustomTestStringConvertible {
    let status: Int
    let headers: HTTPFields
    let bytes: [UInt8]

    var text: String { String(decoding: bytes, as: UTF8.self) }
    var testDescription: String { "\(status) \(text)" }

    /// The names of the members of the JSON object that came, in order.
    var members: [String] {
        let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
        return object?.keys.sorted() ?? []
    }

    /// The problem that came; nil unless it is one of RFC 9457, with all that belongs to it.
    var problem: API.Problem? {
        guard members == ["detail", "status", "title", "type"],
            headers[.contentType] == "application/problem+json", headers[.cacheControl] == "no-store",
            let problem = try? API.decode(API.Problem.self, from: Data(bytes)),
            problem.status == status, !problem.detail.isEmpty
        else { return nil }
        return problem
    }

    /// Whether a problem of this name came, with these words; notes what came instead.
    func isProblem(
        _ name: API.Problem.Name,
        _ words: String = "",
        location: SourceLocation = #_sourceLocation
    ) -> Bool {
        let isNamed = problem?.type == "/problems/\(name.rawValue)" && status == API.Problem(name, "").status
        if isNamed, words.isEmpty || problem?.detail.contains(words) == true { return true }
        Issue.record("\(status) \(headers) \(text)", severity: .warning, sourceLocation: location)
        return false
    }
}

/// What a body wrote so far.
final class Page: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var parts = 0
        var isFinished = false
        var readerLeft = false
    }

    private let state = Mutex(State())
    /// Says that something was written since somebody last asked.
    private let written = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    var bytes: [UInt8] { state.withLock { $0.bytes } }
    var text: String { String(decoding: bytes, as: UTF8.self) }
    var parts: Int { state.withLock { $0.parts } }
    var isFinished: Bool { state.withLock { $0.isFinished } }

    /// Has every later write fail, as one to a connection that is closed.
    func leave() { state.withLock { $0.readerLeft = true } }

    /// Waits until `condition` holds, looking at every part that is written; fails as `what` if the time of the test ends.
    func eventually(_ what: String, _ condition: () -> Bool) async throws {
        if condition() { return }
        for await _ in written.stream where condition() { return }
        throw TooLate(what: what)
    }

    fileprivate func take(_ buffer: ByteBuffer) throws {
        try state.withLock { state in
            if state.readerLeft { throw ChannelError.ioOnClosedChannel }
            state.bytes += Array(buffer.readableBytesView)
            state.parts += 1
        }
        written.continuation.yield()
    }

    fileprivate func finish() {
        state.withLock { $0.isFinished = true }
        written.continuation.yield()
    }
}

/// Writes onto a page; `wait` is called before every part, as a slow reader has a writer wait.
struct PageWriter: ResponseBodyWriter {
    let page: Page
    var wait: @Sendable () async -> Void = {}

    mutating func write(_ buffer: ByteBuffer) async throws {
        await wait()
        try page.take(buffer)
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws { page.finish() }
}

/// Says yes so many times.
final class CountDown: Sendable {
    private let left: Mutex<Int>

    init(_ count: Int) { left = Mutex(count) }

    func next() -> Bool {
        left.withLock { left in
            left -= 1
            return left >= 0
        }
    }
}
