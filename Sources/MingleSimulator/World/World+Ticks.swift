// SPDX-License-Identifier: Apache-2.0

import MingleMedia
import MingleReplica
import MingleSync

// When nodes learn that time has passed.
extension World {
    /// Lets a node's engine and its blobs know that a second has passed, or several in which nothing was to be done, if something
    /// is to be done now.
    func tick(_ node: SimulatedNode) throws {
        guard now == node.nextTick else { return }
        node.lastTick = now
        guard node.isAwake else { return schedule(tick: now + .seconds(5), of: node) }
        let due = node.unflushedChunks.isEmpty ? node.engine.nextTick(after: now - .seconds(1)) : now
        guard due <= now else { return schedule(tick: due, of: node) }
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

    /// Has a node look in a second whether its tick comes earlier than was put down, after what happened.
    ///
    /// All of its peers are asked for that, so it is done once a second and not after each message.
    func reconsiderTick(of node: SimulatedNode) {
        guard node.nextTick >= now + .seconds(2) else { return }
        schedule(tick: now + .seconds(1), of: node)
    }

    /// Puts down the next tick: whole seconds after the last one, and not before `time`.
    private func schedule(tick time: Duration, of node: SimulatedNode) {
        let seconds = ((time - node.lastTick) / .seconds(1)).rounded(.up)
        node.nextTick = node.lastTick + .seconds(max(1, Int(seconds)))
        agenda.add(.tick(node: node.number, life: node.life), at: node.nextTick)
    }
}
