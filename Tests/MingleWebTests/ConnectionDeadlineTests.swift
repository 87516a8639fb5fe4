// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import MingleWeb

/// How long a connection may be as it is, in virtual time.
struct ConnectionDeadlineTests {
    private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
    private static let limits = ServerLimits()

    private var state = ConnectionDeadline(Self.limits, at: Self.start)

    private func after(_ seconds: Int64) -> NIODeadline { Self.start + .seconds(seconds) }

    @Test func `a connection without a request may be silent for a minute`() {
        #expect(state.deadline == after(60))
    }

    @Test mutating func `a request's head has ten seconds from its first byte, however many bytes come`() {
        state.bytesCame(at: after(30))
        state.bytesCame(at: after(39))
        #expect(state.deadline == after(40))
    }

    @Test mutating func `a body that comes slowly is not cut, and one that stops is`() {
        state.bytesCame(at: after(0))
        state.headEnded()
        for second in stride(from: Int64(0), to: 10_000, by: 20) {
            state.readBegan(at: after(second))
            #expect(state.deadline == after(second + 30))
            state.bytesCame(at: after(second + 20))
        }
    }

    @Test mutating func `a client is not blamed while the server does not read`() {
        state.bytesCame(at: after(0))
        state.headEnded()
        state.readBegan(at: after(0))
        state.bytesCame(at: after(1))
        #expect(state.deadline == nil)
    }

    @Test mutating func `an answer may take any time, as an event stream does, and the minute counts from its end`() {
        state.bytesCame(at: after(0))
        state.headEnded()
        state.requestEnded()
        #expect(state.deadline == nil)
        state.answerEnded(at: after(500))
        #expect(state.deadline == after(560))
    }

    @Test mutating func `a head that comes behind a request has its ten seconds once that is answered`() {
        state.bytesCame(at: after(0))
        state.headEnded()
        state.requestEnded()
        state.bytesCame(at: after(1))
        #expect(state.deadline == nil)
        state.answerEnded(at: after(100))
        #expect(state.deadline == after(110))
    }

    @Test mutating func `a client that does not read its answer has five minutes, which begin anew when it reads`() {
        state.bytesCame(at: after(0))
        state.headEnded()
        state.requestEnded()
        state.writabilityChanged(to: false, at: after(10))
        #expect(state.deadline == after(310))
        state.writabilityChanged(to: true, at: after(100))
        #expect(state.deadline == nil)
        state.writabilityChanged(to: false, at: after(100))
        #expect(state.deadline == after(400))
    }

    @Test mutating func `after the last answer there are ten seconds, whatever comes`() {
        state.closingBegan(at: after(5))
        state.bytesCame(at: after(9))
        state.closingBegan(at: after(9))
        #expect(state.deadline == after(15))
    }

    @Test func `a connection is closed at its deadline, and at most one tick later`() throws {
        try withChannel { channel, loop in
            loop.advanceTime(by: .seconds(50))
            try channel.writeInbound(ByteBuffer(string: "GET"))
            loop.advanceTime(by: .seconds(9))
            #expect(channel.isActive)
            loop.advanceTime(by: .seconds(1) + Self.limits.tick)
            #expect(!channel.isActive)
        }
    }

    @Test func `an event stream is not idle, and its connection is once it ends`() throws {
        try withChannel { channel, loop in
            try channel.writeInbound(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
            loop.advanceTime(by: .hours(10))
            let head = HTTPResponseHead(version: .http1_1, status: .ok)
            try channel.writeOutbound(HTTPServerResponsePart.head(head))
            loop.advanceTime(by: .hours(10))
            #expect(channel.isActive)
            try channel.writeOutbound(HTTPServerResponsePart.end(nil))
            loop.advanceTime(by: .seconds(59))
            #expect(channel.isActive)
            loop.advanceTime(by: .seconds(1) + Self.limits.tick)
            #expect(!channel.isActive)
        }
    }

    @Test func `an upload may take hours if it keeps coming`() throws {
        try withChannel { channel, loop in
            try channel.writeInbound(ByteBuffer(string: "PUT / HTTP/1.1\r\nContent-Length: 9999\r\n\r\n"))
            for _ in 0..<1000 {
                channel.read()
                loop.advanceTime(by: .seconds(29))
                try channel.writeInbound(ByteBuffer(string: "x"))
            }
            #expect(channel.isActive)
            channel.read()
            loop.advanceTime(by: .seconds(30) + Self.limits.tick)
            #expect(!channel.isActive)
        }
    }

    /// Lends a connection with the handlers of a server, up to where Hummingbird begins.
    private func withChannel(_ body: (EmbeddedChannel, EmbeddedEventLoop) throws -> Void) throws {
        let (loop, timer) = (EmbeddedEventLoop(), ConnectionTimer(Self.limits))
        let channel = EmbeddedChannel(loop: loop)
        try channel.pipeline.syncOperations.addHandlers([
            timer, HTTPResponseEncoder(), ByteToMessageHandler(HTTPRequestDecoder()), ExchangeHandler(timer),
        ])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        try body(channel, loop)
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }
}
