// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import SwiftProtobuf

@testable import MingleCrypto
@testable import MingleModel
@testable import MingleSync
@testable import MingleWire

/// Messages of up to three peers to a sync engine, whose shell answers as a replica would.
///
/// No message traps, none makes the engine say much or do much, and nobody is spoken to or asked about after the
/// goodbye.
enum SyncTarget: FuzzTarget {
    static func run(_ input: inout FuzzInput) throws {
        var shell = Shell()
        for number in 1...3 {
            let id = PeerID(UInt64(number))
            switch input.byte() % 8 {
            case 7: break
            case 6: shell.open(id, asksToBeLinked: false)
            case 5: shell.open(id, asksToBeLinked: true)
            default: shell.admit(id)
            }
        }
        var messages = 0
        while !input.isEmpty, messages < 400 {
            messages += 1
            let (kind, from) = (input.byte(), input.byte())
            let id = PeerID(UInt64(1 + from % 3))
            switch kind % 16 {
            case 12: shell.pass(.seconds(Int(from % 40)))
            case 13: shell.feed(.verdict(id, from > 127 ? .fabricOnly : .admitted))
            case 14: shell.feed(from > 127 ? .diskFull : .diskRoom)
            case 15: if from > 200 { shell.reopen(id) }
            default: shell.feed(.received(id, Lane.allCases[Int(kind >> 4) % 5], input.piece()))
            }
        }
    }

    // MARK: - Seeds

    static var seeds: [[UInt8]] {
        get throws {
            var author = TestAuthor(1)
            let deltas = author.write([0, 40, 300, 2000], behind: [], in: .fabric)
            let key = JournalKey(device: author.device, journal: .fabric)
            let contents = journalMessages(deltas, key) + blobMessages()
            let messages = try contents.map { content -> [UInt8] in
                var message = ProtoMessage()
                message.content = content
                return joined([4, 0], FuzzInput.piece(try message.serializedBytes()))
            }
            // Each alone, behind the digest that makes the peer ready, and all in a row.
            let alone = messages.map { joined([0, 0, 7], messages[0], $0) }
            let linking = try linkingMessages(author.device).map { content -> [UInt8] in
                var message = ProtoMessage()
                message.content = content
                // Ahead of the greeting, as the first that the peers say.
                let piece = FuzzInput.piece(try message.serializedBytes())
                return joined([6, 5, 7], [0, 0], piece, [0, 1], piece)
            }
            return alone + [joined([0, 0, 0], messages.flatMap { $0 }, [12, 39])] + linking
        }
    }

    private static func journalMessages(_ deltas: [Delta], _ key: JournalKey) -> [ProtoMessage.OneOf_Content] {
        let entry = FrontierEntry(key: key, point: Run(deltas).tip)
        let reference = deltas[3].reference
        return [
            .digest(.with { ($0.whole, $0.buckets) = (.init(entry.device.bytes), [UInt64](repeating: 5, count: 64)) }),
            .entries(.with { $0.entries = [.init(entry.bytes)] }),
            .run(.init(Run(deltas).encoded())),
            .runsEnd(.with { $0.device = .init(key.device.bytes) }),
            .wantRuns(.with { ($0.device, $0.held) = (.init(key.device.bytes), [.init(entry.point.bytes)]) }),
            .bundle(.with { $0.messages = bundle(of: deltas, key) }),
            .wantPayloads(.with { $0.references = [.init(reference.bytes), .init(Shell.want.bytes)] }),
            .payloads(
                .with {
                    $0.answers = [
                        .with { ($0.reference, $0.payload) = (.init(Shell.want.bytes), .init([1, 2, 3, 4])) },
                        .with { ($0.reference, $0.absent) = (.init(reference.bytes), true) },
                        .with { ($0.reference, $0.came) = (.init(reference.bytes), true) },
                    ]
                }
            ),
            .hello(.with { ($0.version, $0.device) = (1, .init(key.device.bytes)) }), .welcome(.init()),
            .goodbye(.with { ($0.reason, $0.cause) = ("bye", 2) }), .peers(.with { $0.addresses = ["10.0.0.7:4781"] }),
        ]
    }

    /// A run and its end, as they answer a request, and one more request.
    private static func bundle(of deltas: [Delta], _ key: JournalKey) -> [Data] {
        let messages: [ProtoMessage.OneOf_Content] = [
            .run(.init(Run(deltas).encoded())), .runsEnd(.with { $0.device = .init(key.device.bytes) }),
            .wantRuns(.with { $0.device = .init(key.device.bytes) }),
        ]
        return messages.compactMap { content in try? ProtoMessage.with { $0.content = content }.serializedBytes() }
    }

    private static func linkingMessages(_ device: DeviceName) -> [ProtoMessage.OneOf_Content] {
        let key = device.bytes
        return [
            .deviceRequest(
                .with {
                    ($0.person, $0.signingKey) = (.init(key), .init(key))
                    ($0.agreementKey, $0.proof) = (.init(key), .init(key))
                }
            ),
            .deviceCertified(.with { ($0.signature, $0.device) = (.init(key + key), .init(key)) }),
        ]
    }

    private static func blobMessages() -> [ProtoMessage.OneOf_Content] {
        let name = Shell.blobs[0].raw.bytes
        return [
            .wantBlobs(.with { $0.names = [.init(name)] }),
            .blobStatus(
                .with {
                    $0.states = Shell.blobs.map { blob in
                        .with {
                            ($0.name, $0.size) = (.init(blob.bytes), 20)
                            ($0.root, $0.person) = (.init(name), .init(name))
                        }
                    }
                }
            ),
            .wantChunks(.with { ($0.name, $0.indexes, $0.lane) = (.init(name), [0, 1, 2], 3) }),
            .chunk(.with { ($0.name, $0.proof, $0.data) = (.init(name), [.init(name)], .init(name.prefix(8))) }),
            .chunk(.with { ($0.name, $0.index, $0.data) = (.init(name), 2, .init(name.prefix(4))) }),
        ]
    }
}
