// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleNode
import NIOCore
import NIOPosix
import Testing

@testable import MingleWeb

/// How it is said where a server listens, and what is said where it cannot.
@Suite(.timeLimit(.minutes(5)))
struct ListeningAddressTests {
    @Test(arguments: [
        ("192.168.1.5:80", "192.168.1.5", 80), ("[::]:8080", "::", 8080), ("party.local:1", "party.local", 1),
        ("0.0.0.0:65535", "0.0.0.0", 65535),
    ])
    func `an address is a host and a port`(text: String, host: String, port: Int) throws {
        let address = try ListeningAddress(reading: text)
        #expect(address == ListeningAddress(host: host, port: port) && address.description == text)
        #expect(address.isEverywhere == (host == "0.0.0.0" || host == "::"))
    }

    @Test(arguments: [
        ("::1:8080", "brackets"), ("[::1:8080", "brackets"), ("::1]:8080", "brackets"), ("[10.0.0.1]:80", "brackets"),
        ("8080", "HOST:PORT"), ("host", "HOST:PORT"), ("host:", "HOST:PORT"), ("host:0", "HOST:PORT"),
        ("host:65536", "HOST:PORT"), (":8080", "HOST:PORT"), ("http://host:80", "brackets"), ("a/b:80", "without http"),
        ("a b:80", "without http"), ("", "HOST:PORT"),
    ])
    func `what is none is refused with how it is written`(text: String, words: String) {
        let refusal = #expect(throws: API.Problem.self) { try ListeningAddress(reading: text) }
        #expect(refusal?.detail.contains(words) == true, "\(refusal?.detail ?? "")")
    }

    @Test func `a port that is taken, an address of another machine and an unknown name are told in plain words`()
        async throws
    {
        let taken = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(taken.localAddress?.port)
        let cases = [
            (ListeningAddress(host: "127.0.0.1", port: port), "Port \(port) is in use"),
            (
                ListeningAddress(host: "192.0.2.1", port: port),
                "192.0.2.1 is not an address of this machine, which has 10.0.0.1"
            ),
            (ListeningAddress(host: "nobody.invalid", port: port), "No machine has the name 'nobody.invalid'"),
        ]
        for (address, words) in cases {
            let problem = try await #require(throws: API.Problem.self) {
                try await address.requireFree("--listen", machine: ["10.0.0.1"])
            }
            #expect(problem.detail.contains(words) && problem.detail.contains("--listen"), "\(problem.detail)")
            #expect(!problem.detail.contains("errno"))
        }
        try await taken.close()
        // It is free afterwards, and more than once.
        for _ in 0..<2 {
            try await becomesFree(ListeningAddress(host: "127.0.0.1", port: port))
        }
    }

    /// Waits until an address is free: a program that another test started at that moment has the socket, too, for as long as
    /// it takes to begin.
    private func becomesFree(_ address: ListeningAddress) async throws {
        let deadline = ContinuousClock.now + .seconds(10)
        while ContinuousClock.now < deadline {
            do { return try await address.requireFree("--listen", machine: []) } catch { await Task.yield() }
        }
        try await address.requireFree("--listen", machine: [])
    }
}
