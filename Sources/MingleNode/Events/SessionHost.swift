// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import MingleSync
import MingleWire

/// What an event's session asks of the node around it.
protocol SessionHost: AnyObject, Sendable {
    /// Sends a message, in the order of calls on each lane.
    func send(_ message: [UInt8], on lane: Lane, to peer: PeerID)
    /// Whether something that was sent to a peer has not left yet.
    func isSending(to peer: PeerID) -> Bool
    /// Closes a link once what was sent is gone.
    func close(_ peer: PeerID, _ goodbye: Goodbye)
    /// Hears that a peer was let in, and as whose device.
    func admitted(_ peer: PeerID, as person: PersonID?, to scope: Scope)
    /// Hears that a peer is a relay of an event, and from which address it speaks, if that is known.
    func metRelay(_ peer: PeerID, in event: EventID, address: String?)
    /// Hears that it has changed who takes part in an event.
    func doorsChanged(_ news: DoorNews, in event: EventID)
    /// Hears of addresses where other nodes of an event may be.
    func learn(_ addresses: [String], of event: EventID)
    /// Hears that a further device of this person's was certified here.
    func linked(_ device: DeviceName, in event: EventID)
    /// Hears that a key of this node's device was used on another machine.
    func keyUsedElsewhere(of device: DeviceName, in event: EventID)
}
