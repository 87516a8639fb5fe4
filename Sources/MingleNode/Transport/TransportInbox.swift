// SPDX-License-Identifier: Apache-2.0

import MingleWire
import Synchronization

/// The events that the consumer has not done with yet, bounded for each connection by telling it to pause.
///
/// Any thread posts; one task takes.
final class TransportInbox: Sendable {
    private typealias Taker = CheckedContinuation<TransportEvent?, Never>

    private struct State {
        var events = FIFO<TransportEvent>()
        var unsettled: [ConnectionID: Int] = [:]
        var unsettledTogether = 0
        var paused: [ConnectionID: @Sendable () -> Void] = [:]
        var taker: Taker?
        var isFinished = false
    }

    private let limit: Int
    private let limitTogether: Int
    private let limitEach: Int
    private let state = Mutex(State())

    /// Lets each connection, and all together, leave as many bytes here as the transport says.
    init(_ configuration: TransportConfiguration) {
        limit = configuration.undeliveredBytes
        limitTogether = configuration.undeliveredBytesTogether
        limitEach = min(configuration.undeliveredBytesEach, limit)
    }

    /// Adds an event; true if its connection must now pause, until `resume` is called.
    func post(_ event: TransportEvent, resume: @escaping @Sendable () -> Void = {}) -> Bool {
        let (taker, mustPause) = state.withLock { state -> (Taker?, Bool) in
            guard !state.isFinished else { return (nil, false) }
            let taker = state.taker.take()
            if taker == nil { state.events.append(event) }
            let unsettled = state.unsettled[event.connection, default: 0] + event.cost
            state.unsettled[event.connection] = unsettled
            state.unsettledTogether += event.cost
            let limit = state.unsettledTogether > limitTogether ? limitEach : limit
            guard unsettled > limit, state.paused[event.connection] == nil else { return (taker, false) }
            state.paused[event.connection] = resume
            return (taker, true)
        }
        taker?.resume(returning: event)
        return mustPause
    }

    /// Takes the oldest event, waiting for one if need be; nil after ``finish()`` and when the task is cancelled.
    func next() async -> TransportEvent? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { taker in
                let event = state.withLock { Self.take(from: &$0, orLeave: taker) }
                if let event { taker.resume(returning: event) }
            }
        } onCancel: {
            state.withLock { $0.taker.take() }?.resume(returning: nil)
        }
    }

    /// The consumer is done with an event that it took, which makes room for others of its connection.
    func settle(_ event: TransportEvent) {
        let id = event.connection
        let resume = state.withLock { state -> (@Sendable () -> Void)? in
            let unsettled = state.unsettled[id, default: 0] - event.cost
            state.unsettled[id] = unsettled > 0 ? unsettled : nil
            state.unsettledTogether -= event.cost
            let limit = state.unsettledTogether > limitTogether ? limitEach : limit
            return unsettled * 2 <= limit ? state.paused.removeValue(forKey: id) : nil
        }
        resume?()
    }

    /// Ends the events: those that wait are still taken, later ones are dropped.
    func finish() {
        let taker = state.withLock { state in
            state.isFinished = true
            return state.taker.take()
        }
        taker?.resume(returning: nil)
    }

    /// Takes what there is; else leaves `taker` to wait, or ends it.
    private static func take(from state: inout State, orLeave taker: Taker) -> TransportEvent?? {
        if let event = state.events.popFirst() { return event }
        // The task's cancellation may have come before the taker waits here; then nobody else would wake it.
        if state.isFinished || Task.isCancelled { return .some(nil) }
        precondition(state.taker == nil, "one task takes the transport's events")
        state.taker = taker
        return nil
    }
}

extension TransportEvent {
    /// The connection that it happened on.
    var connection: ConnectionID {
        switch self {
        case .opened(let id, _), .message(let id, _, _), .drained(let id, _), .closed(let id, _): id
        }
    }

    /// Bytes that it holds until it is settled, and something for itself, so that a flood of small messages is bounded too.
    fileprivate var cost: Int {
        if case .message(_, _, let bytes) = self { bytes.count + 256 } else { 256 }
    }
}
