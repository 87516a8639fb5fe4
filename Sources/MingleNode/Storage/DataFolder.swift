// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import MingleAPI
import MingleCrypto
import MingleModel
import SystemPackage

/// What a data folder is for: keys that serve one purpose serve no other.
package enum FolderUse: Sendable {
    /// Somebody takes part by it.
    case person
    /// It carries events and reads nothing.
    case relay
    /// It shows an event to people who have no node.
    case door
}

/// All that a node keeps: one folder, locked by the process that uses it.
///
/// `node.json` holds what is not of one event; `events/ID/` one event's keys, replica and blobs; `node.sock` the command
/// line's way in.
package final class DataFolder: Sendable {
    /// What is not of one event.
    struct Settings: Codable, Equatable {
        /// The name that new profiles get.
        var name: String?
        /// The person's last name, which no record has.
        var lastName: String?
        /// The person's address for mail, likewise.
        var email: String?
        /// The event that is shown.
        var current: String?
        /// The port on which peers find this node, so that links stay good after a restart.
        var port: UInt16?
        /// The door that runs beside this node; nil: none.
        var door: OpenedDoor?
    }

    /// The folder.
    package let path: String
    private let lock: FileDescriptor
    /// Encrypts the keys of events; nil if they are not encrypted.
    let keysKey: Secret?

    /// What is in a folder that a node has used, or that was restored for one.
    private static let marks = ["node.lock", "node.json"]
    /// What a node empties when it starts, and somebody else may have called so, too.
    private static let emptied = ["uploads", "importing"]
    /// What a node counts as its own in its folder, or deletes.
    private static let parts = ["events", "unfinished", ".restoring"] + emptied

    /// Whether a folder is one of Mingle's already.
    package static func isOne(_ path: String) -> Bool { holds(path, marks) != nil }

    /// The first of some names that a folder has.
    private static func holds(_ path: String, _ names: [String]) -> String? {
        names.first { SafeFile.isThere("\(path)/\($0)") }
    }

    /// Refuses a folder in which a node would delete what is somebody else's, or another node what this one keeps.
    private static func requireOwn(_ path: String) throws(DataFolderError) {
        if holds(path, marks) == nil, let other = holds(path, emptied) {
            let detail = "it contains \(other), which Mingle did not make and would empty"
            throw .unusable(path, detail: detail)
        }
        if let part = part(holding: path) {
            throw .unusable(path, detail: "it lies in \(part), which belongs to another node")
        }
    }

    /// The part of a node's folder in which a place lies, by whatever name, or would lie; nil if in none.
    static func part(holding place: String) -> String? {
        var folder = URL(fileURLWithPath: SafeFile.resolved(place))
        while folder.path != "/" {
            let (part, name) = (folder.path, folder.lastPathComponent)
            folder = folder.deletingLastPathComponent()
            if parts.contains(name), holds(folder.path, marks) != nil { return part }
        }
        return nil
    }

    /// Opens the folder, making it where there is none.
    ///
    /// - Parameter passphrase: That of encrypted keys.
    package init(_ path: String, passphrase: Passphrase? = nil) throws(DataFolderError) {
        let full = URL(fileURLWithPath: path).standardizedFileURL.path
        self.path = full
        // The address of a Unix socket has 108 bytes, the last of them zero.
        let room = 107 - (NodeFolder.socketPath(in: full).utf8.count - full.utf8.count)
        guard full.utf8.count <= room else {
            let detail = "its path is longer than \(room) bytes, the limit for the node's socket"
            throw .unusable(full, detail: detail)
        }
        if let owner = NodeFolder.otherOwner(of: full) { throw .foreign(full, owner: owner) }
        try Self.requireOwn(full)
        lock = try Self.lock(full)
        do {
            keysKey = try Self.unlockKeys(in: full, passphrase)
        } catch {
            try? lock.close()
            throw error
        }
    }

    /// Locks a folder, and empties what is temporary in it.
    private static func lock(_ path: String) throws(DataFolderError) -> FileDescriptor {
        let lock: FileDescriptor
        do {
            try SafeFile.makeFolder(path + "/events")
            lock = try FileDescriptor.open(
                FilePath(path + "/node.lock"),
                .readWrite,
                options: [.create, .closeOnExec],
                permissions: [.ownerRead, .ownerWrite]
            )
        } catch {
            throw .unusable(path, detail: SafeFile.phrase(of: error))
        }
        // A restore that failed may have removed the folder since the file was opened: that lock would keep nobody out.
        guard flock(lock.rawValue, LOCK_EX | LOCK_NB) == 0, isName(path + "/node.lock", of: lock) else {
            try? lock.close()
            throw .inUse(path)
        }
        // Uploads that a crash left behind are of no use to anybody.
        try? FileManager.default.removeItem(atPath: path + "/uploads")
        try? SafeFile.makeFolder(path + "/uploads")
        do {
            // What a restore leaves that was cut short holds keys: they must not stay unnoticed.
            try SafeFile.removeIfThere(restoringPath(in: path))
        } catch {
            try? lock.close()
            throw .unusable(path, detail: SafeFile.phrase(of: error))
        }
        return lock
    }

    /// Whether an open file is still the one that has a name.
    static func isName(_ path: String, of file: FileDescriptor) -> Bool {
        guard let open = try? Stat(file), let named = try? Stat(FilePath(path)) else { return false }
        return open.inode == named.inode && open.deviceID == named.deviceID
    }

    deinit { try? lock.close() }

    /// Lets another node have the folder; it is not to be used from here on.
    func unlock() { _ = flock(lock.rawValue, LOCK_UN) }

    /// The command line's way in.
    package var socketPath: String { NodeFolder.socketPath(in: path) }

    /// What a restore fills before it is put in its place.
    static func restoringPath(in path: String) -> String { path + "/.restoring" }

    func loadSettings() -> Settings {
        guard let data = FileManager.default.contents(atPath: path + "/node.json") else { return Settings() }
        return (try? JSONDecoder().decode(Settings.self, from: data)) ?? Settings()
    }

    func save(_ settings: Settings) throws {
        try SafeFile.write([UInt8](JSONEncoder().encode(settings)), to: path + "/node.json")
    }

    /// The folder of one event.
    func eventPath(_ event: EventID) -> String { "\(path)/events/\(event)" }

    /// The files of one event.
    func files(of event: EventID) -> EventFiles { EventFiles(eventPath(event), keysKey: keysKey) }

    /// Deletes an event's folder, if there is one.
    ///
    /// It goes by one change of its name to where each start looks for remains: of half a folder some file would be missed, and keys
    /// would stay.
    func delete(_ event: EventID) throws {
        guard FileManager.default.fileExists(atPath: eventPath(event)) else { return }
        let parting = "\(path)/uploads/left-\(event)"
        try SafeFile.makeFolder(path + "/uploads")
        try SafeFile.removeIfThere(parting)
        try FileManager.default.moveItem(atPath: eventPath(event), toPath: parting)
        try SafeFile.removeIfThere(parting)
    }

    /// The events that have a folder.
    func events() -> [EventID] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path + "/events")) ?? []
        return names.sorted().compactMap { EventID(text: $0) }
    }

    /// The same: first the current one, then those whose database was written to last.
    func events(current: EventID?) -> [EventID] {
        let events = events()
        let times = events.map { event in
            let database = EventFiles(eventPath(event)).database
            // What was written since the log was last taken over is in the log.
            let files = [database, database + "-wal"].compactMap { path in
                try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
            }
            return event == current ? .distantFuture : files.max() ?? .distantPast
        }
        return zip(events, times).sorted { $0.1 == $1.1 ? $0.0 < $1.0 : $0.1 > $1.1 }.map(\.0)
    }

    /// The event of an id, or all events where none is named, also those that could not be opened.
    ///
    /// - Throws: `API.Problem`: `notFound` for one that has no folder here.
    func events(_ id: String?) throws -> [EventID] {
        let known = events()
        guard let id else { return known }
        guard let event = EventID(text: id), known.contains(event) else {
            throw API.Problem(
                .notFound,
                "This node has no event with the id \(id.prefix(60)). List its events: mingle event list."
            )
        }
        return [event]
    }
}
