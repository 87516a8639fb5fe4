// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleModel
import MinglePeering
import MingleSync
import Synchronization

/// Who is connected in one event, for people and for the operator.
final class Roster: Sendable {
    /// One connection.
    struct Entry: Sendable {
        var address: String
        var isIncoming: Bool
        var since: Date
        var device: DeviceName?
        var person: PersonID?
        /// Whose device it has proved to be, whether it was let in or not.
        var claimant: PersonID?
        /// `greeting`, `being_let_in`, `syncing`, `in_sync`, `withholds_journal`, `withholds_payloads` or `stalled`.
        var state = "greeting"
        /// Whether it holds the same.
        var accord = Accord()
        var isRelay = false
        /// Whether it has said that it lets this node in.
        var letsIn = false
        /// What its clock said when this node's uptime was nothing, in milliseconds since 1970; nil if it does not tell.
        var clockBeginning: Int64?
    }

    private let entries = Mutex<[PeerID: Entry]>([:])

    /// The connections, oldest first.
    var all: [(PeerID, Entry)] { entries.withLock { $0.sorted { $0.key < $1.key } } }

    /// The persons with a connected device.
    var present: Set<PersonID> { entries.withLock { Set($0.values.compactMap(\.person)) } }

    /// Whether somebody else's device that was let in has let this node in as well.
    func isLetIn(byOthersThan person: PersonID) -> Bool {
        entries.withLock { $0.values.contains { $0.letsIn && $0.person.map { $0 != person } ?? false } }
    }

    /// Whether a connection leads to somebody else's device that was let in.
    func isOther(_ peer: PeerID, than person: PersonID) -> Bool {
        entries.withLock { $0[peer]?.person }.map { $0 != person } ?? false
    }

    func open(_ peer: PeerID, address: String, isIncoming: Bool) {
        entries.withLock { $0[peer] = Entry(address: address, isIncoming: isIncoming, since: Date()) }
    }

    func close(_ peer: PeerID) { entries.withLock { $0[peer] = nil } }

    func greet(_ peer: PeerID, device: DeviceName, person: PersonID?) {
        entries.withLock { entries in
            entries[peer]?.device = device
            entries[peer]?.person = person
        }
    }

    func note(claimant person: PersonID, of peer: PeerID) { entries.withLock { $0[peer]?.claimant = person } }

    /// Whose device a peer has proved to be.
    func claimant(of peer: PeerID) -> PersonID? { entries.withLock { $0[peer]?.claimant } }

    /// Whose device a peer is that was let in.
    func person(of peer: PeerID) -> PersonID? { entries.withLock { $0[peer]?.person } }

    func noteClock(of peer: PeerID, beginning: Int64) { entries.withLock { $0[peer]?.clockBeginning = beginning } }

    func noteRelay(_ peer: PeerID) { entries.withLock { $0[peer]?.isRelay = true } }

    /// The connected devices.
    var devices: Set<DeviceName> { entries.withLock { Set($0.values.compactMap(\.device)) } }

    /// The connections to others' devices that were let in, and whether each holds the same, as far as it has told since
    /// ``forgetSyncStates()``.
    func others(than person: PersonID) -> [(peer: PeerID, isInSync: Bool)] {
        all.filter { $1.person.map { $0 != person } ?? false }.map { ($0, $1.accord.isInSync) }
    }

    /// The connections to others' devices that were let in, and which these are.
    func othersDevices(than person: PersonID) -> [(PeerID, DeviceName)] {
        all.compactMap { peer, entry in
            guard let other = entry.person, other != person, let device = entry.device else { return nil }
            return (peer, device)
        }
    }

    private var members: [Entry] { all.map(\.1).filter { $0.person != nil } }

    /// Whether all devices that were let in have told that they hold no more than this node, and one of them is no relay.
    var holdNoMore: Bool { Accord.isReached(among: members.map { ($0.accord, $0.isRelay) }) }

    /// Whether a device that was let in has told that it holds no more than this node.
    var hasInSyncMember: Bool { members.contains(where: \.accord.holdsNoMore) }

    /// Whether a device that was let in is no relay, and so knows what is said.
    var hasReader: Bool { members.contains { !$0.isRelay } }

    /// Whether a device that was let in and is no relay has told that it holds no more than this node.
    var hasInSyncReader: Bool { members.contains { $0.accord.holdsNoMore && !$0.isRelay } }

    /// Marks every peer as no longer in sync, because something was written here.
    func forgetSyncStates() {
        entries.withLock { entries in
            for (peer, entry) in entries where entry.accord.isInSync {
                entries[peer]?.state = "syncing"
                entries[peer]?.accord.forget()
            }
        }
    }

    func note(_ state: PeerState, of peer: PeerID) {
        entries.withLock { entries in
            entries[peer]?.accord.note(state)
            switch state {
            case .admitted(_, .all): entries[peer]?.state = "syncing"
            case .admitted(_, .fabric): entries[peer]?.state = "being_let_in"
            case .welcomed: entries[peer]?.letsIn = true
            case .inSync(.all): entries[peer]?.state = "in_sync"
            // Who holds the fabric alone holds nothing that people share.
            case .inSync(.fabric), .ahead, .caughtUp: break
            case .gaveUp: entries[peer]?.state = "withholds_journal"
            case .withheldPayloads: entries[peer]?.state = "withholds_payloads"
            case .stalled: entries[peer]?.state = "stalled"
            }
        }
    }
}
