// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder that goes with the test that made it.
final class TemporaryFolder {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("mingle-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of a file in it.
    func file(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// Copies a database as a file-sync tool would: with its log.
    func copyDatabase(_ name: String, to other: String) throws {
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: file(name + suffix)) {
            try FileManager.default.copyItem(atPath: file(name + suffix), toPath: file(other + suffix))
        }
    }

    /// What it holds besides empty logs of databases and what belongs to these.
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.path).sorted().filter { name in
            let size = try FileManager.default.attributesOfItem(atPath: file(name))[.size] as? Int
            return !name.hasSuffix("-shm") && !(name.hasSuffix("-wal") && size == 0)
        }
    }

    /// The bytes of every file in it.
    func contents() throws -> [Data] {
        try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil).map {
            try Data(contentsOf: $0)
        }
    }
}
