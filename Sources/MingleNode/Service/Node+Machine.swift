// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import MingleAPI
import MingleModel
import Synchronization

/// What `mingle doctor` looks at of the machine besides.
extension Node {
    /// When this version was made; a clock that is behind that is wrong.
    private static let epoch = Date(timeIntervalSince1970: 1_767_225_600)

    /// Seconds after which a backup is old.
    private static let longestWithoutBackup: TimeInterval = 7 * 86_400

    /// Whether all that the node keeps is its user's, and no other user's program has left files in it.
    func ownerCheck() -> API.Check {
        let own = geteuid()
        // What came in just now has been renamed since, and is nobody's.
        let foreign = DataFolder.contents(of: folder.path).filter { path in
            NodeFolder.owner(of: path).map { $0 != own } ?? false
        }
        guard let first = foreign.first else {
            return API.Check(id: "data.owner", status: "pass", detail: "All files belong to this user.")
        }
        return API.Check(
            id: "data.owner",
            status: "fail",
            detail:
                "\(folder.path) holds \(foreign.count.counted("file")) of another user, for example \(first). The node was once "
                + "started as another user.",
            fix: "chown -R \(own):\(getegid()) \(folder.path)"
        )
    }

    /// Whether what is on its way has room.
    func roomCheck() -> API.Check {
        let wanted = state.withLock { Array($0.sessions.values) }.reduce(0) { $0 + $1.wanted.totals.bytes }
        let free = SafeFile.freeBytes(at: folder.path) ?? 0
        let detail = "\(wanted >> 20) MiB of pictures are on their way, and \(free >> 20) MiB are free."
        guard wanted + DiskRoom.reserve > free else {
            return API.Check(id: "disk.room", status: "pass", detail: detail)
        }
        return API.Check(
            id: "disk.room",
            status: "warn",
            detail: detail,
            fix: "Free some space. The transfer then continues by itself."
        )
    }

    /// Whether the last backup is recent, if backups are made at all.
    func backupCheck(now: Date = Date()) -> API.Check {
        guard let last = folder.backupRecord?.last else {
            return API.Check(
                id: "backup.age",
                status: "skip",
                detail: "No complete backup was made. To make one: mingle backup FOLDER"
            )
        }
        let detail = "The last complete backup was made at \(last.formatted(.iso8601))."
        guard now.timeIntervalSince(last) > Self.longestWithoutBackup else {
            return API.Check(id: "backup.age", status: "pass", detail: detail)
        }
        return API.Check(
            id: "backup.age",
            status: "warn",
            detail: detail,
            fix: "Run mingle backup FOLDER. If a timer does that, its log says why it failed."
        )
    }

    /// Whether the clock is set at all: what people share is shown at the time that it says.
    func clockCheck() -> API.Check {
        let now = Date(milliseconds: clock.now().milliseconds)
        guard now > Self.epoch else {
            return API.Check(
                id: "clock.set",
                status: "fail",
                detail: "The clock says \(now.formatted(.iso8601)), which is in the past.",
                fix: "Set the clock: timedatectl set-time 'YYYY-MM-DD HH:MM'"
            )
        }
        return API.Check(id: "clock.set", status: "pass", detail: "The clock says \(now.formatted(.iso8601)).")
    }

    /// Whether the peer port is the one that was asked for.
    func fixedPortCheck() -> API.Check {
        guard let wanted = configuration.peerPort, wanted > 0 else {
            return API.Check(
                id: "network.fixed-port",
                status: "skip",
                detail: "No fixed port was set with --peer-port."
            )
        }
        guard peerPort == wanted else {
            return API.Check(
                id: "network.fixed-port",
                status: "fail",
                detail: "The node listens on port \(peerPort), not \(wanted).",
                fix: "Stop the program that uses port \(wanted). To find it: ss -ltnp 'sport = :\(wanted)'"
            )
        }
        return API.Check(id: "network.fixed-port", status: "pass", detail: "The node listens on port \(wanted).")
    }

    /// What keeps an event's nodes apart that are seen on the network and do not answer.
    func isolation(of event: EventID) -> API.Check? {
        let silent = state.withLock { $0.dialling.silentCount(of: event) }
        guard silent > 0 else { return nil }
        return API.Check(
            id: "event.\(event.description.prefix(8)).peers",
            status: "warn",
            detail:
                "\(silent.counted("node of the event is", "nodes of the event are")) visible on the network, but connections "
                + "fail. Client isolation of the Wi-Fi or a firewall blocks them.",
            fix:
                "Switch off client isolation at the access point, allow TCP port \(peerPort) (ufw allow \(peerPort)/tcp), or "
                + "connect a relay by cable."
        )
    }
}

extension DataFolder {
    /// Files that are looked at.
    private static let looked = 10_000

    /// The paths of what a data folder holds, the folder itself first.
    static func contents(of path: String) -> [String] {
        let found = FileManager.default.enumerator(atPath: path)
        var paths = [path]
        while paths.count < looked, let name = found?.nextObject() as? String { paths.append(path + "/" + name) }
        return paths
    }
}
