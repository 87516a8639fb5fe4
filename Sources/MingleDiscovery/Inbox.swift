// SPDX-License-Identifier: Apache-2.0

private import CAvahi
private import Synchronization

/// What our side wants of a running discovery, and the timer that wakes Avahi's thread for it.
///
/// Wishes outlive a run: what is published stays to be published by the next.
final class Inbox: Sendable {
    struct Wishes {
        /// What to publish, if that changed.
        var advertisements: [Advertisement]?
        var rejected: [String] = []
        var mustStop = false

        fileprivate var areEmpty: Bool { advertisements == nil && rejected.isEmpty && !mustStop }
    }

    private struct State {
        var wishes = Wishes()
        var published: [Advertisement] = []
        var timer: Int32?
    }

    private let mostRejections: Int
    private let state = Mutex(State())

    /// Remembers so many rejections until they are taken.
    init(mostRejections: Int) { self.mostRejections = mostRejections }

    func publish(_ advertisements: [Advertisement]) {
        wish {
            $0.published = advertisements
            $0.wishes.advertisements = advertisements
        }
    }

    func reject(_ name: String) {
        wish { state in
            guard !state.wishes.rejected.contains(name) else { return }
            state.wishes.rejected = state.wishes.rejected.suffix(mostRejections - 1) + [name]
        }
    }

    func stop() {
        wish { $0.wishes.mustStop = true }
    }

    /// Begins a run, which rings this timer; one run at a time.
    func attach(timer: Int32) {
        state.withLock { state in
            precondition(state.timer == nil, "a discovery runs once at a time")
            state.timer = timer
            state.wishes.advertisements = state.published
            set(timer, to: .zero)
        }
    }

    /// Ends a run: the timer may be closed, and what the run was still to be told is void.
    func detach() {
        state.withLock { state in
            state.timer = nil
            state.wishes = Wishes()
        }
    }

    /// Takes what was wished since the last time.
    func take() -> Wishes {
        state.withLock { state in
            defer { state.wishes = Wishes() }
            return state.wishes
        }
    }

    /// Sets the timer, nil for never; a wish that came in between makes it ring at once.
    func wake(after pause: Duration?) {
        state.withLock { state in
            set(state.timer, to: state.wishes.areEmpty ? pause : .zero)
        }
    }

    private func wish(_ change: (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            set(state.timer, to: .zero)
        }
    }

    // The kernel takes zero for never.
    private func set(_ timer: Int32?, to pause: Duration?) {
        guard let timer else { return }
        let nanoseconds = pause.map { max(1, Int64(clamping: $0.nanoseconds)) } ?? 0
        _ = mingle_timer_set(timer, nanoseconds)
    }
}

extension Duration {
    fileprivate var nanoseconds: Int128 { attoseconds / 1_000_000_000 }
}
