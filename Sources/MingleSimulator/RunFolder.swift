// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

/// The folder of one run's files; nothing that was there before is touched, but for what runs left that were killed.
struct RunFolder {
    let path: String

    /// Makes a folder of its own in `parent`, and that with the folders above it.
    init(in parent: String, seed: UInt64) throws(SimulationError) {
        Self.sweep(parent)
        path = "\(parent)/\(Self.prefix)\(getpid())-\(seed)"
        do {
            try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        } catch {
            throw .folder(path: path)
        }
    }

    /// Removes it with all that is in it.
    func remove() { try? FileManager.default.removeItem(atPath: path) }

    private static let prefix = "mingle-simulate-"

    /// Removes the folders of programs that run no more.
    private static func sweep(_ parent: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        for name in names where name.hasPrefix(prefix) {
            guard let process = name.dropFirst(prefix.count).split(separator: "-").first.flatMap({ pid_t($0) }),
                process > 0, kill(process, 0) != 0, errno == ESRCH
            else { continue }
            try? FileManager.default.removeItem(atPath: "\(parent)/\(name)")
        }
    }
}
