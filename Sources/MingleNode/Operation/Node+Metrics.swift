// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleDiscovery
import MingleMedia
import MingleModel
import MingleReplica
import MingleSync
import MingleWire
import Synchronization

extension Node {
    /// The type of ``metrics()`` in HTTP.
    package static var metricsType: String { PrometheusText.contentType }

    /// How the node is, in numbers for Prometheus.
    ///
    /// An event is named by the first eight letters of its id and a peer by those of its device: no names, titles or keys.
    package func metrics() -> String {
        var text = PrometheusText()
        let sessions = state.withLock { $0.sessions }.sorted { $0.key < $1.key }.map { EventNumbers($0.value) }
        addProcess(to: &text)
        addNode(to: &text)
        for family in EventNumbers.families {
            text.add(family.name, family.kind, family.help, sessions.flatMap(family.samples))
        }
        return text.text
    }

    private func addProcess(to text: inout PrometheusText) {
        let usage = ProcessUsage()
        text.add(
            "mingle_build_info",
            .gauge,
            "The program's version. Always 1.",
            [.init(labels: [("version", Self.version)], value: 1)]
        )
        text.add(
            "process_start_time_seconds",
            .gauge,
            "Start time of the node in seconds since 1970.",
            started.timeIntervalSince1970
        )
        text.add("process_cpu_seconds_total", .counter, "Processor time used.", usage.cpuSeconds)
        text.add("process_resident_memory_bytes", .gauge, "Memory in use.", Double(usage.residentBytes))
        text.add("process_open_fds", .gauge, "Open files and sockets.", Double(usage.openFiles))
    }

    private func addNode(to text: inout PrometheusText) {
        let (events, unopened, discovery) = state.withLock { ($0.sessions.count, $0.unopened.count, $0.discovery) }
        let (counts, traffic) = (transport.counts, transport.traffic)
        let numbers: [(String, PrometheusText.Kind, String, Int)] = [
            ("mingle_events", .gauge, "Events that are open.", events),
            ("mingle_events_unopened", .gauge, "Events that could not be opened.", unopened),
            (
                "mingle_connections", .gauge, "Connections to other nodes, handshakes included.",
                counts.connections
            ),
            (
                "mingle_connections_unadmitted", .gauge, "Incoming connections that have not finished the handshake.",
                counts.unauthenticated
            ),
            ("mingle_connections_refused_total", .counter, "Connections that this node refused.", counts.refused),
            (
                "mingle_handshakes_failed_total", .counter, "Connections that ended during the handshake.",
                counts.failedHandshakes
            ),
            (
                "mingle_hung_up_total", .counter,
                "Connections that this node closed because of what the other side sent.",
                state.withLock { $0.hungUp.count }
            ),
            ("mingle_received_bytes_total", .counter, "Bytes of messages from other nodes.", Int(traffic.bytesIn)),
            ("mingle_sent_bytes_total", .counter, "Bytes of messages to other nodes.", Int(traffic.bytesOut)),
            (
                "mingle_disk_free_bytes", .gauge, "Free bytes on the disk of the data folder.",
                SafeFile.freeBytes(at: folder.path) ?? 0
            ),
            (
                "mingle_backup_last_success_timestamp_seconds", .gauge,
                "Start time of the last complete backup in seconds since 1970. 0 if there was none.",
                Int(folder.backupRecord?.last?.timeIntervalSince1970 ?? 0)
            ),
            (
                "mingle_clock_ahead_seconds", .gauge,
                "Seconds by which this machine's clock is ahead of most others. 0 if most agree with it.",
                Int(clocks.ahead ?? 0)
            ),
            ("mingle_discovery_up", .gauge, "1 while Avahi answers.", discovery.isRunning ? 1 : 0),
        ]
        for (name, kind, help, value) in numbers { text.add(name, kind, help, Double(value)) }
    }
}

extension DiscoveryState {
    fileprivate var isRunning: Bool { if case .running = self { true } else { false } }
}

/// The numbers of one event, taken at one time.
private struct EventNumbers {
    struct Family {
        let name: String
        let kind: PrometheusText.Kind
        let help: String
        let samples: @Sendable (EventNumbers) -> [PrometheusText.Sample]
    }

    let event: String
    let directions: [Bool]
    let lag: SyncLag
    let deltas: Int
    let blobs: (held: Int, storedBytes: Int, wantedBytes: Int)
    let databaseBytes: Int
    let isFull: Bool
    let isShutOut: Bool
    let tally: Tally.Counts

    init(_ session: EventSession) {
        event = String(session.event.description.prefix(8))
        directions = session.roster.all.map(\.1.isIncoming)
        lag = session.lag
        deltas = Int((try? session.counts.counts(of: session.replica).deltas) ?? 0)
        blobs = (session.blobs.completeCount, Int(session.blobs.storedBytes), session.wanted.totals.bytes)
        let attributes = try? FileManager.default.attributesOfItem(atPath: session.files.database)
        databaseBytes = attributes?[.size] as? Int ?? 0
        isFull = session.room.withLock { $0.isFull }
        isShutOut = session.shutOut != nil
        tally = session.tally.counts
    }

    private var label: [(name: String, value: String)] { [("event", event)] }

    /// A family with one number an event.
    private static func one(
        _ name: String,
        _ kind: PrometheusText.Kind,
        _ help: String,
        _ value: @escaping @Sendable (EventNumbers) -> Int
    ) -> Family {
        Family(name: name, kind: kind, help: help) { [.init(labels: $0.label, value: Double(value($0)))] }
    }

    /// A family with one number a peer.
    private static func each(
        _ name: String,
        _ help: String,
        _ value: @escaping @Sendable (SyncLag.Share) -> Int
    ) -> Family {
        Family(name: name, kind: .gauge, help: help) { numbers in
            numbers.devices.map { device, share in
                .init(labels: numbers.label + [("peer", device)], value: Double(value(share)))
            }
        }
    }

    /// What peers have that this node lacks, by device; one that is linked twice is named once.
    private var devices: [(String, SyncLag.Share)] {
        var shares: [String: SyncLag.Share] = [:]
        for (_, share) in lag.peers {
            guard let device = share.device else { continue }
            shares[String(device.description.prefix(8))] = share
        }
        return shares.sorted { $0.key < $1.key }
    }

    static let families: [Family] = [
        Family(name: "mingle_event_connections", kind: .gauge, help: "Connections of an event by direction.") {
            numbers in
            [("in", true), ("out", false)].map { word, isIncoming in
                .init(
                    labels: numbers.label + [("direction", word)],
                    value: Double(numbers.directions.count { $0 == isIncoming })
                )
            }
        },
        each("mingle_peer_lag_journals", "Journals of which a peer holds more than this node.", \.journals),
        each("mingle_peer_lag_deltas", "Deltas that a peer holds and this node lacks, at least.", \.deltas),
        each("mingle_peer_lag_blobs", "Missing blobs that a peer holds completely or in part.", \.blobs),
        one("mingle_deltas", .gauge, "Deltas that this node holds.", \.deltas),
        one(
            "mingle_deltas_missing",
            .gauge,
            "Deltas that some peer holds and this node lacks, at least.",
            \.lag.deltas
        ),
        one("mingle_payloads_missing", .gauge, "Payloads still to fetch.", \.lag.payloads),
        one("mingle_blobs_held", .gauge, "Blobs that this node holds completely.", \.blobs.held),
        one("mingle_blobs_wanted", .gauge, "Blobs still to fetch.", \.lag.blobs),
        one("mingle_blobs_wanted_bytes", .gauge, "Bytes of blobs still to fetch.", \.blobs.wantedBytes),
        one("mingle_blobs_stored_bytes", .gauge, "Bytes of blobs on the disk.", \.blobs.storedBytes),
        one("mingle_database_bytes", .gauge, "Bytes of the event's database, without its log.", \.databaseBytes),
        one("mingle_disk_full", .gauge, "1 while fetching is paused because the disk is full.") { $0.isFull ? 1 : 0 },
        one("mingle_shut_out", .gauge, "1 while no peer is connected and one has refused this node.") {
            $0.isShutOut ? 1 : 0
        },
        one("mingle_deltas_merged_total", .counter, "Deltas received from other nodes or written here.") {
            $0.tally.mergedDeltas
        },
        one("mingle_runs_refused_total", .counter, "Runs of deltas that could not be merged.", \.tally.refusedRuns),
        one("mingle_errors_total", .counter, "Storage failures.", \.tally.errors),
        Family(
            name: "mingle_merge_duration_seconds",
            kind: .histogram,
            help: "Duration of transactions that merge received data."
        ) {
            PrometheusText.Sample.histogram($0.tally.merges, labels: $0.label)
        },
        Family(
            name: "mingle_scrub_duration_seconds",
            kind: .histogram,
            help: "Duration of scrubs, which remove deleted data from the files."
        ) {
            PrometheusText.Sample.histogram($0.tally.scrubs, labels: $0.label)
        },
    ]
}
