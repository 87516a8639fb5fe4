// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Logging
import MingleAPI
import MingleMedia
import MingleReplica
import MingleSync
import Synchronization

extension EventSession {
    /// Pauses fetching if the disk is full; it goes on by itself when there is room.
    ///
    /// That a blob finds no room says nothing of words, which are short: they go on as long as the disk has room for them.
    func pauseIfFull(_ error: any Error) {
        // A request that is refused is not a failure of the node.
        let isFault = [.internal, .noSpace].contains(API.Problem(error).name)
        if isFault { tally.note { $0.errors += 1 } }
        logger.log(
            level: isFault ? .error : .info,
            isFault ? "could not write to the disk" : "refused a write",
            metadata: ["event": "\(event)", "error": "\(error)"]
        )
        switch error {
        case BlobStoreError.noSpace: checkDisk()
        case ReplicaError.noSpace:
            let isNews = room.withLock { $0.fail(at: clock.uptime()) }
            feed(.outOfRoom)
            guard isNews else { return }
            feed(.diskFull)
            changes.publish(kinds: ["status"])
        default: break
        }
    }

    /// What becomes of a chunk that could not be written: whether others are worth fetching.
    func outcome(of error: any Error) -> ChunkOutcome {
        pauseIfFull(error)
        return switch error {
        // Others may be shorter, and one file that cannot be read says nothing of the rest.
        case BlobStoreError.noRoom, BlobStoreError.system: .putOff
        default: .notWritten
        }
    }

    /// Looks every second whether the disk has room again, or has none left.
    func checkDisk() {
        guard let free = SafeFile.freeBytes(at: files.folder) else { return }
        let change = room.withLock { $0.look(freeBytes: free, at: clock.uptime()) }
        guard let change else { return }
        if case .hasRoom = change { goOn() }
        if change == .ranOut { feed(.outOfRoom) }
        if change != .hasRoom(isFull: false) { feed(.diskFull) }
        changes.publish(kinds: ["status"])
    }

    private func goOn() {
        feed(.diskRoom)
        reading.async { [self] in findUnfinished() }
        // What was due and could not be written is due still, and nothing else may come that would have it looked at.
        scheduleKeys()
        scheduleHiding()
        // What could not be merged meanwhile is offered again when frontiers are compared, which a new link begins.
        let goodbye = Goodbye("compares anew, since the disk has room again")
        for (peer, _) in roster.all { host?.close(peer, goodbye) }
    }
}
