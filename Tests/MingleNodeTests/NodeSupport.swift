// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import MingleAPI
import MingleCrypto
import MingleEvent
import MingleModel
import MingleNode
import MinglePeering
import NodeTestSupport
import Synchronization
import Testing

/// Runs `body`, which must throw a problem, and returns that.
func problem(_ body: () async throws -> Void) async throws -> API.Problem {
    do {
        try await body()
    } catch let error where !(error is TooLate) {
        return API.Problem(error)
    }
    throw TooLate(what: "a problem")
}

/// Lets nodes of their own join, one by each link, until all hold what the door holds.
func withGuests<Result>(
    _ names: [String],
    in folder: String,
    by links: [String],
    at door: Node,
    _ body: ([Node]) async throws -> Result
) async throws -> Result {
    guard let name = names.first else { return try await body([]) }
    return try await withNode("\(folder)/\(name)", peers: [door.loopback]) { node in
        _ = try await node.join(link: links[0])
        try await eventually("\(name) reads", at: node) { try node.moments(event: nil).moments.count == 1 }
        let others = (names: Array(names.dropFirst()), links: Array(links.dropFirst()))
        return try await withGuests(others.names, in: folder, by: others.links, at: door) {
            try await body([node] + $0)
        }
    }
}

/// A clock that goes as the machine's and can be put forward.
final class TestClock: Sendable {
    private let offset = Mutex<Int64>(0)
    private let passed = Mutex(Duration.zero)

    var clock: NodeClock {
        let uptime = NodeClock.system.uptime
        return NodeClock(
            now: { Timestamp(milliseconds: self.milliseconds) },
            uptime: { uptime() + self.passed.withLock { $0 } }
        )
    }

    /// What the clock says.
    var now: Date { Date(milliseconds: milliseconds) }

    private var milliseconds: Int64 { Date().milliseconds + offset.withLock { $0 } }

    /// Puts the clock forward.
    func advance(seconds: Int64) { offset.withLock { $0 += seconds * 1000 } }

    /// Lets time pass.
    func pass(seconds: Int64) {
        advance(seconds: seconds)
        passed.withLock { $0 += .seconds(seconds) }
    }
}

/// A black picture in a folder.
func makePicture(in folder: String) throws -> PhotoUpload {
    let text = """
        iVBORw0KGgoAAAANSUhEUgAAABgAAAAQCAIAAACDRijCAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEklEQVQ4jWNgGAWjYBSMgsEBAASQAAFfmu8pAAAA
        AElFTkSuQmCC
        """
    let bytes = try #require(Data(base64Encoded: text, options: .ignoreUnknownCharacters))
    try bytes.write(to: URL(fileURLWithPath: folder + "/black.png"))
    return PhotoUpload(path: folder + "/black.png", name: "Zanzibar-name.png", title: "Quetzal title")
}

extension Node {
    /// The event as somebody sees it who has only scanned the code of this door.
    func visited() throws -> EventService { try Door(self).reader(Browser(.system)).service }

    /// Where another node of the same machine dials this one.
    var loopback: String { "127.0.0.1:\(peerPort)" }

    /// A link that lets people into the current event.
    func link() throws -> String { try invitation(event: nil).link }

    /// Makes a moment that goes on from an hour ago until in an hour, on a place of 100 metres.
    func makeMoment(_ title: String, at now: Date = Date(), startsIn hours: Double = -1) throws -> API.Moment {
        var moment = API.NewMoment()
        moment.title = title
        moment.start = now.addingTimeInterval(hours * 3600)
        moment.end = now.addingTimeInterval((hours + 2) * 3600)
        moment.place = API.NewPlace(name: "Plaza", latitude: 40.4155, longitude: -3.7074, radiusM: 100)
        return try makeMoment(moment, event: nil)
    }

    /// This node's person's level in the current event.
    var levelWord: String? { try? status(event: nil).current?.level }

    /// Makes a private moment that goes on now, and invites some people.
    func meetPrivately(_ title: String, with guests: [Node]) throws -> API.Moment {
        var moment = API.NewMoment()
        moment.title = title
        moment.start = Date().addingTimeInterval(-3600)
        moment.end = Date().addingTimeInterval(3600)
        moment.place = API.NewPlace(name: "Roof", latitude: 40.4155, longitude: -3.7074, radiusM: 100)
        moment.private = true
        moment.invite = try guests.map { try $0.ownID }
        return try makeMoment(moment, event: nil)
    }

    /// The id of this node's person.
    var ownID: String {
        get throws {
            guard let me = try people(event: nil).people.first(where: \.me) else { throw TooLate(what: "a person") }
            return me.id
        }
    }

    /// The comments on a record.
    func texts(on id: String) throws -> [String] {
        try comments(on: id, before: nil, event: nil).comments.reversed().compactMap(\.text)
    }
}

extension API.Envelope.Position {
    /// Within the place of ``MingleNode/Node/makeMoment(_:at:startsIn:)``.
    static var there: Self { Self(latitude: 40.4156, longitude: -3.7075, accuracyM: 12) }
    /// Some four kilometres away.
    static var elsewhere: Self { Self(latitude: 40.45, longitude: -3.69, accuracyM: nil) }
}
