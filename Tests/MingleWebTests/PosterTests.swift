// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import MingleAPI
import MingleNode
import NodeTestSupport
import ServiceLifecycle
import Synchronization
import Testing

@testable import MingleWeb

/// What stands on a door's poster, and what its operator is told as that changes.
struct PosterNoticesTests {
    private static let everywhere = PosterPlace(.everywhere, hosts: [])

    private func notices(_ place: PosterPlace = everywhere) -> PosterNotices { PosterNotices(place, path: "/x") }

    @Test
    func `the poster follows the machine to another address, and is left alone while its address leads somewhere`() {
        var notices = notices()
        let (first, second) = ("http://10.0.0.1:8080/x", "http://10.0.0.2:8080/x")
        let open = DoorState.open(title: "Party")
        #expect(notices.steps(for: open, machine: ["10.0.0.1"]) == [.putUp(title: "Party", addresses: [first])])
        #expect(notices.steps(for: open, machine: ["10.0.0.1"]).isEmpty)
        // A second network, and the first one is gone for a while: what hangs on the wall stays.
        #expect(notices.steps(for: open, machine: ["10.0.0.2", "10.0.0.1"]) == [.amend(addresses: [first, second])])
        #expect(notices.steps(for: open, machine: ["10.0.0.2", "10.0.0.1"]).isEmpty)
        #expect(notices.steps(for: open, machine: []).isEmpty)
        #expect(notices.steps(for: open, machine: ["10.0.0.2"]) == [.move(addresses: [second])])
        #expect(notices.steps(for: open, machine: ["10.0.0.2"]).isEmpty)
    }

    @Test func `what was printed first is the best again once it leads somewhere`() {
        var notices = notices()
        let (first, second) = ("http://10.0.0.1:8080/x", "http://10.0.0.2:8080/x")
        let open = DoorState.open(title: "Party")
        _ = notices.steps(for: open, machine: ["10.0.0.1", "10.0.0.2"])
        #expect(notices.steps(for: open, machine: ["10.0.0.2"]) == [.move(addresses: [second])])
        let back = notices.steps(for: open, machine: ["10.0.0.2", "10.0.0.1"])
        #expect(back.first == .amend(addresses: [first, second]) && back.count == 2)
        #expect(notices.steps(for: open, machine: ["10.0.0.2", "10.0.0.1"]).isEmpty)
    }

    @Test func `on no network the poster names the machine itself, until there is one`() {
        var notices = notices()
        let open = DoorState.open(title: "Party")
        let local = "http://127.0.0.1:8080/x"
        #expect(notices.steps(for: open, machine: []) == [.putUp(title: "Party", addresses: [local])])
        #expect(notices.steps(for: open, machine: ["10.0.0.1"]) == [.move(addresses: ["http://10.0.0.1:8080/x"])])
    }

    @Test func `a name that was given stays on the poster, and one address stays alone`() {
        let open = DoorState.open(title: "Party")
        var named = notices(
            PosterPlace(ListeningAddress(host: "0.0.0.0", port: 80), hosts: ["party.local", "fe80::1"])
        )
        let names = ["http://party.local/x", "http://[fe80::1]/x"]
        let (one, two) = (names + ["http://10.0.0.1/x"], names + ["http://10.0.0.2/x"])
        #expect(named.steps(for: open, machine: ["10.0.0.1"]) == [.putUp(title: "Party", addresses: one)])
        #expect(named.steps(for: open, machine: ["10.0.0.2"]) == [.amend(addresses: two)])
        var fixed = notices(PosterPlace(ListeningAddress(host: "10.0.0.9", port: 81), hosts: []))
        let address = "http://10.0.0.9:81/x"
        #expect(fixed.steps(for: open, machine: ["10.0.0.1"]) == [.putUp(title: "Party", addresses: [address])])
        #expect(fixed.steps(for: open, machine: ["10.0.0.2"]).isEmpty)
    }

    @Test func `what keeps it from being shown is said once, and that it is shown again`() {
        var notices = notices()
        let (open, raised) = (
            DoorState.open(title: "Party"), DoorState.raised(level: "a host", isByInvitation: false)
        )
        _ = notices.steps(for: open, machine: ["10.0.0.1"])
        guard case .say(let words)? = notices.steps(for: raised, machine: ["10.0.0.1"]).first else {
            Issue.record("nothing is said")
            return
        }
        #expect(words.contains("a host") && words.contains("mingle people demote"))
        #expect(notices.steps(for: raised, machine: ["10.0.0.2"]).isEmpty)
        #expect(notices.steps(for: .looking, machine: ["10.0.0.1"]).isEmpty)
        #expect(notices.steps(for: open, machine: ["10.0.0.1"]).count == 1)
        let out = notices.steps(for: .out, machine: ["10.0.0.1"])
        #expect(out.first == .takeDown && out.count == 2)
        #expect(notices.steps(for: .out, machine: ["10.0.0.1"]).isEmpty)
        // A host who lets it back in has it put up again.
        let again = notices.steps(for: open, machine: ["10.0.0.1"])
        #expect(again.last == .putUp(title: "Party", addresses: ["http://10.0.0.1:8080/x"]))
    }

    @Test(arguments: [
        ("party.local", "party.local"), ("Party.Local.", "party.local"), ("192.168.1.5", "192.168.1.5"),
        ("[fe80::1]", "fe80::1"), ("2001:db8::5", "2001:db8::5"), ("a-b.example", "a-b.example"),
    ])
    func `a host is a name or an address`(text: String, host: String) throws {
        #expect(try PosterPlace.readHost(text) == host)
    }

    @Test(arguments: [
        "", ".", "...", "-", "-a", "a-.local", "party..local", ".local", "http://party.local", "party.local:80",
        "192.168.1", "1234", "[192.168.1.5]", "fe80::1%eth0", "pärty.local", "a b", "a_b", "party.local/",
        String(repeating: "a", count: 64),
    ])
    func `what is no name or address of a machine is refused with how it is written`(text: String) {
        let refusal = #expect(throws: API.Problem.self) { try PosterPlace.readHost(text) }
        #expect(refusal?.detail.contains("party.local or 192.168.1.5") == true)
    }
}

/// The poster of a door that runs.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DoorPosterTests {
    @Test func `a poster is written anew when the machine has another address, and taken down when a host ends it`()
        async throws
    {
        try await withParty { party async throws in
            let (words, clock) = (Words(), AsyncStream.makeStream(of: Void.self))
            let machine = Words("10.0.0.1")
            let around = DoorPoster.Surroundings(
                isTerminal: false,
                machine: { [machine.all] },
                ticks: { clock.stream },
                say: { words.add($0.joined(separator: "\n")) }
            )
            let place = PosterPlace(ListeningAddress(host: "::", port: 8080), hosts: [])
            let poster = DoorPoster(party.node, code: party.code, at: place, around)
            let running = Task { try await poster.run() }
            defer { running.cancel() }
            try await words.eventually("the poster") { $0.contains("Phones take part in Party") }
            let files = party.node.posterFiles
            let text = { try String(contentsOfFile: files[1], encoding: .utf8) }
            #expect(try text() == "http://10.0.0.1:8080/\(party.code.code.uppercased())\n")
            let picture = FileManager.default.contents(atPath: files[0])
            machine.say("10.0.0.2")
            clock.continuation.yield()
            try await words.eventually("the other address") { $0.contains("another address now") }
            #expect(try text() == "http://10.0.0.2:8080/\(party.code.code.uppercased())\n")
            #expect(FileManager.default.contents(atPath: files[0]) != picture)
            #expect(!words.all.lowercased().contains(party.code.code))
            _ = try party.founder.node.remove(party.node.doorPerson, keepsLinks: false, event: nil)
            try await words.eventually("the end") { $0.contains("A host removed this door") }
            for file in files { #expect(!FileManager.default.fileExists(atPath: file)) }
            running.cancel()
            try await running.value
        }
    }

    @Test
    func `the code, the cookie and the link are in no log, not even where services are told of at the level debug`()
        async throws
    {
        let log = Words()
        let logger = Logger(label: "test") { _ in
            StructuredLog(LogSettings(level: .debug, format: .text)) { log.add($0) }
        }
        try await withParty(logger: logger) { party async throws in
            let server = DoorServer(party.door, code: party.code, names: ["party.local"], logger: logger)
            let (said, ready) = (Words(), AsyncStream.makeStream(of: Int.self))
            let around = DoorPoster.Surroundings(
                isTerminal: false,
                machine: { [] },
                ticks: { AsyncStream { $0.finish() } },
                say: { said.add($0.joined()) }
            )
            let poster = DoorPoster(party.node, code: party.code, at: PosterPlace(.everywhere, hosts: []), around)
            let page = server.guestServer(host: "127.0.0.1", port: 0) { port in ready.continuation.yield(port) }
            let group = ServiceGroup(
                configuration: .init(services: [page, server.operatorServer(), poster], logger: logger)
            )
            let running = Task { try await group.run() }
            for await _ in ready.stream { break }
            try await said.eventually("the poster") { $0.contains("Phones take part in Party") }
            _ = try await party.knock("/\(party.code.code)")
            _ = try await party.look("/api/v1/visit")
            await group.triggerGracefulShutdown()
            try await running.value
            #expect(log.all.contains("Starting service") && log.all.contains("listening for peers"))
            for secret in [party.code.code, party.code.code.uppercased(), party.secret, party.link] {
                #expect(!log.all.contains(secret))
            }
            #expect(!log.all.contains("mingle://"))
        }
    }
}

extension DoorParty {
    /// What the phone keeps, without its name.
    fileprivate var secret: String { String(cookie.drop { $0 != "=" }.dropFirst().prefix { $0 != "." }) }
}

/// What was said so far.
private final class Words: Sendable {
    private let state: Mutex<String>
    private let news = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(_ words: String = "") { state = Mutex(words) }

    var all: String { state.withLock { $0 } }

    /// Says nothing but this from now on.
    func say(_ words: String) { state.withLock { $0 = words } }

    func add(_ words: String) {
        state.withLock { $0 += words }
        news.continuation.yield()
    }

    func eventually(_ what: String, _ condition: (String) -> Bool) async throws {
        if condition(all) { return }
        for await _ in news.stream where condition(all) { return }
        throw TooLate(what: what)
    }
}
