// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica

extension Node {
    /// The devices on which this node's person takes part.
    package func devices(event: String?) throws -> API.Envelope.Devices {
        let session = try session(event)
        let devices = try session.shown { try session.replica.devices(of: session.replica.own.person) }
        let present = session.roster.devices
        return API.Envelope.Devices(devices: devices.map { API.Device($0, here: present) })
    }

    /// Retires another device of this node's person, which was lost or is not in use any more.
    ///
    /// What is held here of it stays, nothing else of it ever counts, and a new key shuts it out.
    ///
    /// - Throws: `API.Problem`: `conflict` unless somebody who is connected holds the same as this node, or it is forced.
    package func retireDevice(_ name: String, event: String?, isForced: Bool = false) throws -> API.RetiredDevice {
        let session = try session(event)
        let (replica, own) = (session.replica, session.replica.own)
        let known = try session.shown { try replica.devices(of: own.person) }
        guard let device = known.first(where: { $0.name.description == name }) else {
            throw API.Problem(.notFound, "You have no device \(name.prefix(60)) in this event: see mingle devices.")
        }
        guard !device.isOwn else {
            throw API.Problem(
                .conflict,
                "That is this device. To take part no more, leave the event (mingle event leave); to retire it, use another device "
                    + "of yours."
            )
        }
        guard !device.isRetired else { throw API.Problem(.conflict, "That device is retired already.") }
        guard isForced || session.roster.hasLevelMember else {
            throw API.Problem(
                .conflict,
                "Nobody within reach has confirmed that this node holds all that others hold. What that device wrote and this node does "
                    + "not hold would count for nothing, for ever. Come near somebody of the event and try again in a while, or "
                    + "retire it all the same: mingle devices retire \(name.prefix(8)) --force"
            )
        }
        let openBefore = try session.shown { try replica.openInvitations(knownTo: own.person).count }
        do {
            let authored = try replica.retire(device.name, at: clock.now(), randomness: .system)
            session.tell(authored.outcome, own: authored.runs)
        } catch {
            session.pauseIfFull(error)
            throw API.Problem(error)
        }
        return try session.shown {
            let open = try replica.openInvitations(knownTo: own.person).count
            let retired = try replica.devices(of: own.person).first { $0.name == device.name } ?? device
            return API.RetiredDevice(
                device: API.Device(retired, here: session.roster.devices),
                openLinks: open,
                closedLinks: max(0, openBefore - open)
            )
        }
    }
}

extension API.Device {
    /// A device, which is here if it is connected or this node's own.
    init(_ device: ShownDevice, here: Set<DeviceName>) {
        self.init(
            id: device.name.description,
            name: String(device.name.description.prefix(8)),
            this: device.isOwn,
            state: device.isRetired ? "retired" : "active",
            here: device.isOwn || here.contains(device.name),
            since: Date(milliseconds: device.since),
            lastWrote: Date(milliseconds: device.lastWrote)
        )
    }
}
