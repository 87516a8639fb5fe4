// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleCrypto
import MingleModel
import MingleSync
import MingleWire
import SwiftProtobuf

/// Missing payloads, and what is said of them.
enum TestPayloads {
    static func want(_ number: UInt64, length: Int = 3) -> PayloadWant {
        let reference = Reference(device: number, journal: .content, sequence: 1, hash: number)
        return PayloadWant(reference: reference, length: length)
    }

    /// Says of payloads that they are absent, or have come.
    static func say(
        _ answer: ProtoPayloadAnswer.OneOf_Answer,
        of wants: [PayloadWant]
    ) -> ProtoMessage.OneOf_Content {
        .payloads(
            .with {
                $0.answers = wants.map { want in
                    .with { ($0.reference, $0.answer) = (.init(want.reference.bytes), answer) }
                }
            }
        )
    }

    static func answer(_ want: PayloadWant, _ bytes: [UInt8] = [1, 2, 3]) -> ProtoMessage.OneOf_Content {
        .payloads(
            .with {
                $0.answers = [
                    .with {
                        $0.reference = .init(want.reference.bytes)
                        $0.payload = .init(bytes)
                    }
                ]
            }
        )
    }

    /// Payloads of the device of a number.
    static func wants(of author: Int, _ count: UInt8) -> [PayloadWant] {
        (1...count).map { sequence in
            let hash = HeaderHash(Blake2b.hash(.header, [sequence]))
            let device = TestAuthor(author).device
            let reference = Reference(device: device, journal: .content, sequence: UInt32(sequence), hash: hash)
            return PayloadWant(reference: reference, length: 3)
        }
    }
}

extension [SyncAction] {
    /// The payloads that are handed to the shell to be stored.
    var mergedPayloads: [Reference] {
        flatMap { action -> [Reference] in
            if case .mergePayloads(_, let payloads) = action { payloads.map(\.reference) } else { [] }
        }
    }
}

extension [SyncAction] {
    /// The payloads that a peer is asked for.
    func wantedPayloads(of peer: PeerID) -> [Reference] {
        flatMap { action -> [Reference] in
            guard case (peer, .wantPayloads(let message))? = action.sent else { return [] }
            return message.references.compactMap { Reference(bytes: [UInt8]($0)) }
        }
    }
}
