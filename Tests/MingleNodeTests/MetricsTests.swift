// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica
import NodeTestSupport
import Synchronization
import Testing

@testable import MingleNode

/// What a node tells Prometheus, read as strictly as its text format is defined.
@Suite(.timeLimit(.minutes(5)))
struct MetricsTests {
    /// A family as a reader understands it.
    struct Family {
        var type = ""
        var help = ""
        var samples: [(name: String, labels: [String: String], value: Double)] = []
    }

    struct Malformed: Error { let line: String }

    /// Reads a text of metrics; throws for anything that a strict reader would not take.
    static func parse(_ text: String) throws -> [String: Family] {
        var families: [String: Family] = [:]
        var current = ""
        guard text.hasSuffix("\n") else { throw Malformed(line: "the end") }
        for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
            let line = String(line)
            if let match = try /# HELP ([a-z_]+) (.+)/.wholeMatch(in: line) {
                current = String(match.1)
                guard families[current] == nil else { throw Malformed(line: line) }
                families[current] = Family(help: String(match.2))
            } else if let match = try /# TYPE ([a-z_]+) (gauge|counter|histogram)/.wholeMatch(in: line) {
                guard match.1 == current, families[current]?.type == "", families[current]?.samples.isEmpty == true
                else {
                    throw Malformed(line: line)
                }
                families[current]?.type = String(match.2)
            } else if let match = try /([a-z_]+)(?:\{(.*)\})? (\S+)/.wholeMatch(in: line) {
                let name = String(match.1)
                let isPart =
                    families[current]?.type == "histogram"
                    && ["_bucket", "_sum", "_count"].contains { current + $0 == name }
                guard families[current]?.type.isEmpty == false, name == current || isPart,
                    let value = match.3 == "+Inf" ? .infinity : Double(match.3)
                else { throw Malformed(line: line) }
                families[current]?.samples.append((name, try labels(match.2.map(String.init) ?? ""), value))
            } else {
                throw Malformed(line: line)
            }
        }
        return families
    }

    private static func labels(_ text: String) throws -> [String: String] {
        var labels: [String: String] = [:]
        var rest = text[...]
        while !rest.isEmpty {
            guard let match = try /([a-z_]+)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"(,|$)/.prefixMatch(in: rest),
                labels[String(match.1)] == nil
            else { throw Malformed(line: text) }
            labels[String(match.1)] = String(match.2)
            rest = rest[match.range.upperBound...]
        }
        return labels
    }

    private func check(_ families: [String: Family]) {
        for (name, family) in families {
            #expect(!family.samples.isEmpty && !family.help.isEmpty && family.help.hasSuffix("."), "\(name)")
            #expect((family.type == "counter") == name.hasSuffix("_total"), "\(name)")
            #expect(name.hasPrefix("mingle_") || name.hasPrefix("process_"))
            // Base units only.
            #expect(!name.contains("milli") && !name.contains("mega") && !name.contains("kilo"))
            let keys = family.samples.map { "\($0.name)\($0.labels.sorted { $0.key < $1.key })" }
            #expect(Set(keys).count == keys.count, "\(name) has a sample twice")
            for sample in family.samples { #expect(sample.value >= 0, "\(name)") }
        }
        for family in families.values where family.type == "histogram" {
            let buckets = family.samples.filter { $0.labels["le"] != nil }
            #expect(buckets.map(\.value) == buckets.map(\.value).sorted() && buckets.last?.labels["le"] == "+Inf")
            #expect(buckets.last?.value == family.samples.last?.value)
        }
    }

    private func value(_ families: [String: Family], _ name: String, _ labels: [String: String] = [:]) -> Double? {
        families[name]?.samples.first { sample in labels.allSatisfy { sample.labels[$0.key] == $0.value } }?.value
    }

    @Test func `a node without events, and one with a peer, tell metrics that a strict reader takes`() async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/host") { host in
                check(try Self.parse(host.metrics()))
                let event = try await host.createEvent(title: "Xylophone wedding").id
                _ = try await host.rename(to: "Anastasia", event: nil)
                let moment = try host.makeMoment("Balalaika dinner")
                try await withNode(folder + "/guest", peers: [host.loopback]) { guest in
                    _ = try await guest.join(link: host.link())
                    _ = try guest.comment(on: moment.id, text: "Marimba", event: nil)
                    try await eventually("both hold the same", at: host, guest) {
                        try host.dump(event: nil) == guest.dump(event: nil)
                    }
                    let families = try Self.parse(host.metrics())
                    check(families)
                    let label = ["event": String(event.prefix(8))]
                    #expect(value(families, "mingle_events") == 1 && value(families, "mingle_events_unopened") == 0)
                    #expect(value(families, "mingle_event_connections", ["direction": "in"]) == 1)
                    #expect(value(families, "mingle_deltas", label) ?? 0 > 5)
                    #expect(value(families, "mingle_peer_lag_deltas", label) == 0)
                    #expect(value(families, "mingle_payloads_missing", label) == 0)
                    #expect(value(families, "mingle_received_bytes_total") ?? 0 > 100)
                    #expect(value(families, "mingle_sent_bytes_total") ?? 0 > 100)
                    #expect(value(families, "mingle_errors_total", label) == 0)
                    #expect(value(families, "mingle_disk_free_bytes") ?? 0 > 1)
                    let merges = families["mingle_merge_duration_seconds"]?.samples.last
                    #expect(merges?.name == "mingle_merge_duration_seconds_count" && merges?.value ?? 0 > 0)
                    let text = host.metrics()
                    let session = try host.session(nil)
                    let secrets = session.secrets.withLock { [$0.psk.exposed(), $0.identity?.seed.exposed() ?? []] }
                    let hidden = [
                        "Xylophone", "Anastasia", "Balalaika", "Marimba", session.replica.own.person.description,
                    ]
                    for word in hidden + secrets.map({ Base32.encode($0) }) {
                        #expect(!text.contains(word), "\(word)")
                    }
                }
                // Bytes of a link that has ended still count.
                let after = try Self.parse(host.metrics())
                #expect(value(after, "mingle_received_bytes_total") ?? 0 > 100)
            }
        }
    }

    @Test func `a file that is no picture is no fault of the node's`() async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/host") { host in
                _ = try await host.createEvent(title: "Party")
                for (name, text) in [("text.jpg", "No picture."), ("empty.jpg", "")] {
                    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
                    let upload = PhotoUpload(path: "\(folder)/\(name)", name: name)
                    let refusal = try await problem { _ = try await host.addPhoto(upload, event: nil) }
                    #expect(refusal.name == .notAPicture)
                }
                #expect(value(try Self.parse(host.metrics()), "mingle_errors_total") == 0)
            }
        }
    }

    @Test func `labels and help are escaped`() throws {
        var text = PrometheusText()
        text.add("a_b", .gauge, "One\\two\nthree.", [.init(labels: [("c", "d\"e\\f\ng")], value: 1.5)])
        let families = try Self.parse(text.text)
        #expect(families["a_b"]?.help == "One\\\\two\\nthree.")
        #expect(families["a_b"]?.samples.first?.labels == ["c": "d\\\"e\\\\f\\ng"])
        #expect(families["a_b"]?.samples.first?.value == 1.5)
        text.add("empty", .gauge, "Nothing.", [])
        #expect(!text.text.contains("empty"))
    }

    @Test func `health says why a node cannot do its work`() async throws {
        try await withTemporaryFolder { folder in
            let node = try openNode(folder + "/node")
            #expect(!node.health().ready && node.health().reasons.count == 1)
            try await node.listen()
            #expect(node.health().ready && node.health().reasons == [])
        }
    }
}
