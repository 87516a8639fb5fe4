// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleCrypto
import MingleModel

/// What a data folder knows of its backups: `backup.json`.
///
/// A running node reads it anew each time, because a restore may have written it before the start.
struct BackupRecord: Codable {
    /// Tells the backups of this node from those of others; random.
    let node: String
    /// When the last complete backup was begun.
    var last: Date?
}

extension DataFolder {
    static let backupRecordName = "backup.json"

    private var backupRecordPath: String { "\(path)/\(Self.backupRecordName)" }

    /// The record; nil if no backup was ever begun.
    var backupRecord: BackupRecord? {
        FileManager.default.contents(atPath: backupRecordPath).flatMap { try? API.decode(BackupRecord.self, from: $0) }
    }

    /// The record, on the disk: a backup must not have an id that the node forgets.
    ///
    /// - Throws: `API.Problem` if it is damaged: with another id the earlier backups would be another node's.
    func makeBackupRecord() throws -> BackupRecord {
        if let record = backupRecord { return record }
        guard !SafeFile.isThere(backupRecordPath) else {
            throw API.Problem(
                .damaged,
                "\(Self.backupRecordName) in the data folder is damaged. It says which backups are this node's. Delete it, and "
                    + "back up to a new folder."
            )
        }
        let record = BackupRecord(node: Base32.encode(Randomness.system.bytes(16)))
        try save(record)
        return record
    }

    func save(_ record: BackupRecord) throws { try Self.write(record, in: path) }

    /// Writes the record to a data folder, or to one that is being restored.
    static func write(_ record: BackupRecord, in folder: String) throws {
        try SafeFile.write([UInt8](try API.encode(record)), to: "\(folder)/\(backupRecordName)")
    }
}
