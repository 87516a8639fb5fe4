// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleReplica
import SystemPackage

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
    /// Bytes that a manifest takes at most: as much as some 300 000 photos need.
    private static let limit = 256 << 20
    /// Bytes of one file at most.
    private static let sizeLimit = 1 << 40

    /// The form of the backup.
    let format: Int
    /// The version and commit of the program that wrote it.
    let version: String
    /// The version of its databases.
    let schema: Int
    let created: Date
    /// The events in it, by id.
    let events: [String]
    let files: [File]
    /// What was left out, and why.
    let skipped: [String]

    /// Bytes of all files.
    var bytes: Int { files.reduce(0) { $0 + $1.size } }

    /// Reads a backup's manifest.
    ///
    /// - Throws: `API.Problem` for a folder that holds no backup, and for a backup of another version.
    init(of backup: String) throws {
        let path = backup + "/" + Self.name
        let data: Data
        do {
            data = Data(try CopiedFile.bytes(of: path, limit: Self.limit))
        } catch let failure as FileFailure {
            switch failure.reason {
            case .noSuchFileOrDirectory, .notDirectory: throw Self.none(backup)
            case .invalidArgument, .tooManySymbolicLinkLevels: throw Self.damaged(path)
            default: throw API.Problem(failure)
            }
        }
        // Another version may have written members that this version cannot read.
        struct Form: Codable {
            let format: Int
            let version: String
            let schema: Int
        }
        guard let form = try? API.decode(Form.self, from: data) else { throw Self.damaged(path) }
        guard form.format == Self.currentFormat, form.schema == Replica.schemaVersion else {
            throw Self.otherVersion(backup, form.version)
        }
        guard let manifest = try? API.decode(Self.self, from: data) else { throw Self.damaged(path) }
        guard manifest.files.allSatisfy({ (0...Self.sizeLimit).contains($0.size) }) else { throw Self.damaged(path) }
        self = manifest
    }

    /// Lists what a backup holds.
    init(events: [String], files: [File], skipped: [String]) {
        (format, version, schema) = (Self.currentFormat, Node.build, Replica.schemaVersion)
        (created, self.events, self.files, self.skipped) = (Date(), events, files, skipped)
    }

    /// Writes it to a backup's folder.
    func write(to backup: String) throws {
        let bytes = [UInt8](try API.encode(self))
        guard bytes.count <= Self.limit else {
            throw API.Problem(
                .tooLarge,
                "The backup would have \(files.count) files, which is more than its list can hold."
            )
        }
        try SafeFile.write(bytes, to: backup + "/" + Self.name)
    }

    private static func none(_ backup: String) -> API.Problem {
        API.Problem(
            .notFound,
            "\(backup) is not a backup because it has no \(name). Give a folder that `mingle backup` has made. An interrupted "
                + "backup has no \(name)."
        )
    }

    private static func damaged(_ path: String) -> API.Problem {
        API.Problem(
            .damaged,
            "\(path) is damaged. Use another backup, or join the events again to fetch them from others."
        )
    }

    private static func otherVersion(_ backup: String, _ version: String) -> API.Problem {
        API.Problem(
            .conflict,
            "The backup \(backup) was made by another version of Mingle (\(version)), and this one (\(Node.build)) cannot "
                + "read it. Restore it with the version that made it."
        )
    }
}
