// SPDX-License-Identifier: Apache-2.0

import MingleDiscovery
import Testing

@Suite(.timeLimit(.minutes(5)), .serialized)
struct AvahiDiscoveryTests {
    // Holds with a daemon and without one.
    @Test func `a run says how it stands, ends when it is cancelled, and can be repeated`() async {
        let discovery = AvahiDiscovery(serviceType: "_mingletest._tcp", eventOf: eventOf, newName: { $0 })
        for _ in 1...20 {
            let (events, continuation) = AsyncStream.makeStream(of: DiscoveryEvent.self)
            discovery.publish([Advertisement(name: partyName(.random(in: 0 ... .max)), port: 1)])
            let run = Task { await discovery.run { continuation.yield($0) } }
            var first: DiscoveryEvent?
            for await event in events.prefix(1) { first = event }
            if case .state = first {} else { Issue.record("\(String(describing: first)) came first") }
            run.cancel()
            await run.value
        }
    }

    @Test func `a run that is cancelled before it starts ends`() async {
        let discovery = AvahiDiscovery(eventOf: eventOf, newName: { $0 })
        await confirmation("the run ends") { ended in
            let run = Task {
                await discovery.run { _ in }
                ended()
            }
            run.cancel()
            await run.value
        }
    }
}
