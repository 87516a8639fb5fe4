// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Lends a new folder to `body` and removes it afterwards.
func withTemporaryFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    let path = try newFolder()
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body(path)
}

/// Lends a new folder to `body` and removes it afterwards.
func withTemporaryFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let path = try newFolder()
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try await body(path)
}

private func newFolder() throws -> String {
    let path = FileManager.default.temporaryDirectory.path + "/mingle-media-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
}
