// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleModel
import MingleNode
import MingleReplica
import NodeTestSupport
import Testing

/// What people see of quotas.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct NodeQuotaTests {
    /// Somebody's words until no more are taken.
    private func fill(_ node: Node, on moment: String) async throws -> (ids: [String], refusal: API.Problem) {
        var ids: [String] = []
        let text = String(repeating: "x", count: 500)
        let refusal = try await problem {
            for _ in 0..<100 { ids.append(try node.comment(on: moment, text: text, event: nil).id) }
        }
        return (ids, refusal)
    }

    @Test func `who has written as much as others keep is told so, and goes on after deleting something`() async throws
    {
        try await withTemporaryFolder { folder in
            let limit = 2_000_000
            let settings: (inout NodeConfiguration) -> Void = { $0.ownQuota = Quota(words: 20_000, keys: limit) }
            try await withNode(folder + "/founder", change: settings) { founder in
                _ = try await founder.createEvent(title: "Party")
                let moment = try founder.makeMoment("Dinner").id
                let (ids, refusal) = try await fill(founder, on: moment)
                #expect(ids.count > 10 && refusal.name == .tooLarge && refusal.name.exitCode == 14)
                #expect(refusal.detail.contains("This was not saved") && refusal.detail.contains("15000 bytes"))
                #expect(refusal.detail.contains("Delete some of your photos, comments or moments"))
                #expect(try founder.moment(moment, event: nil).comments == ids.count)
                try founder.delete(.comment, ids[0], event: nil)
                #expect(throws: Never.self) { try founder.comment(on: moment, text: "Sorry", event: nil) }
            }
        }
    }

    @Test func `a node says whose words it does not keep, and fetches them once there is room`() async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/founder") { founder in
                _ = try await founder.createEvent(title: "Party")
                _ = try await founder.rename(to: "Ana", event: nil)
                let moment = try founder.makeMoment("Dinner").id
                let settings: (inout NodeConfiguration) -> Void = { $0.quota = Quota(words: 8000) }
                try await withNode(folder + "/bob", peers: [founder.loopback], change: settings) { bob in
                    _ = try await bob.join(link: try founder.link())
                    let text = String(repeating: "x", count: 500)
                    let ids = try (0..<20).map { _ in try founder.comment(on: moment, text: text, event: nil).id }
                    let warning = "This node keeps only a part of what Ana wrote: it is more than 8000 bytes."
                    try await eventually("Bob is told", at: bob) {
                        try bob.status(event: nil).warnings.contains(warning)
                    }
                    let few = try bob.texts(on: moment).count
                    #expect(few > 0 && few < 20)
                    #expect(bob.doctor().checks.contains { $0.status == "warn" && $0.detail == warning })
                    #expect(try !founder.status(event: nil).warnings.contains { $0.contains("keeps only a part") })
                    #expect(founder.doctor().checks.contains { $0.id.hasSuffix(".quota") && $0.status == "pass" })
                    for id in ids[..<16] { try founder.delete(.comment, id, event: nil) }
                    // There are four for a moment too while one of them is yet to be deleted, and another one to come.
                    try await eventually("the rest has come", at: bob) {
                        try bob.texts(on: moment).count == 4 && bob.status(event: nil).warnings.isEmpty
                    }
                }
            }
        }
    }

    @Test func `who has shared as much in an hour as others keep is told so, and others say whose words they lack`()
        async throws
    {
        try await withTemporaryFolder { folder in
            // However the hours fall, the last of so many do not fit; of a founder two and a half times as many do.
            let settings: (inout NodeConfiguration) -> Void = { $0.ownQuota = Quota(hourly: 16) }
            try await withNode(folder + "/founder", change: settings) { founder in
                _ = try await founder.createEvent(title: "Party")
                _ = try await founder.rename(to: "Ana", event: nil)
                let moment = try founder.makeMoment("Dinner").id
                let little: (inout NodeConfiguration) -> Void = { $0.quota = Quota(hourly: 5) }
                try await withNode(folder + "/bob", peers: [founder.loopback], change: little) { bob in
                    _ = try await bob.join(link: try founder.link())
                    let (ids, refusal) = try await fill(founder, on: moment)
                    #expect(ids.count > 10 && refusal.name == .tooMany && refusal.name.exitCode == 5)
                    #expect(refusal.detail.contains("30 items within an hour") && refusal.detail.contains("minute"))
                    let warning = "This node keeps only a part of what Ana wrote: it is more than 12 items in one hour."
                    try await eventually("Bob is told", at: bob) {
                        try bob.status(event: nil).warnings.contains(warning)
                    }
                    #expect(try !founder.status(event: nil).warnings.contains { $0.contains("may not keep") })
                }
            }
        }
    }
}
