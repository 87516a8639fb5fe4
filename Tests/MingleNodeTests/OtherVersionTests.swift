// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleAPI
import NodeTestSupport
import Testing

@testable import MingleNode

/// A data folder that another version of the program made.
@Suite(.timeLimit(.minutes(5)))
struct OtherVersionTests {
    @Test func `a data folder of another version is refused with what to do, and nothing is lost`() async throws {
        try await withTemporaryFolder { folder in
            let data = folder + "/host"
            let (event, dump) = try await withNode(data) { host in
                let event = try await host.createEvent(title: "Party").id
                _ = try host.makeMoment("Dinner")
                return (event, try host.dump(event: nil))
            }
            let secrets = "\(data)/events/\(event)/secrets.json"
            let keys = FileManager.default.contents(atPath: secrets)
            let version = try exchangeVersion(of: "\(data)/events/\(event)/replica.sqlite", with: 22)

            let verified = try DataFolder(data).verify()
            #expect(!verified.sound && "\(verified)".contains("another version of Mingle"))
            let repaired = try DataFolder(data).repair().events
            #expect(repaired.map(\.database) == ["failed"])
            #expect(repaired[0].problem?.contains("Start the version that made it") == true)
            let backup = problem { _ = try DataFolder(data).backUp(BackupTerms(folder: folder + "/backup")) }
            #expect(backup?.detail.contains("another version of Mingle") == true)
            try await withNode(data) { node in
                let status = try node.status(event: nil)
                #expect(status.unopened == [event] && status.events.isEmpty)
                #expect("\(status.warnings)".contains("another version of Mingle"))
            }

            #expect(FileManager.default.contents(atPath: secrets) == keys)
            _ = try exchangeVersion(of: "\(data)/events/\(event)/replica.sqlite", with: version)
            let restored = try await withNode(data) { node in try node.dump(event: nil) }
            #expect(restored == dump)
        }
    }

    /// Gives a closed database another version; returns the one that it had.
    private func exchangeVersion(of path: String, with version: Int) throws -> Int {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try queue.write { db in
            let old = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
            try db.execute(sql: "PRAGMA application_id = \(version)")
            return old
        }
    }

    private func problem(_ body: () throws -> Void) -> API.Problem? {
        do { try body() } catch { return error as? API.Problem }
        return nil
    }
}
