// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import Synchronization
import Testing

@testable import MingleNode

/// What was told of how far it is.
final class Told: Sendable {
    private let heard = Mutex<[API.HowFar]>([])

    var all: [API.HowFar] { heard.withLock { $0 } }

    func note(_ copied: API.HowFar) { heard.withLock { $0.append(copied) } }

    func expectAll(sourceLocation: SourceLocation = #_sourceLocation) {
        let done = all.map(\.done)
        #expect(done.count >= 3 && done.first == 0 && done == done.sorted(), sourceLocation: sourceLocation)
        #expect(Set(all.map(\.total)).count == 1, sourceLocation: sourceLocation)
        #expect((done.last ?? 0) > 10_000 && done.last ?? 0 <= all[0].total, sourceLocation: sourceLocation)
    }
}
