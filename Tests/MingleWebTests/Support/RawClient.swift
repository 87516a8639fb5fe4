// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import NodeTestSupport
import Synchronization

@testable import MingleWeb

/// A connection on which a test writes and reads bytes as they are.
final class RawClient: Sendable {
    private let channel: any Channel
    private let page: Received

    private init(_ channel: any Channel, _ page: Received) { (self.channel, self.page) = (channel, page) }

    /// All that came so far.
    var text: String { page.text }
    /// Whether the server closed the connection, or its side of it.
    var isEnded: Bool { page.isEnded }

    /// Lends a connection to `port` to `body`, and closes it afterwards.
    static func with<Result>(_ port: Int, _ body: (RawClient) async throws -> Result) async throws -> Result {
        let page = Received()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Reader(page)) }
            }
            .connect(host: "127.0.0.1", port: port).get()
        do {
            let result = try await body(RawClient(channel, page))
            try? await channel.close()
            return result
        } catch {
            try? await channel.close()
            throw error
        }
    }

    /// Sends bytes, and does not mind if the server is gone.
    func send(_ text: String) async { try? await channel.writeAndFlush(ByteBuffer(string: text)) }

    /// Waits until all that came has `words` in it.
    func read(until words: String) async throws -> String {
        try await page.eventually(words) { $0.text.contains(words) }
        return page.text
    }

    /// Waits until all that came is as `condition` says.
    func read(_ condition: (String) -> Bool) async throws { try await page.eventually("more") { condition($0.text) } }

    /// Closes the connection.
    func end() async { try? await channel.close() }

    /// Sends until nobody takes it any more.
    func sendUntilClosed() async { while channel.isActive { await send("x") } }

    /// Waits until the server closes.
    func readToEnd() async throws -> String {
        try await page.eventually("the end") { $0.isEnded }
        return page.text
    }

    private final class Received: Sendable {
        private struct State {
            var bytes: [UInt8] = []
            var isEnded = false
        }

        private let state = Mutex(State())
        private let news = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

        var text: String { state.withLock { String(decoding: $0.bytes, as: UTF8.self) } }
        var isEnded: Bool { state.withLock { $0.isEnded } }

        func take(_ buffer: ByteBuffer) {
            state.withLock { $0.bytes += buffer.readableBytesView }
            news.continuation.yield()
        }

        func end() {
            state.withLock { $0.isEnded = true }
            news.continuation.yield()
        }

        func eventually(_ what: String, _ condition: (Received) -> Bool) async throws {
            if condition(self) { return }
            for await _ in news.stream where condition(self) || isEnded { break }
            guard condition(self) else { throw TooLate(what: "\(what) in: \(text)") }
        }
    }

    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let page: Received

        init(_ page: Received) { self.page = page }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { page.take(unwrapInboundIn(data)) }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case ChannelEvent.inputClosed = event { page.end() }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        func channelInactive(context: ChannelHandlerContext) { page.end() }
    }
}

/// Lends the port of a running server of these routes to `body`.
func withServer(
    _ limits: ServerLimits = .browsers,
    _ add: (Router<WebContext>) -> Void,
    _ body: (Int) async throws -> Void
) async throws {
    let router = Router(context: WebContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: ProblemMiddleware())
    add(router)
    let ready = AsyncStream.makeStream(of: Int.self)
    let server = Application(
        router: router,
        server: .limited(limits),
        configuration: .mingle(.hostname("127.0.0.1", port: 0), limits, .silent),
        onServerRunning: { ready.continuation.yield($0.localAddress?.port ?? 0) },
        logger: .silent
    )
    let running = Task { try await server.run() }
    for await port in ready.stream {
        let result = await Result { try await body(port) }
        running.cancel()
        _ = await running.result
        return try result.get()
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
