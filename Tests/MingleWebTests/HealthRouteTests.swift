// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import MingleAPI
import MingleNode
import Testing

@testable import MingleWeb

/// What watches over a node reads, and what only the socket offers.
@Suite(.timeLimit(.minutes(5)))
struct HealthRouteTests {
    @Test func `a node that runs lives and is ready, and one that does not listen says so`() async throws {
        try await withEvent { browser in
            let live = try await browser.send(.get, "/health/live")
            #expect(live.status == 200 && live.text == "alive\n" && live.headers[.cacheControl] == "no-store")
            let ready = try await browser.send(.get, "/health/ready")
            #expect(ready.status == 200 && ready.text == #"{"ready":true,"reasons":[]}"#)
        }
        try await withSilentNode { browser in
            #expect(try await browser.send(.get, "/health/live").status == 200)
            let ready = try await browser.send(.get, "/health/ready")
            #expect(
                ready.status == 503 && ready.members == ["ready", "reasons"] && ready.text.contains("does not listen")
            )
        }
    }

    @Test func `metrics have the type that Prometheus asks for`() async throws {
        try await withEvent { browser in
            let metrics = try await browser.send(.get, "/metrics")
            #expect(metrics.status == 200)
            #expect(metrics.headers[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
            #expect(metrics.text.contains("\nmingle_events 1\n") && metrics.text.hasSuffix("\n"))
            #expect(try await browser.send(.post, "/metrics").status == 405)
            // Under another name than this machine's they are as little to be had as the page.
            let renamed = try await browser.send(.get, "/metrics", host: "evil.example")
            #expect(renamed.isProblem(.insecureHost))
        }
    }

    @Test func `metrics on an address of their own are there under addresses, the machine's name and the given name`()
        async throws
    {
        try await withSilentNode { browser in
            let watcher = Browser(browser.node, WebServer.watchRouter(browser.node, host: "Monitor.example"))
            let machine = try #require(ProcessInfo.processInfo.hostName.split(separator: ".").first)
            let known = [
                "192.168.1.20:9100", "10.0.0.1", "[fe80::1]:9100", "127.0.0.1:9100", "localhost",
                "monitor.example:9100",
                "\(machine):9100", "\(machine).local",
            ]
            let others = [nil, "", "evil.example", "evil.example:9100", "\(machine).evil.example", "x.monitor.example"]
            for path in ["/metrics", "/health/live"] {
                for host in known {
                    #expect(try await watcher.send(.get, path, host: host).status == 200, "\(host)")
                }
                for host in others {
                    let answer = try await watcher.send(.get, path, host: host)
                    #expect(answer.isProblem(.insecureHost, "--metrics"), "\(host ?? "no host")")
                }
            }
        }
    }

    @Test(arguments: ["verify", "repair", "backup", "missing"])
    func `what concerns the stored data is not for the page's port`(path: String) async throws {
        try await withEvent { browser in
            let methods: [HTTPRequest.Method] = path == "missing" ? [.get] : [.get, .post]
            for method in methods {
                let answer = try await browser.send(method, "/api/v1/\(path)")
                #expect(answer.isProblem(.notFound))
            }
        }
    }
}
