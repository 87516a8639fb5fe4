// SPDX-License-Identifier: Apache-2.0

import MingleWire
import NIOCore

/// Carries bytes between a socket and its ``PeerConnection``, and events to the transport; it decides nothing.
final class PeerHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    // Sealed at a time, one fragment: what a comment may have to wait for besides the socket's own queues.
    private static let batchLength = 36 << 10
    // Batches written before the event loop serves others.
    private static let batchesInTurn = 32

    private let connection: PeerConnection
    private let transport: PeerTransport
    private let opening: EventLoopPromise<Void>?
    private var deadline: Scheduled<Void>?
    /// When a connection that is to end is closed, whatever still waits.
    private var ending: Scheduled<Void>?
    private var healthChecks: RepeatedTask?
    /// Whether something is unfinished.
    private var isHolding = false
    private var isStarted = false
    private var isOpen = false
    private var isFinishing = false

    /// Serves `connection`; `opening` is kept when the handshake went through and fails when it does not.
    init(_ connection: PeerConnection, of transport: PeerTransport, opening: EventLoopPromise<Void>? = nil) {
        (self.connection, self.transport, self.opening) = (connection, transport, opening)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        // A socket that this node dialled is connected already, or closed again.
        if context.channel.isActive { start(context) } else if connection.direction == .outgoing { end(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        start(context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        let bytes = buffer.readBytes(length: buffer.readableBytes) ?? []
        let now = Duration.uptime
        let (outputs, load) = connection.receive(bytes, at: now)
        if load.byteCount > 0 || isHolding { transport.hold(load, on: connection.id, at: now) }
        isHolding = load.byteCount > 0
        perform(outputs, context)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        pump(context)
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let signal = event as? PeerConnection.Signal else { return context.fireUserInboundEventTriggered(event) }
        if signal == .finish, ending == nil { end(in: transport.configuration.drainTimeout, context) }
        pump(context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        connection.note(.lost(String(describing: error)))
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(context)
        context.fireChannelInactive()
    }

    private func start(_ context: ChannelHandlerContext) {
        guard !isStarted else { return }
        isStarted = true
        deadline = context.eventLoop.scheduleTask(in: TimeAmount(transport.configuration.handshakeTimeout)) {
            [connection] in connection.close(.handshakeTimedOut)
        }
        healthChecks = context.eventLoop.scheduleRepeatedTask(
            initialDelay: SocketHealth.interval,
            delay: SocketHealth.interval
        ) { [connection] _ in connection.checkHealth(at: .uptime) }
        perform(connection.begin(), context)
    }

    private func end(_ context: ChannelHandlerContext) {
        deadline?.cancel()
        ending?.cancel()
        healthChecks?.cancel()
        let reason = connection.end()
        if !isOpen { opening?.fail(HandshakeFailure(reason: reason)) }
        transport.didEnd(connection, reason, wasOpen: isOpen)
    }

    private func perform(_ outputs: [ChannelOutput], _ context: ChannelHandlerContext) {
        for output in outputs {
            switch output {
            case .send(let bytes): write(bytes, context)
            case .established(let event, let hash, let key):
                deadline?.cancel()
                isOpen = true
                let opening = Opening(
                    event: event,
                    handshakeHash: hash,
                    remoteStaticKey: key,
                    direction: connection.direction,
                    remoteAddress: connection.remoteAddress
                )
                transport.didOpen(connection, opening)
                self.opening?.succeed()
            case .message(let lane, let bytes): deliver(.message(connection.id, lane, bytes), context)
            case .close(let error):
                connection.note(.violation(error))
                context.close(promise: nil)
            }
        }
    }

    private func deliver(_ event: TransportEvent, _ context: ChannelHandlerContext) {
        let mustPause = transport.post(event) { [connection] in connection.resume() }
        // The call to resume comes from another thread and is executed here after this.
        guard mustPause else { return }
        transport.pause(connection, at: .uptime)
        context.channel.setOption(.autoRead, value: false).whenFailure { _ in }
    }

    private func pump(_ context: ChannelHandlerContext) {
        for _ in 0..<Self.batchesInTurn {
            guard context.channel.isWritable else { return }
            let (records, lanesWithRoom) = connection.nextRecords(upTo: Self.batchLength)
            for lane in lanesWithRoom { deliver(.drained(connection.id, lane), context) }
            guard !records.isEmpty else {
                if connection.isFinished { finish(context) }
                return
            }
            write(records, context)
        }
        context.eventLoop.assumeIsolated().execute { self.pump(context) }
    }

    private func write(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        context.writeAndFlush(NIOAny(context.channel.allocator.buffer(bytes: bytes)), promise: nil)
    }

    /// Says that nothing more comes and waits for the other side to close, so that it gets what was sent.
    private func finish(_ context: ChannelHandlerContext) {
        guard !isFinishing else { return }
        isFinishing = true
        context.close(mode: .output, promise: nil)
        end(in: transport.configuration.finishTimeout, context)
    }

    /// Closes after a while, whether the other side reads or not.
    private func end(in time: Duration, _ context: ChannelHandlerContext) {
        ending?.cancel()
        ending = context.eventLoop.scheduleTask(in: TimeAmount(time)) { [connection] in connection.close(.byUs) }
    }
}

/// Why a dialled connection did not open.
struct HandshakeFailure: Error {
    let reason: CloseReason
}

extension Duration {
    /// The time of the event loops.
    fileprivate static var uptime: Duration { .nanoseconds(Int64(clamping: NIODeadline.now().uptimeNanoseconds)) }
}
