// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleNode
import NodeTestSupport
import Testing

/// What becomes of an event whose founder has lost those who came to it.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct FounderLossTests {
    @Test func `a founder's backup of before anybody came meets those who came by a later link`() async throws {
        try await withTemporaryFolder { folder in
            let link = try await withNode(folder + "/founder") { founder in
                _ = try await founder.createEvent(title: "Party")
                _ = try await founder.backUp(to: folder + "/backup")
                let link = try founder.invite(as: "attendee", expires: nil, uses: nil, in: nil).link
                try await withNode(folder + "/guest", peers: [founder.loopback]) { guest in
                    _ = try await guest.join(link: link)
                }
                return link
            }
            _ = try Restoring.restore(folder + "/backup", to: folder + "/restored")
            try await withNode(folder + "/restored") { founder in
                try await withNode(folder + "/guest", peers: [founder.loopback]) { guest in
                    try await eventually("each is there for the other", at: founder, guest) {
                        try [founder, guest].allSatisfy { try $0.people(event: nil).people.count { $0.here } == 2 }
                    }
                    // The invitation is there again as well, and somebody else comes by it.
                    try await withNode(folder + "/other", peers: [founder.loopback]) { other in
                        _ = try await other.join(link: link)
                        try await eventually("the other is known", at: founder) {
                            try founder.people(event: nil).people.count { $0.here } == 3
                        }
                        #expect(try other.allEvents().map(\.title) == ["Party"])
                    }
                }
            }
        }
    }

    @Test func `a founder whose log is cut behind the founding meets those who came by a link made since`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let event = try await withNode(folder + "/founder") { try await $0.createEvent(title: "Party").id }
            let database = "\(folder)/founder/events/\(event)/replica.sqlite"
            try FileManager.default.copyItem(atPath: database, toPath: folder + "/early")
            try await withNode(folder + "/founder") { founder in
                let link = try founder.invite(as: "attendee", expires: nil, uses: nil, in: nil).link
                try await withNode(folder + "/guest", peers: [founder.loopback]) { guest in
                    _ = try await guest.join(link: link)
                }
            }
            try FileManager.default.removeItem(atPath: database)
            try FileManager.default.copyItem(atPath: folder + "/early", toPath: database)
            try await withNode(folder + "/founder") { founder in
                try await withNode(folder + "/guest", peers: [founder.loopback]) { guest in
                    // It draws new keys meanwhile, as the guest holds what it wrote with the old ones and has lost.
                    try await eventually("each is there for the other", at: founder, guest) {
                        [founder, guest].allSatisfy { node in
                            (try? node.people(event: nil).people.count { $0.here }) == 2
                        }
                    }
                    let known = try founder.people(event: nil).people.map(\.id)
                    #expect(try Set(known) == Set(guest.people(event: nil).people.map(\.id)))
                }
            }
        }
    }
}
