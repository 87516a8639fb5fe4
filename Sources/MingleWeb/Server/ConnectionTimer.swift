// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Closes a connection at its deadline.
///
/// Stands before the parser, and sees bytes. Its timer fires a few times a minute at most, whatever comes and goes.
final class ConnectionTimer: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private let limits: ServerLimits
    private var context: ChannelHandlerContext?
    private var state: ConnectionDeadline?
    private var scheduled: Scheduled<Void>?

    init(_ limits: ServerLimits) { self.limits = limits }

    /// Notes what happened on the connection, and when.
    func note(_ change: (inout ConnectionDeadline, NIODeadline) -> Void) {
        guard let context, var state else { return }
        change(&state, context.eventLoop.now)
        self.state = state
        if scheduled == nil { schedule() }
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { begin(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func read(context: ChannelHandlerContext) {
        note { $0.readBegan(at: $1) }
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        note { $0.bytesCame(at: $1) }
        context.fireChannelRead(data)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        let isWritable = context.channel.isWritable
        note { $0.writabilityChanged(to: isWritable, at: $1) }
        context.fireChannelWritabilityChanged()
    }

    private func begin(_ context: ChannelHandlerContext) {
        guard state == nil else { return }
        state = ConnectionDeadline(limits, at: context.eventLoop.now)
        schedule()
    }

    private func end() {
        scheduled?.cancel()
        (scheduled, state, context) = (nil, nil, nil)
    }

    /// Nothing is scheduled while there is no deadline, as during an event stream.
    private func schedule() {
        guard let context, let deadline = state?.deadline else { return }
        let next = min(deadline, context.eventLoop.now + limits.tick)
        scheduled = context.eventLoop.assumeIsolated().scheduleTask(deadline: next) { [weak self] in self?.check() }
    }

    private func check() {
        scheduled = nil
        guard let context, let deadline = state?.deadline else { return }
        if deadline <= context.eventLoop.now { context.close(promise: nil) } else { schedule() }
    }
}
