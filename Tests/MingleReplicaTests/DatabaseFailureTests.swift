// SPDX-License-Identifier: Apache-2.0

import GRDB
import Testing

@testable import MingleReplica

struct DatabaseFailureTests {
    // Once this was `.invalid`, so whoever asked was told of a mistake of their own (400, exit code 2).
    @Test func `a database that fails without being damaged is nobody's mistake, and says what to do`() throws {
        let replica = try TestEvent(seed: 1).founder
        try replica.pool.writeWithoutTransaction { db in try db.execute(sql: "DROP VIEW visible_event") }
        let error = try #require(throws: ReplicaError.self) { try replica.dump() }
        #expect("\(error)".contains("mingle doctor"))
        #expect(error == .failed(path: ":memory:", detail: "no such table: visible_event"))
    }

    @Test func `a database that cannot be opened is nobody's mistake`() throws {
        let own = try TestEvent(seed: 1).founder.own
        let error = try #require(throws: ReplicaError.self) {
            try Replica(path: "/proc/nowhere/replica.sqlite", event: TestEvent(seed: 1).event, own: own)
        }
        #expect(error == .failed(path: "/proc/nowhere/replica.sqlite", detail: "unable to open database file"))
    }
}
