// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleModel
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
        var state = "greeting"
        var isRelay = false
    }

    private let entries = Mutex<[PeerID: Entry]>([:])

    /// The connections, oldest first.
    var all: [(PeerID, Entry)] { entries.withLock { $0.sorted { $0.key < $1.key } } }

    /// The persons with a connected device.
    var present: Set<PersonID> { entries.withLock { Set($0.values.compactMap(\.person)) } }

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

    func noteRelay(_ peer: PeerID) { entries.withLock { $0[peer]?.isRelay = true } }

    func note(_ state: PeerState, of peer: PeerID) {
        entries.withLock { entries in
            switch state {
            case .admitted(_, .all): entries[peer]?.state = "syncing"
            case .admitted(_, .fabric): entries[peer]?.state = "being let in"
            case .level: entries[peer]?.state = "level"
            case .gaveUp: entries[peer]?.state = "withholds a journal"
            case .withheldPayloads: entries[peer]?.state = "withholds payloads"
            case .stalled: entries[peer]?.state = "stalled"
            }
        }
    }
}
