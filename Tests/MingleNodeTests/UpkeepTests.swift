// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import NodeTestSupport
import Synchronization
import Testing

@testable import MingleNode

/// Looking at stored data, and mending it.
@Suite(.timeLimit(.minutes(5)))
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

    @Test func `who waits for a look or a repair is told how far it is`() async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/host") { host in
                _ = try await host.createEvent(title: "Party")
                _ = try await host.addPhoto(try makePicture(in: folder), event: nil)
                for kind in ["verify", "repair", "nonsense"] {
                    let none = try await problem { _ = try host.progress(of: kind) }
                    #expect(none.name == .notFound)
                }
                let (looked, repaired) = (Told(), Told())
                _ = try await host.verify(event: nil) { far in
                    looked.note(far)
                    #expect((try? host.progress(of: "verify")) == far)
                }
                _ = try await host.repair(event: nil) { far in
                    repaired.note(far)
                    #expect((try? host.progress(of: "repair")) == far)
                }
                for told in [looked, repaired] { told.expectAll() }
                #expect((try? host.progress(of: "verify")) == nil && (try? host.progress(of: "repair")) == nil)
            }
            let (looked, repaired) = (Told(), Told())
            #expect(try DataFolder(folder + "/host").verify(tell: looked.note).sound)
            _ = try DataFolder(folder + "/host").repair(tell: repaired.note)
            for told in [looked, repaired] {
                told.expectAll()
                #expect(told.all.last.map { $0.done == $0.total && $0.total > 0 } == true)
            }
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
                let backup = try await problem { _ = try await node.backUp(BackupTerms(folder: host + "-backup")) }
                #expect(again.name == .conflict && backup.name == .conflict)
                node.state.withLock { _ = $0.reopening.remove(id) }
                #expect(try await node.repair(event: event).events.map(\.database) == ["sound"])
                #expect(try await node.backUp(BackupTerms(folder: host + "-backup")).events == 1)
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
            let repaired = try DataFolder(guest).repair().events
            #expect(repaired.map(\.database) == ["failed"] && repaired[0].problem?.contains("mingle restore") == true)
            try await withNode(guest) { node in
                let unopened = try node.status(event: nil).unopened
                #expect(unopened == [event] && !node.health().ready)
                let named = try await problem { _ = try await node.repair(event: event) }
                #expect(named.name == .conflict && named.detail.contains("mingle restore"))
            }
        }
    }

    /// A stopped node's folder with three events, by id.
    private func withThree(_ body: (_ folder: String, _ events: [String]) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/host") { host in
                for title in ["One", "Two", "Three"] { _ = try await host.createEvent(title: title) }
            }
            try await body(folder + "/host", try DataFolder(folder + "/host").events().map(\.description))
        }
    }

    @Test func `an event that cannot be repaired keeps no other from it, nor from a backup, and can be left`()
        async throws
    {
        try await withThree { host, events in
            for event in [events[0], events[2]] {
                try Data(repeating: 1, count: 9000).write(
                    to: URL(fileURLWithPath: "\(host)/events/\(event)/replica.sqlite")
                )
            }
            try Data("{}".utf8).write(to: URL(fileURLWithPath: "\(host)/events/\(events[1])/secrets.json"))
            let found = try DataFolder(host).verify()
            #expect(found.events.map { $0.damages.map(\.part) } == [["database"], ["keys"], ["database"]])
            let repaired = try DataFolder(host).repair().events
            #expect(
                repaired.map(\.database) == ["empty", "failed", "empty"]
                    && repaired.map(\.newDevice) == [true, false, true]
            )
            let one = try DataFolder(host).verify(event: events[0])
            #expect(one.sound && one.events.map(\.id) == [events[0]])
            let stopped = try DataFolder(host).backUp(BackupTerms(folder: host + "-stopped"))
            #expect(stopped.events == 2 && stopped.skipped.count == 1 && stopped.skipped[0].contains(events[1]))
            try await withNode(host) { node in
                #expect(try await node.repair(event: nil).events.map(\.database) == ["sound", "failed", "sound"])
                let running = try await node.backUp(BackupTerms(folder: host + "-running"))
                #expect(
                    running.events == 2 && running.skipped.count == 1 && running.skipped[0].contains("mingle repair")
                )
                #expect(try Restoring.restore(host + "-running", to: host + "-restored").events == 2)
                _ = try await node.leaveEvent(events[1])
                let status = try node.status(event: nil)
                #expect(status.unopened == [] && !status.warnings.contains { $0.contains("could not be opened") })
                #expect(!FileManager.default.fileExists(atPath: "\(host)/events/\(events[1])"))
                #expect(try await node.backUp(BackupTerms(folder: host + "-whole")).skipped == [])
            }
        }
    }

    /// What a lost power may leave of a database.
    private enum Remnant: CaseIterable {
        case nothing, emptyFile, headerAlone, logAlone
    }

    @Test(arguments: Remnant.allCases)
    private func `a database that is gone is found missing, and begun anew as a new device`(
        _ remnant: Remnant
    ) async throws {
        try await withStopped { host, guest, event in
            let path = "\(guest)/events/\(event)/replica.sqlite"
            let id = try #require(EventID(text: event))
            // All tables of a young database stand in its log.
            let secrets = try Secrets(contentsOf: "\(guest)/events/\(event)/secrets.json")
            let young = try Replica(path: guest + "-young.sqlite", event: id, own: secrets.ownDevice(in: id))
            let header = try Data(contentsOf: URL(fileURLWithPath: guest + "-young.sqlite"))
            try young.close()
            #expect(!header.isEmpty && header.count < 20_000)
            func lose() throws {
                try FileManager.default.removeItem(atPath: path)
                switch remnant {
                case .nothing: break
                case .emptyFile: try Data().write(to: URL(fileURLWithPath: path))
                case .headerAlone: try header.write(to: URL(fileURLWithPath: path))
                case .logAlone: try Data("log".utf8).write(to: URL(fileURLWithPath: path + "-wal"))
                }
            }
            func device() throws -> Data {
                try Data(contentsOf: URL(fileURLWithPath: "\(guest)/events/\(event)/secrets.json"))
            }
            let first = try device()
            try lose()
            for _ in 0..<2 {
                let found = try DataFolder(guest).verify()
                #expect(!found.sound && found.events[0].damages.map(\.part) == ["database"])
            }
            #expect(throws: API.Problem.self) { try DataFolder(guest).backUp(BackupTerms(folder: guest + "-backup")) }
            #expect(
                try !FileManager.default.fileExists(atPath: guest + "-backup")
                    && !EventFolder(id, in: DataFolder(guest)).hasDatabase
            )
            let repaired = try DataFolder(guest).repair().events
            #expect(repaired.map(\.database) == ["empty"] && repaired.map(\.newDevice) == [true])
            let kept = try repaired[0].kept.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
            #expect(kept == (remnant == .logAlone ? Data("log".utf8) : nil))
            let second = try device()
            #expect(first != second)
            #expect(try DataFolder(guest).verify().sound && device() == second)
            // Also without a repair.
            try lose()
            try await withNode(host) { host in
                try await withNode(guest, peers: [host.loopback]) { guest in
                    #expect(try device() != second)
                    #expect(try guest.status(event: nil).warnings.contains { $0.contains("was missing") })
                    try await eventually("everything has come again", at: guest, host) {
                        try guest.dump(event: nil) == host.dump(event: nil)
                    }
                    #expect(try guest.status(event: nil).warnings.allSatisfy { !$0.contains("was copied") })
                }
            }
        }
    }

    @Test func `what an interrupted look or repair left keeps nobody from the next, and goes`() async throws {
        try await withStopped { host, _, event in
            let path = "\(host)/events/\(event)"
            let names = ["inspection.sqlite", "inspection.sqlite-wal", "replica.sqlite.new", "replica.sqlite.new-shm"]
            func leave() throws {
                for name in names { try Data([1, 2, 3]).write(to: URL(fileURLWithPath: "\(path)/\(name)")) }
            }
            func left() throws -> Set<String> {
                Set(names).intersection(try FileManager.default.contentsOfDirectory(atPath: path))
            }
            try leave()
            #expect(try DataFolder(host).verify().sound && left().isEmpty)
            try leave()
            #expect(try DataFolder(host).repair().events.map(\.database) == ["sound"] && left().isEmpty)
            try damage(host, event, words: "Word 77")
            #expect(try DataFolder(host).repair().events.map(\.database) == ["rebuilt"] && left().isEmpty)
        }
    }

    @Test func `who comes by a link while the event is being repaired is told to wait, not to move it away`()
        async throws
    {
        try await withStopped { host, _, event in
            let id = try #require(EventID(text: event))
            try await withNode(host) { node in
                let link = try node.link()
                let session = node.state.withLock { state in
                    state.reopening.insert(id)
                    return state.sessions.removeValue(forKey: id)
                }
                #expect(try await problem { _ = try await node.join(link: link) }.name == .unavailable)
                node.state.withLock { state in
                    state.reopening.remove(id)
                    state.sessions[id] = session
                }
            }
        }
    }
}
