// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import Logging
import MingleAPI
import MingleNode
import NIOCore
import NodeTestSupport
import Synchronization
import Testing

@testable import MingleWeb

/// A showcase of a party, whose founder is at hand, as its visitors reach it.
struct Showcase: Sendable {
    static let host = "192.168.1.20:8080"

    let founder: Browser
    let node: Node
    let code: VisitorCode
    /// The invitation that it came by.
    let link: String
    let visitors: Browser
    /// Time as the showcase's door has it.
    let time: HandClock

    /// What a browser sends along that was let in.
    var cookie: String { "\(ShowcaseDoor.cookieName(of: code))=\(code.token)" }

    /// Asks as somebody who has scanned the code.
    func look(
        _ path: String,
        _ method: HTTPRequest.Method = .get,
        _ headers: HTTPFields = [:],
        host: String? = Self.host,
        body: RequestBody = .nothing
    ) async throws -> Answer {
        var headers = headers
        headers[.cookie] = cookie
        return try await visitors.send(method, path, headers, host: host, body: body)
    }

    /// Asks the API so, and takes the value.
    func value<Value: Decodable>(_ type: Value.Type, _ path: String) async throws -> Value {
        let answer = try await look("/api/v1/\(path)")
        #expect(answer.status == 200, "\(path): \(answer.text)")
        return try API.decode(type, from: Data(answer.bytes))
    }

    /// Asks as somebody who has not scanned it.
    func knock(_ path: String, _ headers: HTTPFields = [:], from address: String? = nil) async throws -> Answer {
        try await visitors.send(.get, path, headers, host: Self.host, from: address)
    }
}

/// A clock that a test puts forward.
final class HandClock: Sendable {
    private let time = Mutex(Duration.seconds(1_000))

    var now: Duration { time.withLock { $0 } }

    func pass(_ duration: Duration) { time.withLock { $0 += duration } }
}

/// Lends a showcase to `body` that shows the event of a founder who runs beside it.
func withParty(logger: Logger = .silent, _ body: (Showcase) async throws -> Void) async throws {
    try await withTemporaryFolder { folder in
        try await withNode(folder + "/founder") { founder in
            _ = try await founder.rename(to: "Ana", event: nil)
            _ = try await founder.createEvent(title: "Party")
            let link = try founder.invite(as: "guest", expires: nil, uses: nil, in: nil).link
            try await withShowcase(folder + "/showcase", by: link, peers: [founder], logger: logger) { node in
                _ = try await node.awaitShowcase()
                try await body(try showcase(of: founder, by: node, link))
            }
        }
    }
}

private func showcase(of founder: Node, by node: Node, _ link: String) throws -> Showcase {
    let (code, time) = (try node.visitorCode(), HandClock())
    let server = ShowcaseServer(node, code: code, names: ["Party.local"], logger: .silent) { time.now }
    return Showcase(
        founder: Browser(founder),
        node: node,
        code: code,
        link: link,
        visitors: Browser(node, server.visitorRouter()),
        time: time
    )
}

extension Node {
    /// The id of this node's person, as it knows itself.
    var showcasePerson: String { get throws { try people(event: nil).people.first { $0.me }?.id ?? "" } }
}
