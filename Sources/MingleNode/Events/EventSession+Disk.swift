// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Logging
import MingleMedia
import MingleReplica
import MingleSync
import Synchronization

extension EventSession {
    /// Free bytes below which nothing is fetched, so that people's own words still find room.
    private static let reserve = 16 << 20
    /// Free bytes below which nothing is merged once something could not be.
    private static let wordRoom = 1 << 20

    /// Pauses fetching if the disk is full; it goes on by itself when there is room.
    func pauseIfFull(_ error: any Error) {
        // What people ask for in vain is no fault of the node's.
        let isFault = [.internal, .noSpace].contains(API.Problem(error).name)
        logger.log(
            level: isFault ? .error : .info,
            "could not write",
            metadata: ["event": "\(event)", "error": "\(error)"]
        )
        switch error {
        case ReplicaError.noSpace, BlobStoreError.noSpace:
            outOfRoom.withLock { $0 = $0 ?? clock.uptime() }
            feed(.outOfRoom)
            if disk.exchange(true) == false {
                feed(.diskFull)
                changes.publish(kinds: ["status"])
            }
        default: break
        }
    }

    /// Looks every second whether the disk has room again, or has none left.
    func checkDisk() {
        guard let free = SafeFile.freeBytes(at: path) else { return }
        let isFull = free < Self.reserve
        let hasChanged = disk.exchange(isFull) != isFull
        let hasWordsWaited = free >= Self.wordRoom && endWaitForRoom()
        guard hasChanged || hasWordsWaited else { return }
        if hasWordsWaited || !isFull { goOn() }
        if isFull { feed(.diskFull) }
        changes.publish(kinds: ["status"])
    }

    /// Ends a wait for room that has lasted some seconds, so that a disk that is full in a way of its own is not tried
    /// every second; false if nothing waits.
    private func endWaitForRoom() -> Bool {
        let now = clock.uptime()
        return outOfRoom.withLock { since in
            guard let begin = since, now - begin >= .seconds(3) else { return false }
            since = nil
            return true
        }
    }

    private func goOn() {
        feed(.diskRoom)
        reading.async { [self] in findUnfinished() }
        // What could not be merged meanwhile is offered again when frontiers are compared, which a new link begins.
        let goodbye = Goodbye("compares anew, since the disk has room again")
        for (peer, _) in roster.all { host?.close(peer, goodbye) }
    }

    /// Removes what was erased from the database's files as well, within a minute; in large events somewhat later, so that
    /// people who delete much do not keep everybody's words waiting.
    func scheduleScrub() {
        guard scrubbing.exchange(true) == false else { return }
        let pause = max(20, scrubTime.withLock { $0 } * 30)
        merging.asyncAfter(deadline: .now() + pause) { [self] in
            _ = scrubbing.exchange(false)
            guard !isStopped.isSet else { return }
            let start = clock.uptime()
            var isDone = false
            attempt("scrub the database") { isDone = try replica.scrub() }
            scrubTime.withLock { $0 = (clock.uptime() - start) / .seconds(1) }
            // A full disk or a reader is in the way for a while only.
            if !isDone { scheduleScrub() }
        }
    }
}

/// A yes or no that several queues share.
final class Flag: Sendable {
    private let value = Mutex(false)

    /// What it says now.
    var isSet: Bool { value.withLock { $0 } }

    /// Sets it, and returns what it said before.
    func exchange(_ new: Bool) -> Bool {
        value.withLock { value in
            defer { value = new }
            return value
        }
    }
}
