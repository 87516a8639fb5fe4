// SPDX-License-Identifier: Apache-2.0

import MingleDiscovery
import Testing

@Suite(.timeLimit(.minutes(1)))
struct StaticDiscoveryTests {
    @Test func `fixed peers are found at once, and the run ends when it is cancelled`() async {
        let endpoints = (1...3).map { Endpoint(name: "peer \($0)", event: "party", host: "10.0.0.\($0)", port: 1) }
        let discovery = StaticDiscovery(endpoints)
        let (events, continuation) = AsyncStream.makeStream(of: DiscoveryEvent.self)
        let run = Task { await discovery.run { continuation.yield($0) } }
        var told: [DiscoveryEvent] = []
        for await event in events.prefix(4) { told.append(event) }
        #expect(told == [.state(.running)] + endpoints.map { .found($0) })
        run.cancel()
        await run.value
    }

    @Test func `what was published and rejected is remembered`() {
        let discovery = StaticDiscovery([])
        let ours = Advertisement(name: partyName(1), port: 1)
        discovery.publish([ours])
        for number in 1...100 { discovery.reject("\(number)") }
        #expect(discovery.published == [ours])
        #expect(discovery.rejected == (37...100).map { "\($0)" })
    }
}
