// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleModel

/// Where the parts of one event lie.
struct EventFiles {
    /// What the parts are called, in the event's folder as in a backup.
    enum Part: String {
        case secrets = "secrets.json"
        case database = "replica.sqlite"
        case blobs
    }

    /// The event's folder.
    let folder: String

    /// Names the parts of a folder.
    init(_ folder: String) { self.folder = folder }

    /// The device's keys.
    var secrets: String { self[.secrets] }
    /// The replica.
    var database: String { self[.database] }
    /// A folder with a file for each blob.
    var blobs: String { self[.blobs] }

    /// The file of one blob.
    func path(of blob: BlobName) -> String { "\(blobs)/\(blob)" }

    private subscript(part: Part) -> String { "\(folder)/\(part.rawValue)" }

    /// Whether more than these lies there, or nobody can tell: a repair sets aside what it could not read.
    var hasMore: Bool {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return true }
        let usual = [secrets, blobs, database, database + "-wal", database + "-shm"]
        return !Set(names.map { "\(folder)/\($0)" }).isSubset(of: usual)
    }
}
