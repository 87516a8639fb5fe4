// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import MingleSync
import TestSupport
import Testing

/// What is next for a device whose person leaves.
struct DepartureTests {
    private static let devices = (1...3).map { DeviceName(Bytes32(at: 0, of: [UInt8](repeating: $0, count: 32).span)) }
    private let holder = Departure.Other(isInSync: true, isAwaiting: false)
    private let stranger = Departure.Other(isInSync: false, isAwaiting: false)
    private let fetcher = Departure.Other(isInSync: false, isAwaiting: true)

    private func scene(_ others: [Departure.Other] = [], _ change: (inout Departure.Scene) -> Void = { _ in })
        -> Departure.Scene
    {
        var scene = Departure.Scene()
        scene.others = others
        change(&scene)
        return scene
    }

    /// In which second, counted from `start`, something else than to reconcile is next; nil if that takes too long.
    private func wait(_ departure: inout Departure, _ scene: Departure.Scene, from start: Int)
        -> (after: Int, step: Departure.Step)?
    {
        for second in 0...2000 {
            let step = departure.next(scene, at: .seconds(start + second))
            if step != .reconcile { return (second, step) }
        }
        return nil
    }

    @Test func `who was alone for an hour hands everything over first once somebody comes`() throws {
        var departure = Departure(at: .zero)
        for second in 0..<3600 { #expect(departure.next(scene(), at: .seconds(second)) == .wait) }
        #expect(departure.next(scene([stranger]), at: .seconds(3600)) == .reconcile)
        #expect(departure.next(scene([fetcher]), at: .seconds(3601)) == .reconcile)
        let said = try #require(wait(&departure, scene([holder]), from: 3602))
        #expect(said.after == 2 && said.step == .say)
    }

    @Test func `a machine that slept takes all links for new, and nobody for in sync by a word of before`() throws {
        var departure = Departure(at: .zero)
        for second in 0..<5 { #expect(departure.next(scene([stranger]), at: .seconds(second)) == .reconcile) }
        // The links of before may be gone, and so may who was in sync.
        #expect(departure.next(scene([stranger]), at: .seconds(9000)) == .compareAnew)
        let said = try #require(wait(&departure, scene([stranger]), from: 9001))
        #expect(said.after == 60 && said.step == .say)
        departure = Departure(at: .zero)
        #expect(departure.next(scene { $0.isErased = false }, at: .zero) == .erase)
        #expect(departure.next(scene { $0.isErased = false }, at: .seconds(11)) == .erase)
        #expect(departure.next(scene([holder]), at: .seconds(12)) == .compareAnew)
        #expect(departure.next(scene([stranger]), at: .seconds(14)) == .reconcile)
        #expect(departure.next(scene([holder]), at: .seconds(15)) == .say)
    }

    @Test func `who shared pictures waits until somebody holds each, however long nobody fetches any`() throws {
        var departure = Departure(at: .zero)
        for second in 0..<500 {
            #expect(departure.next(scene([holder]) { $0.unhanded = 3 }, at: .seconds(second)) == .reconcile)
        }
        // One that arrives gives all the time again to the rest.
        let slow = try #require(wait(&departure, scene([holder]) { $0.unhanded = 2 }, from: 500))
        #expect(slow.after == 601 && slow.step == .say)
        departure = Departure(at: .zero)
        for second in 0..<500 {
            #expect(departure.next(scene([holder]) { $0.unhanded = 1 }, at: .seconds(second)) == .reconcile)
        }
        #expect(departure.next(scene([holder]), at: .seconds(500)) == .say)
    }

    @Test func `who left on another device is done once all who are in reach have said so for a minute`() throws {
        var departure = Departure(at: .zero)
        for second in 0..<100 { #expect(departure.next(scene(), at: .seconds(second)) == .wait) }
        departure.meet(PeerID(1), Self.devices[0])
        departure.hear(PeerID(1))
        for second in 100...160 { #expect(departure.next(scene(), at: .seconds(second)) == .wait) }
        var other = departure
        #expect(departure.next(scene(), at: .seconds(161)) == .forget)
        // Whoever lets the person in shows that it is not so.
        #expect(other.next(scene([stranger]), at: .seconds(161)) == .reconcile)
        for second in 162..<400 { #expect(other.next(scene(), at: .seconds(second)) == .wait) }
        // Where pictures would go with it, one who is behind is not enough for ten minutes.
        var sharing = Departure(at: .zero)
        sharing.meet(PeerID(1), Self.devices[0])
        sharing.hear(PeerID(1))
        let alone = scene { $0.unhanded = 1 }
        for second in 0...600 { #expect(sharing.next(alone, at: .seconds(second)) == .wait) }
        #expect(sharing.next(alone, at: .seconds(601)) == .forget)
    }

    @Test func `whom a host lets in again before anybody was known to have heard stays`() {
        var departure = Departure(at: .zero)
        departure.noteSaid()
        #expect(departure.next(scene { $0.isSaid = true }, at: .seconds(1)) == .wait)
        #expect(departure.next(scene(), at: .seconds(2)) == .stay)
    }

    @Test func `who comes and goes is given the whole time again`() throws {
        var departure = Departure(at: .zero)
        for second in 0..<50 { #expect(departure.next(scene([stranger]), at: .seconds(second)) == .reconcile) }
        #expect(departure.next(scene(), at: .seconds(50)) == .wait)
        let said = try #require(wait(&departure, scene([stranger]), from: 51))
        #expect(said.after == 61 && said.step == .say)
    }

    @Test func `who goes on fetching is waited for longer, and not for ever`() throws {
        var departure = Departure(at: .zero)
        let slow = try #require(wait(&departure, scene([fetcher]), from: 0))
        #expect(slow.after == 601 && slow.step == .say)
        // One that holds all does not go before the last of it has arrived, with another one either.
        departure = Departure(at: .zero)
        #expect(departure.next(scene([holder, fetcher]), at: .seconds(3)) == .reconcile)
        departure.noteServing(at: .seconds(9))
        #expect(departure.next(scene([holder]), at: .seconds(11)) == .reconcile)
        #expect(departure.next(scene([holder]), at: .seconds(12)) == .say)
    }

    @Test func `who wants all deleted has that handed over however long it takes`() throws {
        var departure = Departure(at: .zero)
        #expect(departure.next(scene { ($0.erases, $0.isErased) = (true, false) }, at: .zero) == .erase)
        let erased = { (others: [Departure.Other]) in self.scene(others) { $0.erases = true } }
        #expect(wait(&departure, erased([stranger]), from: 1) == nil)
        let slow = erased([holder, fetcher])
        #expect(departure.next(slow, at: .seconds(2002)) == .say)
        departure = Departure(at: .zero)
        let said = try #require(wait(&departure, slow, from: 0))
        #expect(said.after == 601 && said.step == .say)
        #expect(departure.next(scene { $0.isOver = true }, at: .seconds(2003)) == .forget)
    }

    @Test func `who was never let in has nothing to hand over`() {
        var departure = Departure(at: .zero)
        #expect(departure.next(scene { $0.hasPart = false }, at: .zero) == .say)
    }

    @Test func `a receipt counts of others who proved who they are, and after the word alone`() {
        var departure = Departure(at: .zero)
        let said = scene { $0.isSaid = true }
        departure.meet(PeerID(1), Self.devices[0])
        departure.hear(PeerID(1))
        departure.hear(PeerID(2))
        departure.meet(PeerID(2), Self.devices[1])
        departure.noteSaid()
        #expect(departure.next(said, at: .seconds(1)) == .wait && departure.receipts.isEmpty)
        departure.hear(PeerID(9))
        #expect(departure.next(said, at: .seconds(2)) == .wait && departure.receipts.isEmpty)
        departure.hear(PeerID(1))
        departure.hear(PeerID(1))
        #expect(departure.next(said, at: .seconds(3)) == .forget && departure.receipts == [Self.devices[0]])
        // The word of a device may come before it has proved which it is.
        departure.hear(PeerID(3))
        #expect(departure.receipts.count == 1)
        departure.meet(PeerID(3), Self.devices[2])
        #expect(departure.receipts == [Self.devices[0], Self.devices[2]])
    }

    @Test func `what is remembered of connections is bounded`() {
        var departure = Departure(isSaid: true, at: .zero)
        for number in 0..<10_000 { departure.hear(PeerID(UInt64(number))) }
        departure.meet(PeerID(0), Self.devices[0])
        #expect(departure.receipts.isEmpty)
        departure.meet(PeerID(9999), Self.devices[0])
        #expect(departure.receipts.count == 1)
    }

    @Test(arguments: 0..<400 as Range<UInt64>)
    func `whatever happens, nothing is said too early nor forgotten unheard`(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var departure = Departure(at: .zero)
        let erases = random.chance(40)
        var (linked, isSaid, proved, heard): (Int?, Bool, Set<PeerID>, Set<PeerID>) = (nil, false, [], [])
        var (lastBusy, unerased, denied) = (0, erases ? 3 : 0, Int?.none)
        for second in 1..<1500 {
            if linked == nil ? random.chance(3) : random.chance(1) { linked = linked == nil ? second : nil }
            let others = (0..<(linked == nil ? 0 : 1 + Int(random.next() % 2))).map { _ in
                Departure.Other(isInSync: random.chance(5), isAwaiting: random.chance(20))
            }
            if random.chance(3) {
                departure.noteServing(at: .seconds(second))
                lastBusy = second
            }
            let peer = PeerID(random.next() % 8)
            if random.chance(3) {
                departure.meet(peer, Self.devices[Int(peer.number % 3)])
                proved.insert(peer)
            }
            if random.chance(3) {
                departure.hear(peer)
                heard.insert(peer)
            }
            if others.contains(where: \.isAwaiting), !isSaid, unerased == 0 { lastBusy = second }
            if !isSaid, linked != nil { (heard, denied) = ([], nil) }
            if !isSaid, !proved.isDisjoint(with: heard) { denied = denied ?? second }
            let isOver = random.chance(1) && random.chance(10)
            let scene = scene(others) {
                ($0.erases, $0.isErased, $0.isOver, $0.isSaid) = (erases, unerased == 0, isOver, isSaid)
            }
            switch departure.next(scene, at: .seconds(second)) {
            case .forget:
                let isHeard = !proved.isDisjoint(with: heard)
                #expect(isOver || isHeard && (isSaid || denied.map { second - $0 > 60 } ?? false))
                return
            case .say:
                #expect(!isSaid && unerased == 0 && linked != nil)
                let quiet = second - max(lastBusy, linked ?? second)
                let isInSync = others.contains(where: \.isInSync)
                let isPatienceOver = quiet > 60 || second - (linked ?? second) > 600
                #expect(isInSync && quiet > 2 || (isInSync || !erases) && isPatienceOver)
                departure.noteSaid()
                (isSaid, heard) = (true, [])
            case .erase:
                #expect(!isSaid && unerased > 0)
                unerased -= 1
            case .stay: Issue.record("nobody let the person in again")
            case .reconcile, .compareAnew: #expect(!isSaid && linked != nil && !isOver)
            case .wait: #expect(isSaid ? proved.isDisjoint(with: heard) : linked == nil)
            }
        }
    }
}
