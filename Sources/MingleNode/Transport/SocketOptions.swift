// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix

/// What every connection's socket is told, incoming or outgoing.
///
/// - Nagle's algorithm is off: a comment leaves at once.
/// - The kernel keeps at most 16 KiB that it has not sent yet (`TCP_NOTSENT_LOWAT`) and NIO one batch, so what waits
///   longer waits in the lanes, where a comment overtakes it. What is on its way is not limited by this.
/// - A silent connection is probed after 3 s and given up after three probes, 3 s apart. With ``SocketHealth``, which
///   minds the others, a pulled cable is noticed within 10 to 15 s.
enum SocketOptions {
    // Linux's numbers (<linux/tcp.h>), which the C library does not name everywhere.
    private static let keepIdle = NIOBSDSocket.Option(rawValue: 4)
    private static let keepInterval = NIOBSDSocket.Option(rawValue: 5)
    private static let keepCount = NIOBSDSocket.Option(rawValue: 6)
    private static let notSentLowWater = NIOBSDSocket.Option(rawValue: 25)

    private static let tcp: [(NIOBSDSocket.Option, Int)] = [
        (.tcp_nodelay, 1),
        (keepIdle, 3),
        (keepInterval, 3),
        (keepCount, 3),
        (notSentLowWater, 16 << 10),
    ]
    /// Whether a listening IPv6 socket refuses IPv4.
    static let onlyIPv6 = ChannelOptions.Types.SocketOption(level: .ipv6, name: .ipv6_v6only)
    private static let waterMark = ChannelOptions.Types.WriteBufferWaterMark(low: 16 << 10, high: 32 << 10)
    private static let readBuffer = AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 4096, maximum: 256 << 10)

    /// Sets the options of the sockets that `bootstrap` accepts.
    static func set(_ bootstrap: ServerBootstrap) -> ServerBootstrap {
        var bootstrap = bootstrap.childChannelOption(.socketOption(.so_keepalive), value: 1)
        for (option, value) in tcp { bootstrap = bootstrap.childChannelOption(.tcpOption(option), value: value) }
        return bootstrap.childChannelOption(.writeBufferWaterMark, value: waterMark)
            .childChannelOption(.recvAllocator, value: readBuffer)
            .childChannelOption(.maxMessagesPerRead, value: 1)
    }

    /// Sets the options of the sockets that `bootstrap` connects.
    static func set(_ bootstrap: ClientBootstrap) -> ClientBootstrap {
        var bootstrap = bootstrap.channelOption(.socketOption(.so_keepalive), value: 1)
        for (option, value) in tcp { bootstrap = bootstrap.channelOption(.tcpOption(option), value: value) }
        return bootstrap.channelOption(.writeBufferWaterMark, value: waterMark)
            .channelOption(.recvAllocator, value: readBuffer)
            .channelOption(.maxMessagesPerRead, value: 1)
    }
}
