// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

extension HTTPServerBuilder {
    /// HTTP/1 within limits, with HTTP/1.0, `Expect: 100-continue`, and problems for requests that cannot be parsed.
    ///
    /// - Parameter additional: Further handlers of each connection.
    static func limited(
        _ limits: ServerLimits,
        additional: @escaping @Sendable () -> [any RemovableChannelHandler] = { [] }
    ) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            LimitedChannel(
                http1: HTTP1Channel(
                    responder: { request, writer, channel in
                        try await responder(request.continuing(on: channel), writer, channel)
                    },
                    configuration: .init(
                        additionalChannelHandlers: additional(),
                        httpDecoderConfiguration: .init(
                            maxHeaderFieldSize: limits.headBytes,
                            maxHeaderListSize: limits.headBytes,
                            maxHeaderFieldCount: limits.headFields
                        )
                    )
                ),
                limits: limits
            )
        }
    }
}

/// Hummingbird's HTTP/1, with handlers around its parser.
private struct LimitedChannel: ServerChildChannel {
    let http1: HTTP1Channel
    let limits: ServerLimits

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        http1.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let timer = ConnectionTimer(limits)
            let parser = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(timer, position: .first)
            try pipeline.addHandler(ExchangeHandler(timer), position: .after(parser))
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async { await http1.handle(value: value, logger: logger) }
}

extension ApplicationConfiguration {
    /// The configuration of a server that listens at `address`.
    static func mingle(_ address: BindAddress, _ limits: ServerLimits, _ logger: Logger) -> ApplicationConfiguration {
        ApplicationConfiguration(
            address: address,
            serverName: "mingle",
            availableConnectionsDelegate: limits.places(logger)
        )
    }
}
