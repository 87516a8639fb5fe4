// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleCrypto
import MingleModel

/// Where the parts of one event lie.
struct EventFiles {
    /// What the parts are called, in the event's folder as in a backup.
    enum Part: String {
        case secrets = "secrets.json"
        case database = "replica.sqlite"
        case blobs
        /// Of a door alone: what lets people in.
        case door = "door.json"
        /// Of a door alone: a file for each guest.
        case guests
    }

    /// Bytes of pictures that are read in the time of one byte of a database.
    private static let databaseWorth = 32

    /// The event's folder.
    let folder: String

    /// The key under which the device's keys are encrypted; nil if they are not.
    let keysKey: Secret?

    /// Names the parts of a folder.
    init(_ folder: String, keysKey: Secret? = nil) { (self.folder, self.keysKey) = (folder, keysKey) }

    /// The device's keys.
    var secrets: String { self[.secrets] }
    /// The replica.
    var database: String { self[.database] }
    /// A folder with a file for each blob.
    var blobs: String { self[.blobs] }

    /// What lets people in at a door.
    var door: String { self[.door] }
    /// A folder with a file for each guest of a door.
    var guests: String { self[.guests] }

    /// The files of a door: its code and its guests.
    var doorFiles: [String] {
        let guests = (try? FileManager.default.contentsOfDirectory(atPath: guests)) ?? []
        return (FileManager.default.fileExists(atPath: door) ? [door] : [])
            + guests.filter { $0.hasSuffix(".json") }.sorted().map { "\(self.guests)/\($0)" }
    }

    /// An empty file, there once a member told of all people whom it does not let in: see ``EventSession/wasHeard``.
    var heard: String { "\(folder)/heard" }

    /// The file of one blob.
    func path(of blob: BlobName) -> String { "\(blobs)/\(blob)" }

    /// Bytes that looking at all of it is worth: to work records out takes much longer than to read as much of a picture.
    var bytesToLookAt: Int { blobNames.reduce(databaseWorth) { $0 + bytes(of: "\(blobs)/\($1)") } }

    /// Bytes that the database is worth among these.
    var databaseWorth: Int { Self.databaseWorth * bytes(of: database) }

    private var blobNames: [String] { (try? FileManager.default.contentsOfDirectory(atPath: blobs)) ?? [] }

    private func bytes(of file: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int) ?? 0
    }

    private subscript(part: Part) -> String { "\(folder)/\(part.rawValue)" }

    /// Whether more than these lies there, or nobody can tell: a repair sets aside what it could not read.
    var hasMore: Bool {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return true }
        let usual = [secrets, blobs, heard, door, guests, database, database + "-wal", database + "-shm"]
        return !Set(names.map { "\(folder)/\($0)" }).isSubset(of: usual)
    }
}
