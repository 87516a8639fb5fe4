// SPDX-License-Identifier: Apache-2.0

package import Foundation
import Glibc
import MingleAPI
package import NIOCore
package import NIOHTTP1
import NIOPosix

/// A client of the local API, over the Unix socket of the node that runs on a data folder.
package struct NodeClient: Sendable {
    /// The body of a request.
    package enum Body: Sendable {
        case none
        case json([UInt8])
        /// Bytes of whatever they are.
        case bytes([UInt8])
        /// A file that is streamed; `progress` is called with the size of each part.
        case file(FileHandle, size: Int, progress: @Sendable (Int) -> Void)
    }

    private typealias Connection = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    /// Largest answer, in bytes.
    private static let answerLimit = 256 << 20
    private static let partLength = 256 << 10

    package let dataPath: String
    /// How long to wait for the answer to a GET request.
    package var patience: Duration

    /// Makes a client of the node that runs on the folder `dataPath`.
    package init(dataPath: String, patience: Duration = .seconds(30)) {
        (self.dataPath, self.patience) = (dataPath, patience)
    }

    /// Gets a value.
    package func get<Value: Decodable>(_ path: String, as type: Value.Type = Value.self) async throws -> Value {
        try API.decode(type, from: try await bytes(.GET, path))
    }

    /// Sends a value and returns the answer.
    package func send<Value: Decodable>(
        _ method: HTTPMethod,
        _ path: String,
        _ value: (some Encodable)? = Int?.none,
        as type: Value.Type = Value.self
    ) async throws -> Value {
        let body: Body = if let value { .json([UInt8](try API.encode(value))) } else { .none }
        return try API.decode(type, from: try await bytes(method, path, body))
    }

    /// Sends a request and ignores the answer.
    package func perform(_ method: HTTPMethod, _ path: String) async throws { _ = try await bytes(method, path) }

    /// Sends a request and returns the whole answer.
    ///
    /// - Throws: `API.Problem` named `unavailable` if a GET request is not answered within ``patience``.
    package func bytes(_ method: HTTPMethod, _ path: String, _ body: Body = .none) async throws -> Data {
        guard method == .GET else { return try await answer(to: method, path, body) }
        return try await withThrowingTaskGroup(of: Data.self) { group in
            group.addTask { try await answer(to: method, path, body) }
            group.addTask {
                try await Task.sleep(for: patience)
                throw API.Problem(
                    .unavailable,
                    "The node did not answer within \(patience.components.seconds) seconds. If its process is stopped, "
                        + "resume it with kill -CONT. Otherwise check its disk, or restart the node."
                )
            }
            defer { group.cancelAll() }
            return try await group.next() ?? Data()
        }
    }

    private func answer(to method: HTTPMethod, _ path: String, _ body: Body) async throws -> Data {
        var data = Data()
        try await exchange(method, path, body) { part in
            guard data.count + part.readableBytes <= Self.answerLimit else {
                throw API.Problem(.tooLarge, "The node's answer is larger than \(Self.answerLimit >> 20) MiB.")
            }
            data.append(contentsOf: part.readableBytesView)
        }
        return data
    }

    /// Sends a request and passes its answer to `take` part by part; the node waits while `take` works.
    ///
    /// - Throws: the `API.Problem` that the node answers, or `NoNodeError`.
    package func exchange(
        _ method: HTTPMethod,
        _ path: String,
        _ body: Body,
        _ take: (ByteBuffer) async throws -> Void
    ) async throws {
        // An empty id, for example from an unset shell variable, would change the path.
        let bare = path.prefix { $0 != "?" }
        guard !bare.hasSuffix("/"), !bare.contains("//") else {
            throw API.Problem(.badRequest, "The id is empty. Check the arguments.")
        }
        let connection = try await connect()
        try await connection.executeThenClose { inbound, outbound in
            // A node that refuses a body answers early: report its answer, not the broken pipe.
            let failure = await Self.failure(of: { try await Self.write(method, path, body, to: outbound) })
            var status = HTTPResponseStatus.ok
            var problem = Data()
            for try await part in inbound {
                switch part {
                case .head(let head): status = head.status
                case .body(let buffer) where status.code < 300: try await take(buffer)
                case .body(let buffer): problem.append(contentsOf: buffer.readableBytesView)
                case .end:
                    if status.code >= 300 { throw Self.problem(problem, status) }
                    return
                }
            }
            throw failure
                ?? API.Problem(
                    .unavailable,
                    "The node closed the connection without an answer. It may be stopping: try again."
                )
        }
    }

    private static func failure(of body: () async throws -> Void) async -> (any Error)? {
        do {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    private func connect() async throws -> Connection {
        do {
            return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(unixDomainSocketPath: NodeFolder.socketPath(in: dataPath)) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHTTPClientHandlers()
                        return try Connection(wrappingChannelSynchronously: channel)
                    }
                }
        } catch {
            if let owner = NodeFolder.otherOwner(of: dataPath), unsafe access(dataPath, X_OK) != 0 {
                throw ForeignFolderError(path: dataPath, owner: owner)
            }
            throw NoNodeError(dataPath: dataPath)
        }
    }

    private static func write(
        _ method: HTTPMethod,
        _ path: String,
        _ body: Body,
        to outbound: NIOAsyncChannelOutboundWriter<HTTPClientRequestPart>
    ) async throws {
        var headers: HTTPHeaders = ["host": "localhost", "connection": "close"]
        switch body {
        case .none: headers.add(name: "content-length", value: "0")
        case .json(let bytes):
            headers.add(name: "content-type", value: "application/json")
            headers.add(name: "content-length", value: "\(bytes.count)")
        case .bytes(let bytes): headers.add(name: "content-length", value: "\(bytes.count)")
        case .file(_, let size, _): headers.add(name: "content-length", value: "\(size)")
        }
        let head = HTTPRequestHead(version: .http1_1, method: method, uri: "/api/v1/\(path)", headers: headers)
        try await outbound.write(.head(head))
        switch body {
        case .none: break
        case .json(let bytes), .bytes(let bytes): try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: bytes))))
        case .file(let file, _, let progress):
            while let part = try file.read(upToCount: partLength), !part.isEmpty {
                try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: part))))
                progress(part.count)
            }
        }
        try await outbound.write(.end(nil))
    }

    private static func problem(_ data: Data, _ status: HTTPResponseStatus) -> any Error {
        (try? API.decode(API.Problem.self, from: data))
            ?? API.Problem(.internal, "The node answered with HTTP status \(status.code) and gave no reason.")
    }
}

/// The error for a data folder on which no node runs.
package struct NoNodeError: Error, CustomStringConvertible {
    package let dataPath: String

    package var description: String {
        "No node is running on the data folder \(dataPath). Start it: mingle run --data \(dataPath) "
            + "(for the folder of a relay or door: mingle relay or mingle door)"
    }
}
