// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
package import MingleModel
package import MingleReplica
package import MingleSync
import MingleWire

/// Why no further device can be linked, by whoever holds the identity.
package enum LinkingRefusal: Hashable, Sendable {
    /// The person takes no part: not let in yet, removed, or gone.
    case takesNoPart
    /// This device was retired.
    case isRetired
    /// The person has as many devices as anybody may.
    case tooManyDevices
}

extension Replica {
    /// What keeps this person from having one device more; nil if nothing does.
    ///
    /// - Parameters:
    ///   - device: one that may be held already, and is none more then.
    ///   - certified: those that this device certified, of which nothing may have come yet.
    package func linkingRefusal(
        besides device: DeviceName? = nil,
        certified: [DeviceName]
    ) throws -> LinkingRefusal? {
        guard let level = try level(of: own.person), level.isPeople else { return .takesNoPart }
        if try isRetired(own.name) { return .isRetired }
        let others = Set(try devices(of: own.person).map(\.name) + certified).filter { $0 != device }
        return others.count < DeviceOffer.devices ? nil : .tooManyDevices
    }
}

extension Responder {
    /// Certifies a further device of this person's that shows that it knows the device link.
    ///
    /// The certificate counts once the new device has written it into its journal; here its name alone is kept, before it is told.
    ///
    /// - Parameter keep: stores the keys, with that name.
    package func certify(
        _ request: DeviceRequest,
        _ session: Session,
        by secrets: inout Secrets,
        _ offer: inout DeviceOffer?,
        at now: Duration,
        keep: (Secrets) throws -> Void
    ) throws -> DeviceVerdict {
        // Others of the person's do not have what it takes, and strangers are not meant: whoever asks may be let in later.
        guard request.person == replica.own.person, let identity = secrets.identity, !secrets.isRelay else {
            return .nothing
        }
        guard var open = offer else {
            return .refused("no device link is open here: make one (mingle devices link)")
        }
        defer { offer = open }
        let device = Certificate.deviceName(
            event: replica.event,
            person: request.person,
            signingKey: request.signingKey,
            agreementKey: request.agreementKey
        )
        switch open.look(at: request, for: device, in: session, at: now) {
        case .refused(let reason): return .refused(reason)
        case .proved: break
        }
        if let reason = try reasonNotToCertify(device, beside: secrets.certified) { return .refused(reason) }
        // Who is certified may show itself late, somewhere else: by then it has to be listed, and so the name is on the disk first.
        if !secrets.certified.contains(device) {
            var noted = secrets
            noted.note(certified: device)
            try keep(noted)
            secrets = noted
        }
        open.use(for: device)
        return .certified(
            DeviceCertified(signature: identity.sign(device.bytes).bytes, device: replica.own.name)
        )
    }

    /// Why a device is not certified although it knows the link; nil: nothing speaks against it.
    private func reasonNotToCertify(_ device: DeviceName, beside certified: [DeviceName]) throws -> String? {
        // It would be out all the same, and the link would be used up.
        if try replica.isRetired(device, of: replica.own.person) {
            return
                "that device was retired: leave the event there (mingle event leave ID --now), then join by the link again"
        }
        return try replica.linkingRefusal(besides: device, certified: certified)?.reason
    }
}

extension LinkingRefusal {
    /// What the device is told that asked.
    var reason: String {
        switch self {
        case .takesNoPart: "the device that made the link takes no part in the event any more"
        case .isRetired: "the device that made the link was retired"
        case .tooManyDevices:
            "you have \(DeviceOffer.devices) devices in the event, retired ones included, which is the limit"
        }
    }
}
