// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleModel
import MingleReplica
import SystemPackage

/// What a backup holds: `manifest.json` in its folder, or `manifest.sealed` in an encrypted one; written last.
struct BackupManifest: Codable {
    /// One file of a backup.
    struct File: Codable {
        /// Where it lies in a data folder, and in a backup that is not encrypted.
        let path: String
        /// Bytes of its content.
        let size: Int
        /// The sum of its content, in base32.
        let sum: String
        /// When the node last wrote a file that only damage or repair changes, in nanoseconds since 1970.
        var modified: Int64?
        /// Its random name in an encrypted backup.
        var stored: String?

        /// Where it lies in its backup.
        var place: String { stored.map { "\(BackupManifest.storedFolder)/\($0)" } ?? path }
    }

    /// The form of backups that this version writes and reads.
    static let currentFormat = 2
    static let name = "manifest.json"
    static let sealedName = "manifest.sealed"
    /// The folder of an encrypted backup that has its files.
    static let storedFolder = "files"
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
    /// The node that made it: ``BackupRecord/node``.
    let node: String
    let created: Date
    /// The events in it, by id.
    let events: [String]
    let files: [File]
    /// What was left out, and why.
    let skipped: [String]

    /// Bytes of all files.
    var bytes: Int { files.reduce(0) { $0 + $1.size } }

    /// Whether a folder has a manifest, and so is a backup.
    static func isThere(in folder: String) -> Bool {
        [name, sealedName].contains { SafeFile.isThere("\(folder)/\($0)") }
    }

    /// Reads a backup's manifest.
    ///
    /// - Throws: `API.Problem` for a folder that holds no backup, and for a backup of another version.
    init(of backup: String, _ key: BackupKey?) throws {
        let path = backup + "/" + (key == nil ? Self.name : Self.sealedName)
        let data: Data
        do {
            data = Data(try CopiedFile.bytes(of: path, limit: Self.limit, opening: key?.manifest))
        } catch let failure as FileFailure {
            switch failure.reason {
            case .noSuchFileOrDirectory, .notDirectory: throw Self.none(backup)
            case .invalidArgument, .tooManySymbolicLinkLevels, .badMessage: throw Self.damaged(path)
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
    init(node: String, created: Date, events: [String], files: [File], skipped: [String]) {
        (format, version, schema) = (Self.currentFormat, Node.build, Replica.schemaVersion)
        (self.node, self.created) = (node, created)
        (self.events, self.files, self.skipped) = (events, files, skipped)
    }

    /// Writes it to a backup's folder.
    func write(to backup: String, _ key: BackupKey?) throws {
        let bytes = [UInt8](try API.encode(self))
        guard bytes.count <= Self.limit else {
            throw API.Problem(
                .tooLarge,
                "The backup would have \(files.count) files, which is more than its list can hold."
            )
        }
        if let key {
            _ = try CopiedFile.write(bytes, to: backup + "/" + Self.sealedName, sealing: key.manifest)
        } else {
            try SafeFile.write(bytes, to: backup + "/" + Self.name)
        }
    }

    private static func none(_ backup: String) -> API.Problem {
        API.Problem(
            .notFound,
            "\(backup) is not a backup and contains none. Name a folder that `mingle backup` has made. An interrupted "
                + "backup does not count."
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

extension BackupManifest.File {
    /// Whether it is a blob, which others may have too.
    var isBlob: Bool { path.contains("/\(EventFiles.Part.blobs.rawValue)/") }

    /// What to say of a blob that is damaged or lost.
    var loss: String {
        let parts = path.split(separator: "/")
        return "The picture file \(parts[3]) of the event \(parts[1]) is damaged or lost in the backup. It is fetched "
            + "again if somebody has it."
    }

    /// Whether its names stay in the folder and are those of what backups have.
    func isPlain(isEncrypted: Bool) -> Bool {
        let isStored = stored.map { Base32.decode($0)?.count == 16 } ?? true
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard isStored, (stored != nil) == isEncrypted,
            !parts.contains(where: { $0.isEmpty || $0.hasPrefix(".") })
        else { return false }
        let part = parts.count > 2 ? EventFiles.Part(rawValue: String(parts[2])) : nil
        return switch parts.count {
        case 1: path == "node.json"
        case 3: parts[0] == "events" && [.secrets, .database, .door].contains(part)
        case 4 where part == .guests: parts[0] == "events" && parts[3].hasSuffix(".json")
        case 4: parts[0] == "events" && part == .blobs && BlobName(text: parts[3]) != nil
        default: false
        }
    }
}
