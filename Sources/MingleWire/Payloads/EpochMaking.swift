// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
package import MingleCrypto
package import MingleModel

/// What the delta that makes an epoch says of it: what it obeys, and the keys of the epochs before it.
package struct EpochMaking: Hashable, Sendable {
    /// Bytes of a carried key: 32 of its epoch's rules and 48 of box.
    package static let carriedLength = 80

    /// Removals and closed invitations that its maker knew, sorted; at most 2048.
    ///
    /// A removal stands here by the first eight bytes of its delta's hash, a closed invitation by those of its id, and the end of
    /// an invitation to a private audience by ``concern(ofEnd:of:)``.
    package let obeys: [UInt64]
    /// Keys of earlier epochs, each sealed under this one's; at most 64.
    package let carried: [[UInt8]]

    /// States what an epoch obeys and carries.
    package init(obeys: some Sequence<UInt64>, carried: [[UInt8]]) {
        (self.obeys, self.carried) = (obeys.sorted(), carried)
    }

    /// The rules of an epoch that `maker` makes: what its id commits to besides the key.
    package func rules(maker: DeviceName) -> Bytes32 {
        var bytes = maker.bytes
        UInt32(obeys.count).appendBigEndian(to: &bytes)
        return Blake2b.hash(.rules, bytes + obeyedBytes + carried.joined())
    }

    var obeyedBytes: [UInt8] {
        var bytes: [UInt8] = []
        for label in obeys { label.appendBigEndian(to: &bytes) }
        return bytes
    }

    /// How an epoch obeys that an invitation to a private audience ended.
    ///
    /// The ends name what the guest wrote last, so nobody can obey them in what was written before.
    package static func concern(ofEnd ends: [UInt8], of invite: Reference) -> UInt64 {
        Blake2b.hash(.end, invite.bytes + ends).prefix
    }

    /// A key of an earlier epoch, as an epoch carries it.
    package struct Key: Sendable {
        /// The key.
        package let key: Secret
        /// Its epoch's rules.
        package let rules: Bytes32?

        /// Names a key by what its epoch's id commits to.
        package init(_ key: Secret, rules: Bytes32?) { (self.key, self.rules) = (key, rules) }
    }

    /// Seals earlier keys under the one of the epoch that carries them.
    package static func carry(_ keys: [Key], under key: Secret) -> [[UInt8]] {
        keys.enumerated().map { place, carried in
            (carried.rules ?? .zero).bytes + SlotBox.seal(carried.key, key: boxKey(place, under: key))
        }
    }

    /// Opens all carried keys that can be opened; each epoch's id follows from its key and rules.
    package func open(under key: Secret) -> [Key] {
        carried.enumerated().compactMap { place, entry in
            guard let opened = try? SlotBox.open(Array(entry[32...]), key: Self.boxKey(place, under: key)) else {
                return nil
            }
            let rules = Bytes32(at: 0, of: entry.span)
            return Key(opened, rules: rules == .zero ? nil : rules)
        }
    }

    /// A box key serves one place of one epoch's list, so it is never used twice.
    private static func boxKey(_ place: Int, under key: Secret) -> Secret {
        var hash = Blake2b(.carried, key: key)
        var bytes: [UInt8] = []
        UInt32(place).appendBigEndian(to: &bytes)
        hash.update(bytes)
        return Secret(hash.finalize())
    }
}

extension EpochMaking {
    /// Reads what a delta says besides slots; nil if it makes no epoch.
    init?(_ message: ProtoEpoch) throws(WireError) {
        guard !message.obeys.isEmpty || !message.carried.isEmpty else { return nil }
        try self.init(obeyed: [UInt8](message.obeys), carried: message.carried.map { [UInt8]($0) })
    }

    /// Reads what an epoch obeys and carries; throws for lists that are too long or in no order.
    init(obeyed bytes: [UInt8], carried: [[UInt8]]) throws(WireError) {
        guard bytes.count % 8 == 0, carried.allSatisfy({ $0.count == Self.carriedLength }) else {
            throw .invalid("epoch")
        }
        guard bytes.count <= 8 * Limits.obeyedPerEpoch, carried.count <= Limits.carriedPerEpoch else {
            throw .tooLarge("epoch")
        }
        let obeys = [UInt64](bigEndian: bytes)
        guard zip(obeys, obeys.dropFirst()).allSatisfy(<) else { throw .invalid("epoch") }
        self.init(obeys: obeys, carried: carried)
    }
}
