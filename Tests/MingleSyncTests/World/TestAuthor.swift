// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleSync
import MingleWire

/// A device that writes deltas.
struct TestAuthor {
    static let event = EventID(Blake2b.hash(.event, [1]))

    let device: DeviceName
    let key: SigningKey
    private var salt: UInt64 = 0

    init(_ number: Int) {
        let seed = Blake2b.hash(.identity, [UInt8(number >> 8), UInt8(number & 255)])
        key = SigningKey(seed: Secret(seed.bytes))
        device = DeviceName(Blake2b.hash(.device, seed.bytes))
    }

    /// Writes deltas behind `chain`, each with a payload of the length given.
    mutating func write(_ lengths: [Int], behind chain: [Delta], in journal: Journal) -> [Delta] {
        var previous = chain.last?.hash ?? .none
        var sequence = UInt32(chain.count)
        return lengths.map { length in
            sequence += 1
            salt += 1
            let payload = [UInt8](repeating: UInt8(truncatingIfNeeded: salt), count: length)
            let header = Header(
                event: Self.event,
                device: device,
                journal: journal,
                sequence: sequence,
                previous: previous,
                timestamp: Timestamp(milliseconds: Int64(salt)),
                salt: salt,
                epoch: .plaintext,
                root: .none,
                payloadLength: UInt32(length),
                payloadHash: Blake2b.hash(.payload, payload)
            )
            let hash = header.hash
            previous = hash
            return Delta(header: header, hash: hash, payload: payload, signature: key.sign(hash.bytes))
        }
    }

    /// Makes later deltas differ from those of a copy of this author.
    mutating func diverge() { salt += 1 << 32 }
}
