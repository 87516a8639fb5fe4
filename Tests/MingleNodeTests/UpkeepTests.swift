// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleMedia
import MingleModel
import NodeTestSupport
import Synchronization
import Testing

@testable import MingleNode

/// Looking at stored data, and mending it.
@Suite(.timeLimit(.minutes(2)))
struct UpkeepTests {
    /// A host and a guest who hold the same, both stopped; lends their folders and the event's id.
    private func withStopped(_ body: (_ host: String, _ guest: String, _ event: String) async throws -> Void)
        async throws
    {
        try await withTemporaryFolder { folder in
            var event = ""
            try await withNode(folder + "/host") { host in
                event = try await host.createEvent(title: "Party").id
                let moment = try host.makeMoment("Dinner")
                for number in 0..<90 { _ = try host.comment(on: moment.id, text: "Word \(number)", event: nil) }
                try await withNode(folder + "/guest", peers: [host.loopback]) { guest in
                    _ = try await guest.join(link: host.link())
                    _ = try guest.comment(on: moment.id, text: "From the guest", event: nil)
                    try await eventually("both hold the same", at: host, guest) {
                        try host.dump(event: nil) == guest.dump(event: nil)
                    }
                }
            }
            try await body(folder + "/host", folder + "/guest", event)
        }
    }

    /// Flips a bit in the middle of a page of a stopped node's database that holds some words.
    private func damage(_ folder: String, _ event: String, words: String) throws {
        let path = "\(folder)/events/\(event)/replica.sqlite"
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let place = try #require(bytes.range(of: Data(words.utf8))).lowerBound
        bytes[place] ^= 8
        try bytes.write(to: URL(fileURLWithPath: path))
    }

    @Test func `sound data is found sound, on a node that runs and in a folder`() async throws {
        try await withStopped { host, _, event in
            let stopped = try DataFolder(host).verify()
            #expect(stopped.sound && stopped.events.map(\.id) == [event] && stopped.events[0].headers > 90)
            try await withNode(host) { node in
                let running = try await node.verify(event: nil)
                #expect(running.sound && running.events[0].signatures > 2 && running.events[0].skipped == [])
                let problem = try await problem { _ = try await node.verify(event: "nonsense") }
                #expect(problem.name == .notFound)
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: host + "/events/" + event)
            #expect(!left.contains { $0.hasPrefix("inspection") || $0.hasSuffix(".new") })
        }
    }

    @Test func `a damaged event is not shown, says what to do, and is healed by one peer`() async throws {
        try await withStopped { host, guest, event in
            let before = try await withNode(guest) { try $0.dump(event: nil) }
            try damage(guest, event, words: "Word 77")
            #expect(try DataFolder(guest).verify().events.map(\.sound) == [false])
            try await withNode(host) { host in
                try await withNode(guest, peers: [host.loopback]) { guest in
                    let verification = try await guest.verify(event: nil)
                    #expect(!verification.sound && verification.events[0].damages.contains { $0.part == "database" })
                    let repaired = try await guest.repair(event: nil).events
                    #expect(repaired.map(\.database) == ["rebuilt"] && repaired[0].deltasSaved > 90)
                    #expect(try await guest.verify(event: nil).sound)
                    try await eventually("both hold the same", at: host, guest) {
                        try guest.dump(event: nil) == host.dump(event: nil)
                    }
                    #expect(try Set(before).isSubset(of: guest.dump(event: nil)))
                    // The guest's own journal is whole, so that it writes on as before.
                    #expect(!repaired[0].newDevice && guest.health().ready)
                    let missing = try guest.missing(event: nil)
                    #expect(missing.deltas + missing.payloads + missing.blobs == 0)
                }
            }
        }
    }

    @Test func `a database of which nothing can be read is begun anew, as a new device`() async throws {
        try await withStopped { host, guest, event in
            let path = "\(guest)/events/\(event)/replica.sqlite"
            let damaged = Data(repeating: 1, count: 50_000)
            try damaged.write(to: URL(fileURLWithPath: path))
            try await withNode(host) { host in
                try await withNode(guest, peers: [host.loopback]) { guest in
                    #expect(!guest.health().ready)
                    let told = try guest.status(event: nil).warnings.joined()
                    #expect(told.contains("damaged") && told.contains("mingle repair"))
                    let repaired = try await guest.repair(event: event).events
                    #expect(repaired.map(\.database) == ["empty"] && repaired[0].newDevice)
                    let kept = try #require(repaired[0].kept)
                    #expect(FileManager.default.contents(atPath: kept) == damaged)
                    try await eventually("everything has come again", at: guest, host) {
                        try guest.dump(event: nil) == host.dump(event: nil)
                    }
                    #expect(guest.health().ready)
                    let moment = try #require(try guest.moments(event: nil).moments.first)
                    _ = try guest.comment(on: moment.id, text: "Back again", event: nil)
                    try await eventually("the host hears of it", at: host) {
                        try host.texts(on: moment.id).contains("Back again")
                    }
                }
            }
        }
    }

    @Test func `a bit in the schema costs no more than its table, and what was damaged is kept each time`() async throws
    {
        try await withStopped { host, guest, event in
            let path = "\(guest)/events/\(event)/replica.sqlite"
            try damage(guest, event, words: "CREATE TABLE photo")
            let whole = try DataFolder(guest).repair().events
            #expect(whole.map(\.database) == ["rebuilt"] && whole.map(\.deltasLost) == [0] && whole[0].deltasSaved > 90)
            #expect(whole.map(\.kept) == [nil] && whole.map(\.newDevice) == [false])
            for (number, suffix) in ["", "-2"].enumerated() {
                try damage(guest, event, words: "CREATE TABLE journal")
                let damaged = FileManager.default.contents(atPath: path)
                let repaired = try DataFolder(guest).repair().events
                #expect(
                    repaired.map(\.kept) == [path + ".damaged" + suffix] && repaired.map(\.newDevice) == [true],
                    "\(number)"
                )
                #expect(FileManager.default.contents(atPath: path + ".damaged" + suffix) == damaged)
            }
            #expect(try DataFolder(guest).verify().sound)
            // Of what is sound nothing is kept.
            #expect(try DataFolder(host).repair().events.map(\.kept) == [nil])
        }
    }

    @Test func `what is being repaired is not repaired or backed up meanwhile`() async throws {
        try await withStopped { host, _, event in
            let id = try #require(EventID(text: event))
            try await withNode(host) { node in
                node.state.withLock { _ = $0.reopening.insert(id) }
                let again = try await problem { _ = try await node.repair(event: event) }
                let backup = try await problem { _ = try await node.backUp(to: host + "-backup") }
                #expect(again.name == .conflict && backup.name == .conflict)
                node.state.withLock { _ = $0.reopening.remove(id) }
                #expect(try await node.repair(event: event).events.map(\.database) == ["sound"])
                #expect(try await node.backUp(to: host + "-backup").events == 1)
            }
        }
    }

    @Test func `keys that were altered are refused, and say what to do`() async throws {
        try await withStopped { _, guest, event in
            let file = "\(guest)/events/\(event)/secrets.json"
            let text = try String(contentsOfFile: file, encoding: .utf8)
            let key = try #require(text.range(of: #""identity":""#)).upperBound
            var altered = text
            altered.replaceSubrange(key..<altered.index(after: key), with: text[key] == "a" ? "b" : "a")
            try Data(altered.utf8).write(to: URL(fileURLWithPath: file))
            let verification = try DataFolder(guest).verify()
            #expect(verification.events[0].damages.map(\.part) == ["keys"])
            #expect(verification.events[0].damages[0].detail.contains("mingle restore"))
            #expect(throws: DataFolderError.self) { try DataFolder(guest).repair() }
            try await withNode(guest) { node in
                let unopened = try node.status(event: nil).unopened
                #expect(unopened == [event] && !node.health().ready)
            }
        }
    }
}
