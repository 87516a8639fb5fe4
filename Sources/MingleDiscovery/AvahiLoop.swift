// SPDX-License-Identifier: Apache-2.0

private import CAvahi

/// Avahi's thread, and the plan that lives on it.
///
/// `start` makes the thread, and from then on everything happens on it, inside one callback: the timer's. Avahi's own
/// callbacks only leave what they were told in the mailbox, which makes the timer ring. So no lock is needed, and
/// nothing is ever freed from within its own callback.
@safe
final class AvahiLoop {
    private let thread: OpaquePointer
    private let timer: Int32
    private let inbox: Inbox
    private let mailbox: AvahiMailbox
    private let connection: AvahiConnection
    private let onEvent: @Sendable (DiscoveryEvent) -> Void
    private let epoch = ContinuousClock.now
    private var plan: DiscoveryPlan
    private var onStop: (@Sendable () -> Void)?

    init?(
        plan: DiscoveryPlan,
        serviceType: String,
        inbox: Inbox,
        onEvent: @escaping @Sendable (DiscoveryEvent) -> Void
    ) {
        guard let thread = unsafe avahi_threaded_poll_new() else { return nil }
        unsafe self.thread = unsafe thread
        timer = mingle_timer_new()
        self.plan = plan
        self.inbox = inbox
        self.onEvent = onEvent
        mailbox = AvahiMailbox(inbox: inbox)
        connection = unsafe AvahiConnection(
            poll: avahi_threaded_poll_get(thread),
            serviceType: serviceType,
            mailbox: mailbox
        )
        guard timer >= 0, watchTimer() else {
            close()
            return nil
        }
    }

    /// Makes the thread; `onStop` is called at its very end, after the inbox was told to stop, and never if this is false.
    func start(onStop: @escaping @Sendable () -> Void) -> Bool {
        self.onStop = onStop
        inbox.attach(timer: timer)
        return unsafe avahi_threaded_poll_start(thread) == 0
    }

    /// Joins the thread; to be called once, from another one, after `onStop` or a start that failed.
    ///
    /// `deinit` could not do it: the thread itself may be the last to let go of the loop.
    func close() {
        inbox.detach()
        unsafe avahi_threaded_poll_free(thread)
        if timer >= 0 { mingle_timer_close(timer) }
    }

    private func watchTimer() -> Bool {
        let poll = unsafe avahi_threaded_poll_get(thread)
        let loop = unsafe Unmanaged.passUnretained(self).toOpaque()
        let watch = unsafe mingle_watch_new(
            poll,
            timer,
            { _, timer, _, loop in
                mingle_timer_acknowledge(timer)
                guard let loop = unsafe loop else { return }
                unsafe Unmanaged<AvahiLoop>.fromOpaque(loop).takeUnretainedValue().turn()
            },
            loop
        )
        return unsafe watch != nil
    }
}

// MARK: - On Avahi's thread

extension AvahiLoop {
    private func turn() {
        let wishes = inbox.take()
        guard !wishes.mustStop else { return stop() }
        if let advertisements = wishes.advertisements { receive(.publish(advertisements)) }
        for name in wishes.rejected { receive(.reject(name)) }
        for input in mailbox.take() { receive(input) }
        receive(.wake)
        inbox.wake(after: mailbox.isEmpty ? plan.nextWake.map { $0 - now } : .zero)
    }

    private func receive(_ input: DiscoveryPlan.Input) {
        for action in plan.receive(input, at: now) {
            if case .tell(let event) = action { onEvent(event) } else { connection.perform(action) }
        }
    }

    private func stop() {
        connection.close()
        unsafe avahi_threaded_poll_quit(thread)
        onStop?()
    }

    private var now: Duration { epoch.duration(to: .now) }
}

/// What Avahi's callbacks left to be looked at; only for Avahi's thread.
final class AvahiMailbox {
    private let inbox: Inbox
    private var inputs: [DiscoveryPlan.Input] = []

    init(inbox: Inbox) {
        self.inbox = inbox
    }

    var isEmpty: Bool { inputs.isEmpty }

    func put(_ input: DiscoveryPlan.Input) {
        inputs.append(input)
        if inputs.count == 1 { inbox.wake(after: .zero) }
    }

    func take() -> [DiscoveryPlan.Input] {
        defer { inputs = [] }
        return inputs
    }
}
