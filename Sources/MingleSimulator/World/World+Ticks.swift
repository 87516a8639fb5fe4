// SPDX-License-Identifier: Apache-2.0

import MingleMedia
import MingleReplica
import MingleSync

// When nodes learn that time has passed.
extension World {
    /// Lets a node's engine and its blobs know that time has passed: a second has, or several in which nothing else happened
    /// and nothing was to be done.
    func tick(_ node: SimulatedNode) throws {
        guard now == node.nextTick else { return }
        node.lastTick = now
        guard node.isAwake else { return schedule(tick: now + .seconds(5), of: node) }
        node.inbox.append(.tick)
        feed(node)
        schedule(tick: node.engine.nextTick(after: now), of: node)
        if !node.unflushedChunks.isEmpty {
            node.unflushedChunks = []
            try node.blobs.flush()
        }
    }

    /// Puts down a node's first tick.
    func beginTicks(of node: SimulatedNode) {
        node.lastTick = now
        schedule(tick: now, of: node)
    }

    /// Lets a node tick earlier than was put down, if its engine or its blobs have something to do by then after what happened.
    func reconsiderTick(of node: SimulatedNode) {
        let soon = now + .seconds(1)
        guard node.nextTick > soon else { return }
        let next = node.unflushedChunks.isEmpty ? node.engine.nextTick(after: now) : soon
        if next < node.nextTick { schedule(tick: next, of: node) }
    }

    /// Puts down the next tick: whole seconds after the last one, and not before `time`.
    private func schedule(tick time: Duration, of node: SimulatedNode) {
        let seconds = ((time - node.lastTick) / .seconds(1)).rounded(.up)
        node.nextTick = node.lastTick + .seconds(max(1, Int(seconds)))
        agenda.add(.tick(node: node.number, life: node.life), at: node.nextTick)
    }
}
