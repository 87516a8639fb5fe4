// SPDX-License-Identifier: Apache-2.0

package import MingleAPI
import Synchronization

extension API {
    /// How far long work is, in bytes.
    package struct HowFar: Codable, Hashable, Sendable {
        package var done: Int
        package var total: Int
    }
}

/// Work that takes long, and somebody who is told how far it is.
final class LongWork: Sendable {
    /// What is done to the data folder of a node that runs, as the API's paths are called.
    enum Kind: String {
        case backup
        case repair
        case verify
    }

    private let tell: @Sendable (API.HowFar) -> Void
    private let state: Mutex<API.HowFar>

    /// Nothing is done yet of `total` bytes.
    init(total: Int, tell: @escaping @Sendable (API.HowFar) -> Void = { _ in }) {
        self.tell = tell
        state = Mutex(API.HowFar(done: 0, total: total))
        tell(state.withLock { $0 })
    }

    /// Notes that so much more is done; what grew meanwhile counts as it was.
    func add(_ bytes: Int) {
        tell(
            state.withLock { state in
                state.done = min(state.done + bytes, state.total)
                return state
            }
        )
    }
}

extension Node {
    /// Does what takes long, and says meanwhile how far it is.
    func told<Result>(
        _ kind: LongWork.Kind,
        _ tell: @escaping @Sendable (API.HowFar) -> Void,
        _ body: (_ tell: @escaping @Sendable (API.HowFar) -> Void) async throws -> Result
    ) async throws -> Result {
        defer { longWork.withLock { $0[kind] = nil } }
        return try await body { [self] far in
            longWork.withLock { $0[kind] = far }
            tell(far)
        }
    }

    /// How far a `backup`, `repair` or `verify` is that goes on.
    ///
    /// - Throws: `API.Problem`: `notFound` while none does.
    package func progress(of kind: String) throws -> API.HowFar {
        guard let far = LongWork.Kind(rawValue: kind).flatMap({ kind in longWork.withLock { $0[kind] } }) else {
            throw API.Problem(.notFound, "No \(kind) is running.")
        }
        return far
    }
}
