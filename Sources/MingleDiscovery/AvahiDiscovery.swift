// SPDX-License-Identifier: Apache-2.0

/// Discovery by multicast DNS through the machine's Avahi daemon.
///
/// The daemon may be absent, restart or come later: discovery says so and recovers by itself.
package final class AvahiDiscovery: PeerDiscovery {
    private let serviceType: String
    private let limits: DiscoveryLimits
    private let eventOf: @Sendable (String) -> String?
    private let newName: @Sendable (String) -> String
    private let inbox: Inbox

    /// Makes a discovery that runs once `run` is called.
    ///
    /// - Parameters:
    ///   - serviceType: The DNS-SD type.
    ///   - limits: What others can make us keep, ask or repeat.
    ///   - eventOf: Which of our events a name belongs to; nil if it is not ours. Called on Avahi's
    ///     thread, once when a name appears and again for all names at `publish`.
    ///   - newName: A fresh name in place of one that somebody else has. Called on Avahi's thread.
    package init(
        serviceType: String = "_mingle._tcp",
        limits: DiscoveryLimits = DiscoveryLimits(),
        eventOf: @escaping @Sendable (String) -> String?,
        newName: @escaping @Sendable (String) -> String
    ) {
        self.serviceType = serviceType
        self.limits = limits
        inbox = Inbox(mostRejections: limits.rejections)
        self.eventOf = eventOf
        self.newName = newName
    }

    /// Publishes and looks for names until the task is cancelled; then everything is withdrawn.
    package func run(onEvent: @escaping @Sendable (DiscoveryEvent) -> Void) async {
        let plan = DiscoveryPlan(
            limits: limits,
            seed: .random(in: .min ... .max),
            eventOf: eventOf,
            newName: newName
        )
        let loop = AvahiLoop(plan: plan, serviceType: serviceType, inbox: inbox, onEvent: onEvent)
        guard let loop, await runToEnd(loop) else {
            onEvent(
                .state(
                    .absent(
                        reason:
                            "The system has no memory, open files or threads left. Close other programs, then restart the node"
                    )
                )
            )
            return await untilCancelled()
        }
    }

    /// Runs the loop until the task is cancelled, and frees it; false if it could not start.
    private func runToEnd(_ loop: AvahiLoop) async -> Bool {
        defer { loop.close() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isRunning = loop.start { continuation.resume(returning: true) }
                if !isRunning { continuation.resume(returning: false) }
            }
        } onCancel: {
            inbox.stop()
        }
    }

    /// Publishes these and withdraws all others.
    package func publish(_ advertisements: [Advertisement]) {
        inbox.publish(advertisements)
    }

    /// Says that nobody of ours answered under that name.
    package func reject(_ name: String) {
        inbox.reject(name)
    }
}

/// Returns when the task is cancelled.
package func untilCancelled() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in stream {}
    withExtendedLifetime(continuation) {}
}
