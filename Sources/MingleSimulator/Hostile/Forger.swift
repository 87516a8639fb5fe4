// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire

/// Writes what no honest node would: any header, under any name, signed with one device's key.
struct Forger {
    /// What a delta is to say.
    struct Words {
        /// A field of a record by name.
        struct Field {
            let name: String
            let value: Value
        }

        var journal = Journal.content
        var time = Timestamp(milliseconds: 1)
        var root = Root.none
        var isDeletion = false
        var plain: [UInt8] = []
        /// Whether content travels in the clear, as keys of private moments do.
        var isOpen = false
        var blobs: [BlobListing] = []
    }

    let event: EventID
    let own: OwnDevice
    /// The epoch that content is sealed under, and its key.
    let epoch: (id: EpochID, key: Secret)

    /// The hand of a node; nil while that holds no key.
    init?(_ node: SimulatedNode) throws {
        guard let (id, key) = try node.replica.epochKeys().first else { return nil }
        (event, own, epoch) = (node.event, node.replica.own, (id, key))
    }

    /// A delta of this device that follows `parent`, or begins a journal.
    func write(_ words: Words, after parent: Delta?, salt: UInt64) -> Delta {
        write(words, as: own.name, sequence: (parent?.header.sequence ?? 0) + 1, after: parent?.hash ?? .none, salt)
    }

    /// A delta under any name and at any place.
    func write(
        _ words: Words,
        as device: DeviceName,
        sequence: UInt32,
        after previous: HeaderHash,
        _ salt: UInt64
    ) -> Delta {
        let isSealed = words.journal == .content && !words.isDeletion && !words.isOpen
        var header = Header(
            event: event,
            device: device,
            journal: words.journal,
            sequence: sequence,
            previous: previous,
            timestamp: words.time,
            salt: salt,
            epoch: isSealed ? epoch.id : .plaintext,
            root: words.root,
            isDeletion: words.isDeletion,
            blobs: words.blobs
        )
        var payload = words.plain
        if isSealed {
            let prefix = header.sealedPrefix
            payload = Sealing.seal(payload, key: epoch.key, nonce: header.nonce, associatedData: prefix)
        }
        header.payloadLength = UInt32(payload.count)
        header.payloadHash = Blake2b.hash(.payload, payload)
        let hash = header.hash
        return Delta(header: header, hash: hash, payload: payload, signature: own.signing.sign(hash.bytes))
    }
}

extension Forger.Words {
    /// The words of a record: its kind, what it hangs on, and its fields.
    init(_ kind: Kind, on target: MingleModel.Target = .nothing, _ fields: [Field], at time: Timestamp) throws {
        let changes = fields.compactMap { field -> Change? in
            let known = kind.field(named: field.name) ?? (field.name == Hiding.field.name ? Hiding.field : nil)
            return known.map { Change(field: $0.number, value: field.value) }
        }
        let payload = RecordPayload(kind: kind.number, target: target, changes: changes)
        self.init(time: time, root: kind.identity == .delta ? .itself : .none, plain: try payload.encoded())
    }
}
