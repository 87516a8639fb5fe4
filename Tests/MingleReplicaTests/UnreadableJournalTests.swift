// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleMedia
import MingleModel
import MinglePeering
import MingleSync
import Testing

@testable import MingleReplica

/// What a peer gets of several journals of which one cannot be read.
struct UnreadableJournalTests {
    private static let peer = PeerID(1)

    @Test func `of several journals those that can be read are sent, and the other ends without a run`() throws {
        var world = try TestEvent(seed: 17)
        let guests = [try world.join(), try world.join(), try world.join()]
        let founder = world.founder
        for guest in guests { try founder.receiveAll(from: guest) }
        let spoiled = guests[1].own.name
        try founder.pool.write { db in
            try db.execute(
                sql: """
                    UPDATE journal SET header = x'00' WHERE branch IN (
                        SELECT branch.id FROM branch JOIN device ON device.id = branch.device WHERE device.name = ?
                    )
                    """,
                arguments: [spoiled.column]
            )
        }
        let folder = try TemporaryFolder()
        let responder = try Responder(replica: founder, blobs: BlobStore(path: folder.file("blobs")))
        let keys = guests.map { JournalKey(device: $0.own.name, journal: .fabric) }
        let request = SyncAction.loadRuns(Self.peer, keys.map { RunsRequest(key: $0, held: [], byteLimit: 10_000) })
        #expect(throws: (any Error).self) { try responder.answer(request) }
        guard case .runs(Self.peer, let answers)? = responder.excuse(for: request) else {
            Issue.record("nobody is told anything")
            return
        }
        #expect(answers.map(\.key) == keys && answers.map(\.runs.isEmpty) == [false, true, false])
    }
}
