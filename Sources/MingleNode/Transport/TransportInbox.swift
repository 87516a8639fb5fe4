// SPDX-License-Identifier: Apache-2.0

import MingleWire
import Synchronization

/// The events that the consumer has not taken yet, bounded for each connection by telling it to pause.
///
/// Any thread posts; one task takes.
final class TransportInbox: Sendable {
    private typealias Taker = CheckedContinuation<TransportEvent?, Never>

    private struct State {
        var events = FIFO<TransportEvent>()
        var undelivered: [ConnectionID: Int] = [:]
        var paused: [ConnectionID: @Sendable () -> Void] = [:]
        var taker: Taker?
        var isFinished = false
    }

    private let limit: Int
    private let state = Mutex(State())

    /// Lets each connection leave `limit` bytes here.
    init(limit: Int) { self.limit = limit }

    /// Adds an event; true if its connection must now pause, until `resume` is called.
    func post(_ event: TransportEvent, resume: @escaping @Sendable () -> Void = {}) -> Bool {
        let (taker, mustPause) = state.withLock { state -> (Taker?, Bool) in
            guard !state.isFinished else { return (nil, false) }
            if let taker = state.taker.take() { return (taker, false) }
            state.events.append(event)
            let undelivered = state.undelivered[event.connection, default: 0] + event.cost
            state.undelivered[event.connection] = undelivered
            guard undelivered > limit, state.paused[event.connection] == nil else { return (nil, false) }
            state.paused[event.connection] = resume
            return (nil, true)
        }
        taker?.resume(returning: event)
        return mustPause
    }

    /// Takes the oldest event, waiting for one if need be; nil after ``finish()`` and when the task is cancelled.
    func next() async -> TransportEvent? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { taker in
                let (event, resume) = state.withLock { Self.take(from: &$0, limit: limit, orLeave: taker) }
                resume?()
                if let event { taker.resume(returning: event) }
            }
        } onCancel: {
            state.withLock { $0.taker.take() }?.resume(returning: nil)
        }
    }

    /// Ends the events: those that wait are still taken, later ones are dropped.
    func finish() {
        let taker = state.withLock { state in
            state.isFinished = true
            return state.taker.take()
        }
        taker?.resume(returning: nil)
    }

    /// Takes what there is, and the connection's `resume` if it may go on; else leaves `taker` to wait, or ends it.
    private static func take(
        from state: inout State,
        limit: Int,
        orLeave taker: Taker
    ) -> (TransportEvent??, (@Sendable () -> Void)?) {
        guard let event = state.events.popFirst() else {
            // The task's cancellation may have come before the taker waits here; then nobody else would wake it.
            if state.isFinished || Task.isCancelled { return (.some(nil), nil) }
            precondition(state.taker == nil, "one task takes the transport's events")
            state.taker = taker
            return (nil, nil)
        }
        let id = event.connection
        let undelivered = state.undelivered[id, default: 0] - event.cost
        state.undelivered[id] = undelivered > 0 ? undelivered : nil
        return (event, undelivered * 2 <= limit ? state.paused.removeValue(forKey: id) : nil)
    }
}

extension TransportEvent {
    /// The connection that it happened on.
    var connection: ConnectionID {
        switch self {
        case .opened(let id, _), .message(let id, _, _), .drained(let id, _), .closed(let id, _): id
        }
    }

    /// Bytes that it holds while it waits, and something for itself, so that a flood of small messages is bounded too.
    fileprivate var cost: Int {
        if case .message(_, _, let bytes) = self { bytes.count + 256 } else { 256 }
    }
}
