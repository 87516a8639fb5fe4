// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// Follows the requests and answers of a connection, between the parser and Hummingbird.
final class ExchangeHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Says that a handler begins to read the body of its request.
    struct BodyIsRead {}

    private let timer: ConnectionTimer
    private var exchanges = Exchanges()
    private var failure: HTTPParserError?
    /// Whether the last answer was written: what comes from then on is dropped.
    private var isClosing = false

    init(_ timer: ConnectionTimer) { self.timer = timer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosing else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            exchanges.begin(head)
            timer.note { deadline, _ in deadline.headEnded() }
        case .body: exchanges.bodyCame()
        case .end:
            exchanges.end()
            timer.note { deadline, _ in deadline.requestEnded() }
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        // Nobody else asks for what is dropped.
        if isClosing { context.read() }
    }

    /// Hummingbird answers to an error of the parser once all earlier requests are answered.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        failure = failure ?? error as? HTTPParserError
        context.fireErrorCaught(error)
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is BodyIsRead else { return context.triggerUserOutboundEvent(event, promise: promise) }
        if !isClosing, exchanges.readBody() {
            let head = HTTPResponseHead(version: .http1_1, status: .continue)
            context.writeAndFlush(wrapOutboundOut(.head(head)), promise: promise)
        } else {
            promise?.succeed()
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isClosing else {
            promise?.fail(ChannelError.outputClosed)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head where exchanges.isEmpty: writeProblem(context, promise)
        case .head(let head): context.write(wrapOutboundOut(.head(exchanges.answer(head))), promise: promise)
        case .body: context.write(data, promise: promise)
        case .end: end(context, data, promise)
        }
    }

    private func end(_ context: ChannelHandlerContext, _ data: NIOAny, _ promise: EventLoopPromise<Void>?) {
        let isRead = exchanges.isRead
        exchanges.endAnswer()
        timer.note { $0.answerEnded(at: $1) }
        guard exchanges.isLast else {
            context.write(data, promise: promise)
            return
        }
        close(context, data, promise, isRead: isRead)
    }

    /// Answers to what the parser could not read, instead of Hummingbird's answer without a body.
    private func writeProblem(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        let (head, body) = ParserProblem.answer(to: failure)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        close(context, wrapOutboundOut(.end(nil)), promise, isRead: false)
    }

    /// Writes the end of the last answer, and closes the connection.
    ///
    /// If the client still sends, only the output is closed until the client closes too or ``ServerLimits/closing``
    /// ends: to close at once would reset the connection, and the client might not see the answer.
    private func close(
        _ context: ChannelHandlerContext,
        _ data: NIOAny,
        _ promise: EventLoopPromise<Void>?,
        isRead: Bool
    ) {
        isClosing = true
        let timer = timer
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.cascade(to: promise)
        written.futureResult.assumeIsolated().whenComplete { _ in
            timer.note { $0.closingBegan(at: $1) }
            context.close(mode: isRead ? .all : .output, promise: nil)
            if !isRead { context.read() }
        }
        context.writeAndFlush(data, promise: written)
    }
}
