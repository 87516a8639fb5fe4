// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleModel
import MingleNode
import MingleReplica
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ChangeFeedTests {
    @Test func `every listener hears every change in order`() async {
        let feed = ChangeFeed()
        let listeners = [feed.changes(), feed.changes()]
        feed.publish(kinds: ["photo"])
        feed.publish(kinds: ["comment", "fave"])
        for listener in listeners {
            var changes = listener.makeAsyncIterator()
            let (first, second) = (await changes.next(), await changes.next())
            #expect(first?.number == 1 && first?.kinds == ["photo"])
            #expect(second?.number == 2 && second?.kinds == ["comment", "fave"])
        }
    }

    @Test func `a listener hears nothing of what was before it`() async {
        let feed = ChangeFeed()
        feed.publish(kinds: ["before"])
        var changes = feed.changes().makeAsyncIterator()
        feed.publish(kinds: ["after"])
        #expect(await changes.next()?.number == 2)
    }

    @Test func `a slow listener gets the newest`() async {
        let feed = ChangeFeed()
        var changes = feed.changes().makeAsyncIterator()
        for _ in 0..<100 { feed.publish(kinds: ["photo"]) }
        var numbers: [UInt64] = []
        while numbers.last != 100 { numbers.append(await changes.next()?.number ?? 100) }
        #expect(numbers == Array(37...100))
    }

    @Test func `a listener who stops is told nothing, and the others still are`() async {
        let feed = ChangeFeed()
        var others = feed.changes().makeAsyncIterator()
        let stopped = Task { for await _ in feed.changes() {} }
        stopped.cancel()
        await stopped.value
        feed.publish(kinds: ["photo"])
        #expect(await others.next()?.number == 1)
    }

    @Test func `who comes back is told what was missed`() {
        let feed = ChangeFeed()
        #expect(feed.changes(after: 0)?.isEmpty == true)
        for number in 1...5 { feed.publish(kinds: ["\(number)"]) }
        #expect(feed.changes(after: 3)?.map(\.kinds) == [["4"], ["5"]])
        #expect(feed.changes(after: 0)?.map(\.number) == [1, 2, 3, 4, 5])
        #expect(feed.changes(after: 5)?.isEmpty == true)
    }

    @Test func `who looks is told of records by kind, and guests of a door of none that are for some people only`()
        throws
    {
        let reference = { (number: UInt64) in
            Reference(device: number, journal: .content, sequence: 1, hash: number)
        }
        let records = [
            ChangedRecord(kind: "photo", id: reference(1), isForAll: true),
            ChangedRecord(kind: "photo", id: reference(2), isForAll: false),
            ChangedRecord(kind: "report", id: reference(3), isForAll: true),
        ]
        let feed = ChangeFeed()
        feed.publish(kinds: ["photo", "report"], records: records)
        feed.publish(kinds: ["photo"])
        let entries = try #require(feed.changes(after: 0))
        let (all, guests) = (API.Change(entries[0]), API.Change(forGuests: entries[0], of: ["photo"]))
        #expect(all.targets?.mapValues(\.count) == ["photo": 2, "report": 1])
        #expect(guests.kinds == ["photo"] && guests.targets == ["photo": [reference(1).description]])
        #expect(API.Change(entries[1]).targets == nil)
    }

    @Test func `who comes back too late, or from another run, is told so`() {
        let feed = ChangeFeed()
        for _ in 0..<300 { feed.publish(kinds: ["photo"]) }
        #expect(feed.changes(after: 44)?.count == 256)
        #expect(feed.changes(after: 43) == nil)
        #expect(feed.changes(after: 0) == nil)
        #expect(feed.changes(after: 301) == nil && feed.changes(after: .max) == nil)
    }

    @Test func `feeds of two runs are told apart`() {
        #expect(Set((0..<20).map { _ in ChangeFeed().session }).count > 1)
    }

    // Once, a task that was cancelled and one that published waited for each other, and joining an event hung.
    @Test func `listeners who are cancelled while changes are published hold nothing up`() async {
        let feed = ChangeFeed()
        let isOver = Mutex(false)
        // Who publishes without a pause keeps the others from the locks for whole turns of the scheduler.
        let publisher = Thread {
            while !isOver.withLock({ $0 }) {
                feed.publish(kinds: ["photo"])
                sched_yield()
            }
        }
        publisher.start()
        defer { isOver.withLock { $0 = true } }
        var ended = 0
        for _ in 0..<500 {
            let listener = Task { for await _ in feed.changes() {} }
            await Task.yield()
            listener.cancel()
            await listener.value
            ended += 1
        }
        // Where they wait for each other the time limit of the suite ends the test before this.
        #expect(ended == 500)
    }
}
