// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleReplica

/// What a backup holds: `manifest.json` in its folder, written last.
struct BackupManifest: Codable {
    /// One file of a backup.
    struct File: Codable {
        /// Where it is in the folder.
        let path: String
        let size: Int
        /// Its sum, in base32.
        let sum: String
    }

    /// The form of backups that this version writes and reads.
    static let currentFormat = 1
    static let name = "manifest.json"

    /// The form of the backup.
    let format: Int
    /// The version of the program that wrote it.
    let version: String
    /// The version of its databases.
    let schema: Int
    let created: Date
    /// The events in it, by id.
    let events: [String]
    let files: [File]

    /// Reads a backup's manifest.
    ///
    /// - Throws: `API.Problem` for a folder that is no backup, and for one of a newer version.
    init(of backup: String) throws {
        let path = backup + "/" + Self.name
        guard let data = FileManager.default.contents(atPath: path) else {
            throw API.Problem(
                .badRequest,
                "\(backup) is no backup: it has no \(Self.name). Name the folder that `mingle backup` has made; one that was "
                    + "cut short has none."
            )
        }
        // Newer forms may hold what this version cannot read.
        struct Form: Codable {
            let format: Int
            let version: String
        }
        guard let form = try? API.decode(Form.self, from: data) else { throw Self.damaged(path) }
        guard form.format <= Self.currentFormat else { throw Self.newer(backup, form.version) }
        guard let manifest = try? API.decode(Self.self, from: data) else { throw Self.damaged(path) }
        guard manifest.schema <= Replica.schemaVersion else { throw Self.newer(backup, form.version) }
        self = manifest
    }

    init(events: [String], files: [File]) {
        (format, version, schema) = (Self.currentFormat, Node.version, Replica.schemaVersion)
        (created, self.events, self.files) = (Date(), events, files)
    }

    private static func damaged(_ path: String) -> API.Problem {
        API.Problem(.badRequest, "\(path) is damaged: take another backup, or fetch the events anew from others.")
    }

    private static func newer(_ backup: String, _ version: String) -> API.Problem {
        API.Problem(
            .conflict,
            "The backup \(backup) was made by Mingle \(version), which is newer than this one (\(Node.version)). "
                + "Install that version, then restore."
        )
    }
}
