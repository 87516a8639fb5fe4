// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import MingleWire
import NIOCore
import NIOPosix
import SwiftProtobuf

@testable import MingleNode

/// A connection that shakes hands, may greet as a member's device, and begins messages that it does not finish.
actor Flooder {
    private let socket: NIOAsyncChannel<ByteBuffer, ByteBuffer>
    private let psk: EventPSK
    private var task: Task<Void, Never>?
    /// Whether the node has hung up.
    private(set) var isClosed = false

    /// Connects to a node of this machine.
    init(to node: Node, psk: EventPSK) async throws {
        self.psk = psk
        socket = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: node.peerPort) { channel in
                channel.eventLoop.makeCompletedFuture { try NIOAsyncChannel(wrappingChannelSynchronously: channel) }
            }
    }

    /// Begins messages of `byteCount` on `lanes`, as `member` or as nobody, and holds them until it is told to end.
    func hold(_ byteCount: Int, on lanes: [Lane], as member: EventSession? = nil) {
        task = Task {
            try? await socket.executeThenClose { inbound, outbound in
                var channel = SecureChannel(
                    initiating: psk,
                    staticKey: AgreementKey(secret: Randomness.system.secret()),
                    randomness: .system
                )
                channel.admit(to: .all)
                try await outbound.write(ByteBuffer(bytes: channel.begin().sent))
                var incoming = inbound.makeAsyncIterator()
                while !Task.isCancelled, let bytes = try await incoming.next() {
                    let outputs = channel.receive(Array(bytes.readableBytesView))
                    if !outputs.sent.isEmpty { try await outbound.write(ByteBuffer(bytes: outputs.sent)) }
                    for message in try Self.answers(to: outputs, as: member) {
                        _ = channel.enqueue(message, on: .control)
                    }
                    let isReady = outputs.contains { output in
                        if case .established = output { member == nil } else { output.isWelcome }
                    }
                    let whole = channel.nextRecords(upTo: 1 << 20)
                    if !whole.isEmpty { try await outbound.write(ByteBuffer(bytes: whole)) }
                    guard isReady else { continue }
                    for lane in lanes {
                        _ = channel.enqueue([UInt8](repeating: 7, count: byteCount + 1), on: lane)
                        var left = byteCount
                        while left > 0 {
                            let records = channel.nextRecords(upTo: 33 << 10)
                            left -= 32 << 10
                            if left > 0 { try await outbound.write(ByteBuffer(bytes: records)) }
                        }
                    }
                }
            }
            isClosed = true
        }
    }

    /// Hangs up.
    func end() async {
        task?.cancel()
        await task?.value
    }

    /// What a member says to what came.
    private static func answers(to outputs: [ChannelOutput], as member: EventSession?) throws -> [[UInt8]] {
        guard let member else { return [] }
        return try outputs.compactMap { output in
            switch output {
            case .established(_, let hash, _):
                let session = Session(handshakeHash: hash, isInitiator: true)
                let hello = member.replica.own.hello(in: session, certificates: try member.replica.ownFabric())
                return try ProtoMessage.with {
                    $0.hello.version = 1
                    $0.hello.device = .init(hello.device.bytes)
                    $0.hello.certificates = hello.certificates.map { .init($0) }
                    $0.hello.signature = .init(hello.signature)
                }.serializedBytes()
            case .message where output.isWelcome:
                return try ProtoMessage.with { $0.welcome = ProtoWelcome() }.serializedBytes()
            default: return nil
            }
        }
    }
}

extension ChannelOutput {
    /// Whether the node lets the other side in.
    fileprivate var isWelcome: Bool {
        guard case .message(_, let bytes) = self, let message = try? ProtoMessage(serializedBytes: bytes) else {
            return false
        }
        if case .welcome = message.content { return true }
        return false
    }
}

extension [ChannelOutput] {
    /// The bytes to send, one behind the other.
    fileprivate var sent: [UInt8] {
        reduce(into: []) { sent, output in if case .send(let bytes) = output { sent += bytes } }
    }
}
