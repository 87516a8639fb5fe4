// SPDX-License-Identifier: Apache-2.0

import MingleWire
import NIOCore
import Synchronization

/// One connection as any thread sees it: its secure channel behind a lock, and the socket that carries it.
///
/// Whoever sends only queues and wakes the handler; sealing, writing and reading happen on the socket's event loop.
final class PeerConnection: Sendable {
    /// What the handler reacts to besides the socket.
    enum Signal: Sendable {
        /// Something waits to be sent.
        case send
        /// Close, after what waits was sent.
        case finish
    }

    private struct State: ~Copyable {
        var channel: SecureChannel
        var rate = LeastRate()
        var since = UnfinishedSince()
        // Whether the handler knows that something waits; it forgets when it has sent everything.
        var isAwake = false
        var isFinishing = false
        var closeReason: CloseReason?
    }

    let id: ConnectionID
    let direction: Direction
    let remoteAddress: RemoteAddress
    private let socket: any Channel
    private let state: Mutex<State>

    init(
        id: ConnectionID,
        direction: Direction,
        remoteAddress: RemoteAddress,
        socket: any Channel,
        channel: consuming sending SecureChannel
    ) {
        (self.id, self.direction, self.remoteAddress, self.socket) = (id, direction, remoteAddress, socket)
        state = Mutex(State(channel: channel))
    }

    /// Queues a message.
    func enqueue(_ message: [UInt8], on lane: Lane) -> EnqueueResult {
        let (result, mustWake) = state.withLock { state in
            guard !state.isFinishing else { return (EnqueueResult.closed, false) }
            let result = state.channel.enqueue(message, on: lane)
            let mustWake = result == .accepted && !state.isAwake
            state.isAwake = state.isAwake || mustWake
            return (result, mustWake)
        }
        if mustWake { signal(.send) }
        return result
    }

    /// Closes at once; of several reasons the first counts.
    func close(_ reason: CloseReason) {
        note(reason)
        socket.close(promise: nil)
    }

    /// Lets the other side send more.
    func admit(to admittance: Admittance) { state.withLock { $0.channel.admit(to: admittance) } }

    /// Closes if the other end does not answer any more, or sends what it has begun too slowly.
    func checkHealth(at now: Duration) {
        if state.withLock({ $0.rate.isTooSlow(at: now) }) { return close(.tooSlow) }
        SocketHealth.read(socket)?.whenSuccess { [self] health in
            if health.isLost { close(.lost("the other end does not answer")) }
        }
    }

    /// Closes after what waits was sent, or took too long to be; nothing more is accepted.
    func finish() {
        state.withLock { $0.isFinishing = true }
        note(.byUs)
        signal(.finish)
    }

    /// Closes at once and waits until the socket is gone.
    func closeAndWait() async {
        close(.byUs)
        try? await socket.closeFuture.get()
    }

    /// Nothing is read for a while, which is not the other side's doing.
    func pause(at now: Duration) {
        state.withLock { state in
            state.rate = LeastRate()
            state.since.pause(at: now)
        }
    }

    /// Reads on.
    func resume() { socket.setOption(.autoRead, value: true).whenFailure { _ in } }

    /// What went through each lane.
    var counters: PerLane<LaneCounters> { state.withLock { $0.channel.counters } }

    // MARK: For the handler, on the event loop

    /// Remembers why the connection ends, if nothing was remembered yet.
    func note(_ reason: CloseReason) {
        state.withLock { state in if state.closeReason == nil { state.closeReason = reason } }
    }

    /// The handshake's first message, if this side begins.
    func begin() -> [ChannelOutput] { state.withLock { $0.channel.begin() } }

    /// Hands bytes to the channel; also returns what it now keeps of unfinished messages.
    func receive(_ bytes: consuming [UInt8], at now: Duration) -> ([ChannelOutput], UnfinishedMessages.Load) {
        var bytes = Optional(bytes)
        return state.withLock { state in
            let byteCount = bytes?.count ?? 0
            let outputs = state.channel.receive(bytes.take() ?? [])
            let (messages, bytes) = (state.channel.unfinished, state.channel.partialBytes)
            state.rate.note(byteCount, isUnfinished: bytes > 0, at: now)
            var load = state.since.note(messages, at: now)
            // And what has come of a record.
            load.add(bytes - load.byteCount, since: now)
            return (outputs, load)
        }
    }

    /// Why the connection ended; the stream is over.
    func end() -> CloseReason {
        state.withLock { state in
            let error = state.channel.receiveEnd()
            if let reason = state.closeReason { return reason }
            return error == nil ? .byPeer : .lost("the stream ended inside a message")
        }
    }

    /// Seals what is sent next; also returns lanes that have room again.
    ///
    /// If there is nothing, the next one who queues wakes the handler.
    func nextRecords(upTo byteCount: Int) -> (records: [UInt8], lanesWithRoom: [Lane]) {
        state.withLock { state in
            let records = state.channel.nextRecords(upTo: byteCount)
            if records.isEmpty { state.isAwake = false }
            return (records, state.channel.takeLanesWithRoom())
        }
    }

    /// Whether something waits to be sent.
    var isSending: Bool { state.withLock { !$0.channel.hasNothingToSend } }

    /// Whether everything was sent and nothing more will come.
    var isFinished: Bool { state.withLock { $0.isFinishing && $0.channel.hasNothingToSend } }

    private func signal(_ signal: Signal) { socket.pipeline.fireUserInboundEventTriggered(signal) }
}
