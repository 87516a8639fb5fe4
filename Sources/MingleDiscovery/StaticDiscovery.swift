// SPDX-License-Identifier: Apache-2.0

private import Synchronization

/// Peers that were named in advance: by `--peer`, by an invitation's hints, by a test.
package final class StaticDiscovery: PeerDiscovery {
    private struct State {
        var published: [Advertisement] = []
        var rejected: [String] = []
    }

    private static let mostRejections = 64

    private let endpoints: [Endpoint]
    private let state = Mutex(State())

    /// Finds exactly these, at once.
    package init(_ endpoints: [Endpoint]) {
        self.endpoints = endpoints
    }

    /// What was published last.
    package var published: [Advertisement] { state.withLock { $0.published } }

    /// The names rejected last, at most 64.
    package var rejected: [String] { state.withLock { $0.rejected } }

    /// Tells of every endpoint, then waits to be cancelled.
    package func run(onEvent: @escaping @Sendable (DiscoveryEvent) -> Void) async {
        onEvent(.state(.running))
        for endpoint in endpoints { onEvent(.found(endpoint)) }
        await untilCancelled()
    }

    /// Remembers what would be published.
    package func publish(_ advertisements: [Advertisement]) {
        state.withLock { $0.published = advertisements }
    }

    /// Remembers the name; whoever named the peer has no other address for it.
    package func reject(_ name: String) {
        state.withLock { $0.rejected = $0.rejected.suffix(Self.mostRejections - 1) + [name] }
    }
}

/// Returns when the task is cancelled.
func untilCancelled() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in stream {}
    withExtendedLifetime(continuation) {}
}
