// SPDX-License-Identifier: Apache-2.0

import GRDB
import MingleModel
import MingleWire
import Testing

@testable import MingleReplica

private let hour: Int64 = 3_600_000

/// What it costs to know how much of an hour there is.
struct RatePlanTests {
    @Test func `how much of an hour counts together is found in one row, however many devices there are`() throws {
        let flood = try Flood(seed: 983, times: [hour, hour])
        let reader = try flood.reader(within: Quota(hourly: 100))
        _ = try reader.merge([Run(travelling: flood.deltas)])
        for number in 0..<3 {
            let phone = flood.world.scribe(identity: flood.author.keys.identity)
            let change = Change(field: 1, value: .text("Phone \(number)"))
            let words = phone.write(try flood.world.entry(.comment, [change], time: hour), after: nil)
            let introduction = Run(travelling: try phone.introduction(by: flood.world.invitation))
            _ = try reader.merge([introduction, Run(travelling: [words])])
        }
        let plan = try reader.plan(of: Transaction.counted, arguments: 3)
        #expect(plan == ["SEARCH hourly USING PRIMARY KEY (person=? AND hour=? AND device=?)"])
        let counted = try reader.write(isDurable: false) { transaction in
            let device = try #require(transaction.memory.devices[flood.author.own.name])
            return try (transaction.words(in: 1, sharedBy: device), transaction.words(in: 2, sharedBy: device))
        }
        #expect(try counted == (5, 0) && reader.isUsageCounted())
    }

    @Test func `of a person's hours no others' are looked at when it is told whether one is too full`() throws {
        let flood = try Flood(seed: 984, times: [hour])
        let reader = try flood.reader(within: nil)
        let plan = try reader.plan(of: Replica.fullHour, arguments: 2)
        #expect(plan.contains("SEARCH usage USING PRIMARY KEY (person=?)"), "\(plan)")
        #expect(plan.allSatisfy { $0.hasPrefix("SEARCH") }, "\(plan)")
    }
}

extension Replica {
    /// How a query is answered.
    fileprivate func plan(of sql: String, arguments count: Int) throws -> [String] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: "EXPLAIN QUERY PLAN \(sql)",
                arguments: StatementArguments([Int](repeating: 1, count: count))
            )
            .map { $0["detail"] as String }
        }
    }
}
