// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import Logging
import MingleAPI
import MinglePeering
import NIOCore
import NodeTestSupport
import Synchronization
import Testing

@testable import MingleNode
@testable import MingleWeb

/// A door of a party, whose founder is at hand, as guests reach it.
struct DoorParty: Sendable {
    static let host = "192.168.1.20:8080"

    let founder: Browser
    let node: Node
    let door: Door
    let code: DoorCode
    /// The invitation that the door came by.
    let link: String
    /// The door's routes.
    let page: Browser
    /// Time as the door's entrance has it.
    let time: HandClock
    /// What a phone keeps that has scanned the code.
    let cookie: String

    /// Asks with the cookie of the phone that has scanned the code.
    func look(
        _ path: String,
        _ method: HTTPRequest.Method = .get,
        _ headers: HTTPFields = [:],
        host: String? = Self.host,
        body: RequestBody = .nothing
    ) async throws -> Answer {
        var headers = headers
        headers[.cookie] = cookie
        return try await page.send(method, path, headers, host: host, body: body)
    }

    /// Asks the API so, and takes the value.
    func value<Value: Decodable>(_ type: Value.Type, _ path: String) async throws -> Value {
        try await Phone(page: page, cookie: cookie).value(type, .get, path)
    }

    /// Asks without a cookie.
    func knock(_ path: String, _ headers: HTTPFields = [:], from address: String? = nil) async throws -> Answer {
        try await page.send(.get, path, headers, host: Self.host, from: address)
    }

    /// Scans the code with a phone; one that was here before shows its cookie.
    func scan(_ cookie: String? = nil, from address: String? = nil) async throws -> Phone {
        let answer = try await knock("/\(code.code)", cookie.map { [.cookie: $0] } ?? [:], from: address)
        return Phone(page: page, cookie: try answer.cookie, address: address)
    }
}

/// A phone that has scanned the code of a door.
struct Phone: Sendable {
    let page: Browser
    let cookie: String
    var address: String?

    /// Asks the API.
    func call(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ json: String? = nil,
        _ headers: HTTPFields = [:]
    ) async throws -> Answer {
        var headers = headers
        headers[.cookie] = cookie
        if json != nil { headers[.contentType] = "application/json" }
        let body = json.map { RequestBody(buffer: ByteBuffer(string: $0)) } ?? .nothing
        return try await page.send(method, "/api/v1/\(path)", headers, host: DoorParty.host, from: address, body: body)
    }

    /// Asks the API, and takes the value.
    func value<Value: Decodable>(
        _ type: Value.Type,
        _ method: HTTPRequest.Method,
        _ path: String,
        _ json: String? = nil
    ) async throws -> Value {
        let answer = try await call(method, path, json)
        #expect((200..<300).contains(answer.status), "\(method) \(path): \(answer.text)")
        return try API.decode(type, from: Data(answer.bytes))
    }

    /// Shares a picture.
    func share(_ picture: [UInt8], _ query: String = "name=a.jpg") async throws -> Answer {
        let headers: HTTPFields = [.cookie: cookie, .contentLength: "\(picture.count)"]
        let body = RequestBody(buffer: ByteBuffer(bytes: picture))
        let path = "/api/v1/photos?\(query)"
        return try await page.send(.put, path, headers, host: DoorParty.host, from: address, body: body)
    }

    /// Comments on a record.
    func comment(on target: String, _ text: String) async throws -> API.Comment {
        try await value(API.Comment.self, .post, "comments", #"{"target":"\#(target)","text":"\#(text)"}"#)
    }

    /// Who takes part with this phone; nil for a guest who only looked so far.
    var me: API.Person? { get async throws { try await value(API.Visit.self, .get, "visit").me } }
}

extension Answer {
    /// What the browser keeps from now on, as it sends it.
    var cookie: String {
        get throws {
            let text = try #require(headers[.setCookie], "\(status)")
            return String(text.prefix { $0 != ";" })
        }
    }
}

/// A clock that a test puts forward.
final class HandClock: Sendable {
    private let time = Mutex(Duration.seconds(1_000))

    var now: Duration { time.withLock { $0 } }

    func pass(_ duration: Duration) { time.withLock { $0 += duration } }
}

/// Lends a door to `body` at which people look on at the event of a founder who runs beside it.
func withParty(logger: Logger = .silent, _ body: (DoorParty) async throws -> Void) async throws {
    let link: (Node) throws -> String = { try $0.invite(as: "guest", expires: nil, uses: nil, in: nil).link }
    try await withParty(by: link, DoorTerms(), logger: logger, body)
}

/// Lends a door to `body` at which people take part.
func withOpenParty(_ terms: DoorTerms = DoorTerms(), _ body: (DoorParty) async throws -> Void) async throws {
    let link: (Node) throws -> String = { try $0.invite(expires: nil, uses: nil, isForDoor: true, in: nil).link }
    try await withParty(by: link, terms, logger: .silent, body)
}

private func withParty(
    by link: (Node) throws -> String,
    _ terms: DoorTerms,
    logger: Logger,
    _ body: (DoorParty) async throws -> Void
) async throws {
    try await withTemporaryFolder { folder in
        try await withNode(folder + "/founder") { founder in
            _ = try await founder.rename(to: "Ana", event: nil)
            _ = try await founder.createEvent(title: "Party")
            let link = try link(founder)
            try await withDoor(folder + "/door", by: link, peers: [founder], logger: logger) { node in
                _ = try await node.awaitDoor()
                try await body(try await party(of: founder, by: node, terms, link))
            }
        }
    }
}

private func party(of founder: Node, by node: Node, _ terms: DoorTerms, _ link: String) async throws -> DoorParty {
    let (door, code, time) = (try Door(node, terms), try node.doorCode(), HandClock())
    let server = DoorServer(door, code: code, names: ["Party.local"], logger: .silent) { time.now }
    let page = Browser(node, server.guestRouter())
    return DoorParty(
        founder: Browser(founder),
        node: node,
        door: door,
        code: code,
        link: link,
        page: page,
        time: time,
        cookie: try await page.send(.get, "/\(code.code)", host: DoorParty.host).cookie
    )
}

extension Node {
    /// The id of this node's person, as it knows itself.
    var doorPerson: String { get throws { try people(event: nil).people.first { $0.me }?.id ?? "" } }
}

extension Node {
    /// Where a door keeps its guests.
    var guestsFolder: String { "\(folder.path)/events/\(doorEvent ?? "")/guests" }
}
