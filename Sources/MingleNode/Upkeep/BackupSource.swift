// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleMedia
import MingleModel
import MinglePeering

/// One event's data, to be copied while others may use it.
struct BackupSource {
    /// A complete blob.
    struct Blob {
        /// Where it lies in a data folder.
        let named: String
        let file: String
        let size: Int
        /// When it was last written, in nanoseconds since 1970: a repair writes in place.
        let modified: Int64
    }

    let event: EventID
    let files: EventFiles
    let secrets: Secrets
    let blobStore: BlobStore
    /// Copies the database as it stands to a path.
    let copyDatabase: (String) throws -> Void

    /// The folder of an event in a backup.
    var folder: String { "events/\(event)" }

    /// The complete blobs, without those that cannot be found any more.
    var blobs: [Blob] {
        let named = EventFiles(folder)
        return blobStore.list().filter(\.isComplete).compactMap { name, _ in
            let file = files.path(of: name)
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: file),
                let size = attributes[.size] as? Int, let modified = attributes[.modificationDate] as? Date
            else { return nil }
            return Blob(
                named: named.path(of: name),
                file: file,
                size: size,
                modified: Int64(modified.timeIntervalSince1970 * 1_000_000_000)
            )
        }
    }

    /// Bytes of the database.
    var databaseSize: Int {
        [files.database, files.database + "-wal"].reduce(0) { sum, file in
            sum + ((try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int) ?? 0)
        }
    }
}
