// SPDX-License-Identifier: Apache-2.0

import MinglePeering
import MingleSync
import Testing

@testable import MingleNode

struct DialledLinksTests {
    private let target = DialPlanTests.target(1)
    private let peer = PeerID(7)

    private func busyPlan() -> DialPlan {
        var plan = DialPlan()
        plan.learn(target, .configured, at: .zero)
        #expect(plan.due(at: .zero) == [target])
        return plan
    }

    @Test func `a target is dialled again when its link ends`() {
        var (plan, links) = (busyPlan(), DialledLinks())
        links.opened(peer, isSelf: false)
        links.began(peer, target, in: &plan, at: .zero)
        #expect(plan.nextTime == nil)
        links.ended(peer, wasUseful: true, in: &plan, at: .seconds(10))
        #expect(plan.nextTime == .milliseconds(10_500))
    }

    @Test func `a link that ends before its dialler hears of it is dialled again too`() {
        var (plan, links) = (busyPlan(), DialledLinks())
        links.opened(peer, isSelf: false)
        links.ended(peer, wasUseful: false, in: &plan, at: .zero)
        #expect(plan.nextTime == nil)
        links.began(peer, target, in: &plan, at: .seconds(1))
        #expect(plan.nextTime == .seconds(2))
    }

    @Test func `an incoming link that ends changes nothing`() {
        var (plan, links) = (busyPlan(), DialledLinks())
        links.began(peer, target, in: &plan, at: .zero)
        links.ended(PeerID(8), wasUseful: true, in: &plan, at: .zero)
        #expect(plan.nextTime == nil)
    }

    @Test(arguments: [true, false])
    func `a link to oneself, or to a node connected otherwise, comes to rest`(isSelf: Bool) {
        for endsFirst in [true, false] {
            var (plan, links) = (busyPlan(), DialledLinks())
            if !endsFirst { links.began(peer, target, in: &plan, at: .zero) }
            links.opened(peer, isSelf: isSelf)
            if !isSelf { links.rest(peer) }
            links.ended(peer, wasUseful: false, in: &plan, at: .seconds(1))
            if endsFirst { links.began(peer, target, in: &plan, at: .seconds(1)) }
            #expect(plan.nextTime == .seconds(31))
        }
    }

    @Test(arguments: [true, false])
    func `a refusal is remembered until the link has ended`(isHere: Bool) {
        var (plan, links) = (busyPlan(), DialledLinks())
        links.opened(peer, isSelf: false)
        links.refuse(peer, isHere ? .here(nil) : .there)
        links.ended(peer, wasUseful: false, in: &plan, at: .zero)
        links.began(peer, target, in: &plan, at: .zero)
        #expect(plan.nextTime == .seconds(isHere ? 600 : 1))
    }

    @Test func `of two nodes that dial each other neither dials again while they are connected`() {
        var (plan, links) = (busyPlan(), DialledLinks())
        // The other node dialled, too: its link, 8, is kept.
        links.opened(peer, isSelf: false)
        links.began(peer, target, in: &plan, at: .zero)
        links.rest(peer, while: PeerID(8))
        links.ended(peer, wasUseful: false, in: &plan, at: .zero)
        var dialled: [Duration] = []
        for second in 1...500 where !plan.due(at: .seconds(second)).isEmpty { dialled.append(.seconds(second)) }
        #expect(dialled.isEmpty)
        links.ended(PeerID(8), wasUseful: true, in: &plan, at: .seconds(500))
        #expect(plan.due(at: .seconds(501)) == [target])
    }

    @Test(arguments: [true, false])
    func `who waits for a link that ends first waits half a minute`(isTwinFirst: Bool) {
        var (plan, links) = (busyPlan(), DialledLinks())
        links.opened(peer, isSelf: false)
        links.rest(peer, while: PeerID(8))
        if isTwinFirst { links.ended(PeerID(8), wasUseful: true, in: &plan, at: .zero) }
        links.ended(peer, wasUseful: false, in: &plan, at: .zero)
        links.began(peer, target, in: &plan, at: .zero)
        #expect(plan.nextTime == .seconds(isTwinFirst ? 30 : 600))
    }

    @Test func `what is at rest once is dialled as before afterwards`() {
        var (plan, links) = (busyPlan(), DialledLinks())
        links.began(peer, target, in: &plan, at: .zero)
        links.rest(peer)
        links.ended(peer, wasUseful: false, in: &plan, at: .zero)
        links.began(PeerID(9), target, in: &plan, at: .seconds(30))
        links.ended(PeerID(9), wasUseful: true, in: &plan, at: .seconds(40))
        #expect(plan.nextTime == .milliseconds(40_500))
    }
}
