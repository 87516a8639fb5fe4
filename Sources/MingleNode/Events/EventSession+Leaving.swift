// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleCrypto
import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import Synchronization

/// Leaving, as ``Departure`` says what is next.
extension EventSession {
    /// Whether this person leaves: the event is neither shown nor written to any more.
    var isLeaving: Bool { farewell.withLock { $0 != nil } }

    /// How many devices of others have told that they know.
    var receipts: Int { departure.withLock { $0.receipts.count } }

    /// Whether one of them has, so that all that is left to do is to delete this node's copy.
    var isHeard: Bool { departure.withLock(\.isHeard) }

    /// What the person has to know about leaving that takes long.
    var leavingWarnings: [String] {
        let title = (try? replica.title()) ?? event.description
        let isSaid = (try? replica.hasLeft(replica.own.person)) ?? false
        let left = isSaid ? 0 : handOver.withLock { $0.left.count }
        let count = left == 1 ? "1 photo file is" : "\(left) photo files are"
        let files = left == 0 ? "" : " \(count) on this device only."
        let waiting =
            "You left \(title), and nobody else knows it yet.\(files) Keep this node running near another participant. After "
            + "seven days this node deletes the event's folder anyway. To delete it now: mingle event leave \(event) --now"
        let failure = leavingFailure.withLock { $0 }.map { "Leaving \(title) failed: \($0)" }
        return (isHeard ? [failure] : [waiting, hintOfNoHearing, failure]).compactMap(\.self)
    }

    /// That waiting is in vain as far as the others say, whose word alone deletes nothing; nil if it is not.
    var hintOfNoHearing: String? {
        shutOut.map {
            "The others do not let you in (\($0)), so they may never learn that you left. If a host confirms this, delete the "
                + "event's folder now."
        }
    }

    /// Begins to leave, or wants all deleted as well; survives the end of the program.
    ///
    /// - Returns: whether all is to be deleted, if that is wanted: not where the person has said already to have left.
    @discardableResult
    func beginToLeave(erasing erases: Bool) throws -> Bool {
        // Of two who ask at once the first begins, and the other asks for more at the most.
        try keepingFarewell.withLock { _ in
            guard var wanted = farewell.withLock({ $0 }) else {
                try beginFarewell(erasing: erases)
                return true
            }
            guard erases, !wanted.erases else { return true }
            guard try !replica.hasLeft(replica.own.person) else { return false }
            wanted.erases = true
            // First on the disk: who is told that it could not be noted would not expect it to be done.
            try wanted.write(in: files.folder)
            farewell.withLock { $0 = wanted }
            return true
        }
    }

    private func beginFarewell(erasing erases: Bool) throws {
        let begun = Farewell(began: clock.now().milliseconds, erases: erases)
        try begun.write(in: files.folder)
        departure.withLock { departure in
            departure.begin(at: clock.uptime())
            for (peer, device) in roster.othersDevices(than: replica.own.person) { departure.meet(peer, device) }
        }
        handOver.withLock { $0 = HandOver() }
        farewell.withLock { $0 = begun }
        forgetSyncStates()
    }

    /// Changes what is kept of leaving, on the disk as well where that is to be written.
    ///
    /// Who only reads it never waits for the disk; and time passes also on one that is full.
    private func changeFarewell(_ change: (inout Farewell) -> Bool) throws {
        try keepingFarewell.withLock { _ in
            guard var changed = farewell.withLock({ $0 }) else { return }
            let isToBeKept = change(&changed)
            farewell.withLock { $0 = changed }
            if isToBeKept { try changed.write(in: files.folder) }
        }
    }

    /// Leaves no more, and shows the event again; unless somebody asked meanwhile that all is deleted first.
    private func stay(as farewell: Farewell) throws {
        let stays = try keepingFarewell.withLock { _ in
            guard self.farewell.withLock({ $0?.erases }) == farewell.erases else { return false }
            try Farewell.erase(in: files.folder)
            self.farewell.withLock { $0 = nil }
            return true
        }
        guard stays else { return }
        feed(.blobsWatched([]))
        changes.publish(kinds: ["status"])
    }

    /// Whether the event's folder can go: somebody knows, nobody has to, or nobody did for too long.
    var isFarewellOver: Bool {
        guard let farewell = farewell.withLock({ $0 }) else { return false }
        return isDeparted.isSet || farewell.isOver
    }

    /// Counts for how long somebody leaves, and writes that down now and then.
    private func countWaiting() throws { try changeFarewell { $0.look(at: clock.now().milliseconds) } }

    /// Does what is next about leaving; about once a second.
    func goOnLeaving() {
        guard isLeaving else { return }
        merging.async { [self] in
            guard !isStopped.isSet else { return }
            attempt("leave the event") {
                do {
                    try takeLeave()
                    leavingFailure.withLock { $0 = nil }
                } catch {
                    // It is tried each second for days: the log has it once.
                    let words = "\(error)"
                    let isNew = leavingFailure.withLock { failure in
                        defer { failure = words }
                        return failure != words
                    }
                    if isNew { throw error }
                }
            }
        }
    }

    private func takeLeave() throws {
        // What keeps time from being written down keeps nothing else from being done.
        let counting = Result { try countWaiting() }
        guard let farewell = farewell.withLock({ $0 }) else { return }
        let records = farewell.erases ? try unerased() : []
        let scene = try scene(farewell, isErased: records.isEmpty)
        switch departure.withLock({ $0.next(scene, at: clock.uptime()) }) {
        case .wait: break
        case .reconcile: feed(.reconcile)
        case .compareAnew:
            forgetSyncStates()
            feed(.reconcile)
        case .erase: try erase(records)
        case .say: try say(as: farewell)
        case .forget: _ = isDeparted.exchange(true)
        case .stay: try stay(as: farewell)
        }
        try counting.get()
    }

    /// Says that the person has left, unless somebody asked meanwhile that all is deleted first, and was told that it will be.
    private func say(as farewell: Farewell) throws {
        let authored: Authored? = try keepingFarewell.withLock { _ in
            guard self.farewell.withLock({ $0?.erases }) == farewell.erases else { return nil }
            return try replica.leave(at: clock.now(), randomness: .system)
        }
        guard let authored else { return }
        departure.withLock { $0.noteSaid() }
        tell(authored.outcome, own: authored.runs)
    }

    private func scene(_ farewell: Farewell, isErased: Bool) throws -> Departure.Scene {
        var scene = Departure.Scene()
        scene.others = roster.others(than: replica.own.person).map {
            Departure.Other(isInSync: $0.isInSync, isAwaiting: isAwaited(by: $0.peer))
        }
        scene.isSaid = try replica.hasLeft(replica.own.person)
        scene.hasPart = try ownLevel() != nil
        (scene.erases, scene.isErased) = (farewell.erases, isErased)
        // Once it is said, nobody lets this node in to ask.
        scene.unhanded = try isErased && !scene.isSaid ? lookAtHandOver() : 0
        // A host may have removed this person first, or all others may have left; a person who left hears neither.
        scene.isOver = try scene.isSaid ? isNobodyLeft() : reasonToLeaveSilently() != nil
        return scene
    }

    /// What this person shared and has not deleted, one transaction's worth.
    private func unerased() throws -> [Reference] {
        guard try ownLevel() != nil else { return [] }
        let records = try replica.ownRecords(limit: 256)
        // Of a journal that has forked something may stay, of which nobody can speak.
        return records == lastErased.withLock { $0 } ? [] : records
    }

    private func erase(_ records: [Reference]) throws {
        let authored = try replica.author(records.map { .delete($0) }, at: clock.now(), randomness: .system)
        lastErased.withLock { $0 = records }
        tell(authored.outcome, own: authored.runs)
        forgetSyncStates()
    }

    /// That what this person shared was not deleted, where it is with others; nil where it is not.
    func phraseOfWhatStays() throws -> String? {
        let isShared = try !replica.ownRecords(limit: 1).isEmpty
        let others = try replica.people().contains { !$0.me } || !replica.relays().isEmpty
        return isShared && others ? "What you shared was not deleted. The others keep it." : nil
    }

    /// Why nobody is to be told that this person leaves; nil if somebody is.
    func reasonToLeaveSilently() throws -> String? {
        let me = replica.own.person
        if replica.own.isRelay { return "A relay has nobody to tell." }
        if try replica.isRetired(replica.own.name) {
            return "You had retired this device. You still take part on your other devices."
        }
        if let removal = try replica.removal(of: me) {
            return removal.person.isDeclined ? "You had not been let in." : "You had been removed."
        }
        if try replica.hasLeft(me) { return "You had left before, on another device." }
        guard try replica.level(of: me) != nil else {
            return try waiting()?.doorkeeper == nil ? "Nobody had let you in, so there is nobody to tell." : nil
        }
        guard try isNobodyLeft() else { return nil }
        let hasOthers = try replica.devices(of: me).contains { !$0.isOwn && !$0.isRetired }
        return hasOthers
            ? "Nobody else takes part. You still take part on your other devices." : "Nobody else takes part."
    }

    /// Whether nobody else takes part; a relay serves what was shared to whoever comes later.
    private func isNobodyLeft() throws -> Bool {
        try replica.people().allSatisfy(\.me) && replica.relays().isEmpty
    }
}
