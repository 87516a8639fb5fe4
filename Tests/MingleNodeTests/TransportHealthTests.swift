// SPDX-License-Identifier: Apache-2.0

import MingleNode
import Testing

struct TransportHealthTests {
    @Test func `a peer that acknowledges nothing for ten seconds is lost`() {
        #expect(health(unacknowledged: 1, retransmissions: 5, silence: 10_000).isLost)
        #expect(!health(unacknowledged: 1, retransmissions: 5, silence: 9_999).isLost)
        #expect(!health(unacknowledged: 1, retransmissions: 2, silence: 60_000).isLost)
    }

    @Test func `a peer that takes nothing is lost only when it does not answer either`() {
        #expect(!health(probes: 1, silence: 60_000).isLost)
        #expect(health(probes: 6, silence: 13_000).isLost)
    }

    @Test func `silence alone is no loss`() {
        #expect(!health(silence: 3_600_000).isLost)
    }

    private func health(
        unacknowledged: Int = 0,
        retransmissions: Int = 0,
        probes: Int = 0,
        silence: Int
    ) -> SocketHealth {
        SocketHealth(
            unacknowledged: unacknowledged,
            retransmissions: retransmissions,
            unansweredProbes: probes,
            millisecondsOfSilence: silence
        )
    }
}
