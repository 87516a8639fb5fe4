// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MingleAPI
import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica
import Synchronization

extension Node {
    /// The devices on which this node's person takes part.
    package func devices(event: String?) throws -> API.Envelope.Devices {
        let session = try session(event)
        let devices = try session.replica.devices(of: session.replica.own.person)
        let present = session.roster.devices
        let awaited = try session.awaitedDevices(besides: devices)
        return API.Envelope.Devices(devices: devices.map { API.Device($0, here: present) } + awaited)
    }

    /// Retires another device of this node's person, which was lost or is not in use any more.
    ///
    /// What is held here of it stays, nothing else of it ever counts, and a new key shuts it out.
    ///
    /// - Throws: `API.Problem`: `conflict` unless somebody who is connected holds the same as this node, or it is forced.
    package func retireDevice(_ name: String, event: String?, isForced: Bool = false) throws -> API.RetiredDevice {
        let session = try session(event)
        let (replica, own) = (session.replica, session.replica.own)
        let device = try retirable(name, in: session, isForced: isForced)
        let openBefore = try replica.openInvitations(knownTo: own.person).count
        do {
            let authored = try replica.retire(device, at: clock.now(), randomness: .system)
            session.tell(authored.outcome, own: authored.runs)
            changes.publish(kinds: ["status"])
        } catch {
            session.pauseIfFull(error)
            throw error
        }
        let open = try replica.openInvitations(knownTo: own.person).count
        guard let retired = try devices(event: event).devices.first(where: { $0.id == name }) else {
            throw Self.noDevice(name)
        }
        return API.RetiredDevice(device: retired, openLinks: open, closedLinks: max(0, openBefore - open))
    }

    /// The device of a name, where it may be retired now.
    private func retirable(_ name: String, in session: EventSession, isForced: Bool) throws -> DeviceName {
        let known = try session.replica.devices(of: session.replica.own.person)
        guard let device = known.first(where: { $0.name.description == name }) else {
            // Of one that this device certified nothing may have come: it is out whenever something does.
            let awaited = try session.awaitedDevices(besides: known)
            guard let device = awaited.first(where: { $0.id == name }), let id = DeviceName(text: name) else {
                throw Self.noDevice(name)
            }
            guard device.state != API.Device.retired else { throw Self.isRetired }
            return id
        }
        guard !device.isOwn else {
            throw API.Problem(
                .conflict,
                "That is this device. To leave the event: mingle event leave. To retire this device, use another device of "
                    + "yours."
            )
        }
        guard !device.isRetired else { throw Self.isRetired }
        guard isForced || session.roster.hasInSyncMember else {
            throw API.Problem(
                .conflict,
                "No connected participant has confirmed that this node has everything. If you retire the device now, its posts "
                    + "that are not here yet are lost for good. Connect to another participant and try again, or retire it "
                    + "anyway: mingle devices retire \(name.prefix(8)) --force"
            )
        }
        return device.name
    }

    private static func noDevice(_ name: String) -> API.Problem {
        API.Problem(
            .notFound,
            "You have no device \(name.prefix(60)) in this event. List your devices: mingle devices."
        )
    }

    private static var isRetired: API.Problem { API.Problem(.conflict, "That device is retired already.") }
}

extension EventSession {
    /// Devices that this one certified and of which nothing has come here: whoever took a certificate may keep it for later.
    func awaitedDevices(besides known: [ShownDevice]) throws -> [API.Device] {
        let held = Set(known.map(\.name))
        return try secrets.withLock { $0.certified }.filter { !held.contains($0) }
            .map { name in
                API.Device(
                    id: name.description,
                    name: String(name.description.prefix(8)),
                    this: false,
                    state: try replica.isRetired(name, of: replica.own.person)
                        ? API.Device.retired : API.Device.awaited,
                    here: false,
                    since: nil,
                    lastWrote: nil
                )
            }
    }
}

extension API.Device {
    static let (retired, awaited) = ("retired", "linked")

    /// A device, which is here if it is connected or this node's own.
    init(_ device: ShownDevice, here: Set<DeviceName>) {
        self.init(
            id: device.name.description,
            name: String(device.name.description.prefix(8)),
            this: device.isOwn,
            state: device.isRetired ? Self.retired : "active",
            here: device.isOwn || here.contains(device.name),
            since: Date(milliseconds: device.since),
            lastWrote: Date(milliseconds: device.lastWrote)
        )
    }
}
