// SPDX-License-Identifier: Apache-2.0

package import MingleCrypto
package import MingleModel
package import MingleReplica
package import MingleWire

extension Secrets {
    /// Draws everything that a new event begins with.
    package static func founding(_ randomness: Randomness) -> (event: EventID, secrets: Secrets) {
        let salt = Bytes32(at: 0, of: randomness.bytes(32).span)
        let secrets = Secrets(
            psk: randomness.secret(),
            cameBy: nil,
            foundingSalt: salt,
            hints: [],
            randomness: randomness
        )
        return (Certificate.eventID(founder: secrets.person, salt: salt), secrets)
    }

    /// Draws the keys of a person, of a relay, or of a door, that comes by `link`.
    package static func joining(
        _ link: InvitationLink,
        asDoor isDoor: Bool = false,
        _ randomness: Randomness
    ) -> Secrets {
        Secrets(
            psk: link.psk,
            cameBy: link.seed,
            foundingSalt: nil,
            hints: link.hints,
            isRelay: link.isForRelay,
            isDoor: isDoor,
            randomness: randomness
        )
    }
}

extension Secrets {
    /// Draws the keys of a further device that comes by a device link; nil for any other link.
    package static func linking(_ link: InvitationLink, _ randomness: Randomness) -> Secrets? {
        guard case .device(let person) = link.kind else { return nil }
        return Secrets(linking: person, psk: link.psk, hints: link.hints, randomness: randomness)
    }
}

extension Replica {
    /// Writes the certificate that another device of the person's made: from now on this device is one of them.
    package func enter(with certificate: Certificate, at now: Timestamp, randomness: Randomness) throws -> Authored {
        try author([.fabric(.certificate(certificate))], at: now, randomness: randomness)
    }

    /// Writes an event's first deltas: certificate, first epoch, and the settings with the title.
    ///
    /// - Parameter areas: Those that are on; nil: nothing is said of them.
    package func found(
        _ title: String,
        areas: Set<Area>? = nil,
        secrets: Secrets,
        at now: Timestamp,
        randomness: Randomness
    ) throws {
        try begin(secrets: secrets, at: now, randomness: randomness)
        var values: [String: Value] = ["title": .text(title)]
        values["areas"] = areas.map { .number(Area.bits(of: $0)) }
        _ = try author([.set(.event, on: .nothing, values: values)], at: now, randomness: randomness)
    }

    /// Writes what an event needs for people to come to it: certificate and first epoch.
    package func begin(secrets: Secrets, at now: Timestamp, randomness: Randomness) throws {
        let audience = EpochSlots.eventAudience(event)
        let key = randomness.secret()
        let epoch = EpochSlots.id(key: key, event: event, audience: audience)
        let slot = try EpochSlots.slot(
            key: key,
            epoch: epoch,
            label: own.name.raw.prefix,
            author: own.agreement,
            recipient: own.agreement.publicKey
        )
        _ = try author(
            [
                .fabric(.certificate(try secrets.certificate(in: event))),
                .fabric(.epoch(EpochSlots(id: epoch, audience: audience, slots: [slot]))),
            ],
            at: now,
            randomness: randomness
        )
        _ = try hold(key, of: epoch)
    }

    /// Writes what a newcomer, or a new device of somebody known, begins with.
    package func enter(secrets: Secrets, at now: Timestamp, randomness: Randomness) throws -> Authored {
        var drafts = [Draft.fabric(.certificate(try secrets.certificate(in: event)))]
        if let seed = secrets.cameBy {
            let keys = InvitationKeys(seed: seed)
            let statement = FabricPayload.admissionStatement(event: event, person: own.person)
            drafts.append(.fabric(.admission(invitation: keys.id, signature: keys.signing.sign(statement))))
        }
        return try author(drafts, at: now, randomness: randomness)
    }
}
