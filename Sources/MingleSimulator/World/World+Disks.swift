// SPDX-License-Identifier: Apache-2.0

import Glibc
import MingleMedia
import MingleModel
import MingleReplica
import MingleSync

// What disks do to nodes: power cuts in the midst of a write, and room that runs out.
extension World {
    /// Lets a node's power be cut soon: in the midst of what it writes next, or else while it rests.
    func endanger(_ node: SimulatedNode) {
        guard node.isAwake, let disk = node.disk, !node.isDoomed else { return }
        node.isDoomed = true
        disk.cutPower(after: dice.number(1...40))
        agenda.add(.powerCut(node: node.number, life: node.life), at: now + .seconds(dice.number(1...600)))
    }

    /// The power is cut: what was not synchronized may be lost.
    func cutPower(of node: SimulatedNode) throws {
        coverage.powerCuts += 1
        if node.disk?.hasFailed == true { coverage.tornWrites += 1 }
        let seed = dice.next()
        guard coverage.flippedBits > 0 else { return try reopen(node, losing: seed) }
        // What others write is not waited for until it is on the disk, and they may have lost it since; what it wrote itself is.
        let own = node.devicesHere.map(\.raw.prefix)
        try noteLosses(of: node, but: { own.contains($0.device) }) { try reopen(node, losing: seed) }
    }

    /// Fills a node's disk up to some bytes, for a while.
    func fill(_ node: SimulatedNode) {
        guard node.isAwake, let disk = node.disk, !node.isFilled else { return }
        node.isFilled = true
        disk.leaveRoom(dice.number(0...300_000))
        agenda.add(.room(node: node.number), at: now + .seconds(dice.number(20...600)))
    }

    /// Makes room again on a node's disk; what could not be stored is asked for anew.
    func makeRoom(on node: SimulatedNode) throws {
        node.isFilled = false
        node.disk?.leaveRoom(nil)
        scheduleKeys(of: node)
        guard node.isOutOfRoom else { return }
        node.isOutOfRoom = false
        tell(node, [.diskRoom])
        // The power may go just then, or have gone with a write that nobody waited for.
        try attempt(node) { tell(node, try node.unfinished()) }
        let goodbye = Goodbye("compares anew, since the disk has room again")
        for peer in node.links.keys.sorted() { finish(peer, goodbye, of: node) }
    }

    /// Does something of a node's that a failing disk may end.
    func attempt(_ node: SimulatedNode, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            if node.disk?.hasFailed == true { return try cutPower(of: node) }
            switch error {
            case ReplicaError.noSpace: runOutOfRoom(node)
            default: throw error
            }
        }
    }

    private func runOutOfRoom(_ node: SimulatedNode) {
        coverage.fullDisks += 1
        guard !node.isOutOfRoom else { return }
        node.isOutOfRoom = true
        tell(node, [.diskFull, .outOfRoom])
    }
}

extension SimulatedNode {
    /// Zeroes what a power cut may take of the chunks that were stored and not synchronized.
    func damageChunks(_ dice: inout Dice) {
        for chunk in unflushedChunks {
            guard dice.chance(60), let geometry = ChunkGeometry(size: Int64(chunk.size)) else { continue }
            let path = "\(path)/\(chunk.name).part"
            let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { _ = Glibc.close(descriptor) }
            let start = dice.number(0...(chunk.data.bytes.count - 1))
            let zeros = [UInt8](repeating: 0, count: chunk.data.bytes.count - start)
            let offset = geometry.offset(of: Int(chunk.index)) + Int64(start)
            _ = unsafe zeros.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
        }
        unflushedChunks = []
    }
}
