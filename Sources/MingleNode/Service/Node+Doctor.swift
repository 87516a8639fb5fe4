// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MingleAPI
import MingleDiscovery
import MingleEvent
import MingleModel
import Synchronization

extension Node {
    /// Looks at everything that commonly stands in the way, and says how to mend it.
    package func doctor() -> API.Envelope.Doctor {
        API.Envelope.Doctor(
            checks: [dataCheck(), ownerCheck(), diskCheck(), roomCheck(), backupCheck(), clockCheck()]
                + [clocks.check].compactMap(\.self) + [portCheck(), fixedPortCheck(), addressCheck(), discoveryCheck()]
                + (configuration.relay == nil ? toolChecks() : relayChecks()) + unopenedChecks()
                + eventChecks() + lockedChecks() + quotaChecks() + wrongSlotChecks()
        )
    }

    private func dataCheck() -> API.Check {
        let mode = (try? FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions] as? Int) ?? 0
        guard mode & 0o077 == 0 else {
            return API.Check(
                id: "data.private",
                status: "warn",
                detail: "Other users of this machine can read \(folder.path).",
                fix: "chmod 700 \(folder.path)"
            )
        }
        return API.Check(id: "data.private", status: "pass", detail: "\(folder.path) is private.")
    }

    private func diskCheck() -> API.Check {
        guard let free = SafeFile.freeBytes(at: folder.path) else {
            return API.Check(id: "disk.free", status: "skip", detail: "The free disk space is unknown.")
        }
        let detail = "\(free >> 20) MiB are free."
        guard free > 1 << 30 else {
            return API.Check(
                id: "disk.free",
                status: "warn",
                detail: detail,
                fix: "Free some disk space for the photos of others."
            )
        }
        return API.Check(id: "disk.free", status: "pass", detail: detail)
    }

    private func portCheck() -> API.Check {
        let port = peerPort
        guard port > 0 else {
            return API.Check(
                id: "network.port",
                status: "fail",
                detail: "The node does not listen for other nodes.",
                fix: "Restart the node."
            )
        }
        return API.Check(id: "network.port", status: "pass", detail: "Other nodes reach this node on TCP port \(port).")
    }

    private func addressCheck() -> API.Check {
        Self.addressCheck(LocalAddresses.hints(port: peerPort), version6: LocalAddresses.hosts6())
    }

    /// Whether others can reach an address of this machine.
    ///
    /// - Parameters:
    ///   - hints: IPv4 addresses, which invitations contain.
    ///   - version6: IPv6 addresses.
    static func addressCheck(_ hints: [String], version6: [String]) -> API.Check {
        guard !hints.isEmpty || !version6.isEmpty else {
            return API.Check(
                id: "network.address",
                status: "fail",
                detail: "This machine has no address on a network.",
                fix: "Join the venue's Wi-Fi or plug in a cable."
            )
        }
        let detail =
            hints.isEmpty
            ? "\(version6.joined(separator: ", ")): only nodes on this network that use mDNS find this one."
            : hints.joined(separator: ", ")
        return API.Check(id: "network.address", status: "pass", detail: detail)
    }

    private func discoveryCheck() -> API.Check {
        guard configuration.discovers else {
            return API.Check(
                id: "mdns.avahi",
                status: "skip",
                detail: "This node does not look for others because it was started with --no-discovery."
            )
        }
        return switch state.withLock({ $0.discovery }) {
        case .running: API.Check(id: "mdns.avahi", status: "pass", detail: "Avahi answers.")
        case .absent(let reason):
            API.Check(
                id: "mdns.avahi",
                status: "warn",
                detail: "This node cannot find others nearby: \(reason)",
                fix: "Start avahi-daemon, or give addresses with --peer HOST:PORT."
            )
        }
    }

    private func relayChecks() -> [API.Check] {
        let warnings = relayWarnings()
        guard warnings.isEmpty else {
            return warnings.map { API.Check(id: "relay.links", status: "fail", detail: $0) }
        }
        return [API.Check(id: "relay.links", status: "pass", detail: "No event refuses this relay.")]
    }

    private func toolChecks() -> [API.Check] {
        let tools = [
            (name: "vips", package: "libvips-tools", status: "fail", use: "photos"),
            (name: "ffmpeg", package: "ffmpeg", status: "warn", use: "clips"),
        ]
        return tools.map { tool, package, status, use in
            guard FileManager.default.isExecutableFile(atPath: "/usr/bin/\(tool)") else {
                return API.Check(
                    id: "tool.\(tool)",
                    status: status,
                    detail: "\(tool) is not installed, so \(use) cannot be shared.",
                    fix: "apt install \(package)"
                )
            }
            return API.Check(id: "tool.\(tool)", status: "pass", detail: "\(tool) is installed.")
        }
    }

    /// Which events hold what this device cannot read, as its key has not come.
    private func lockedChecks() -> [API.Check] {
        state.withLock { Array($0.sessions.values) }.sorted { $0.event < $1.event }.compactMap { session in
            guard !session.isRelay, let locked = try? session.service.locked() else { return nil }
            let unlockers = locked.flatMap(\.unlockers).reduce(into: [API.Person]()) { people, person in
                if !people.contains(where: { $0.id == person.id }) { people.append(person) }
            }
            return API.Check(
                id: "event.\(session.event.description.prefix(8)).locked",
                status: "warn",
                detail: "\(locked.words) because the key has not arrived.",
                fix: "Connect to one of these people: \(unlockers.map(\.name).joined(separator: ", "))"
            )
        }
    }

    /// Which events could not be opened, why, and what to do.
    private func unopenedChecks() -> [API.Check] {
        let (events, warnings) = state.withLock { ($0.unopened.sorted(), $0.warnings) }
        return events.compactMap { event in
            let reason = warnings.first { $0.hasPrefix(Self.unopenedWarning(event)) }
            return reason.map {
                API.Check(id: "event.\(event.description.prefix(8)).open", status: "fail", detail: $0)
            }
        }
    }

    /// Why nobody is there, event by event.
    private func eventChecks() -> [API.Check] {
        state.withLock { Array($0.sessions.values) }.sorted { $0.event < $1.event }.map { session in
            let id = "event.\(session.event.description.prefix(8)).peers"
            if let reason = session.shutOut {
                return API.Check(
                    id: id,
                    status: "fail",
                    detail: "The others do not let you in: \(reason).",
                    fix: session.wayBackIn
                )
            }
            let count = session.roster.present.count
            guard count == 0 else {
                let others = count.counted("other of the event is", "others of the event are")
                return API.Check(id: id, status: "pass", detail: "\(others) connected.")
            }
            return isolation(of: session.event)
                ?? API.Check(
                    id: id,
                    status: "warn",
                    detail: "No other participant of the event is connected.",
                    fix:
                        "Use the same network. If the venue's Wi-Fi keeps devices apart (client isolation), start with --peer "
                        + "HOST:PORT of a node that can be reached, or share a hotspot."
                )
        }
    }
}

extension [API.Locked] {
    /// How much is locked, in words.
    package var words: String {
        let count = reduce(0) { $0 + $1.count }
        return count == 1 ? "1 thing is locked" : "\(count) things are locked"
    }
}
