// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleCrypto
import NodeTestSupport

@testable import MingleNode

/// What an error says to a person.
///
/// - Throws: `TooLate` if `body` throws nothing.
func refusal(_ body: () throws -> Void) throws -> String {
    do {
        try body()
    } catch {
        return "\((error as? API.Problem)?.detail ?? "\(error)")"
    }
    throw TooLate(what: "a refusal")
}

/// Lends a folder with the data of a node that stopped: an event with a photo, which has several blobs.
func withStoppedNode(_ body: (_ data: DataFolder, _ folder: String) async throws -> Void) async throws {
    try await withTemporaryFolder { folder in
        try await withNode(folder + "/data") { node in
            _ = try await node.createEvent(title: "Party")
            _ = try await node.rename(to: "Ana", event: nil)
            _ = try await node.addPhoto(makePicture(in: folder), event: nil)
        }
        try await body(DataFolder(folder + "/data"), folder)
    }
}

extension BackupTerms {
    /// Terms with a passphrase that costs little.
    init(_ folder: String, keep: Int? = nil, _ passphrase: String? = nil) throws {
        let passphrase = try passphrase.map { try Passphrase($0, cost: .least) }
        try self.init(folder: folder, keep: keep, passphrase: passphrase)
    }
}

/// The files of a backup's blobs, by path.
func blobFiles(in backup: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: backup).filter { $0.contains("/blobs/") }.map {
        "\(backup)/\($0)"
    }
    .sorted()
}

/// The number of a file on its disk: one for all its links.
func inode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
}
