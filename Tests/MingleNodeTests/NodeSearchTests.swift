// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleEvent
import MingleModel
import NodeTestSupport
import Testing

@testable import MingleNode

/// The search for everything, and profiles, among nodes: Bob makes something private, Carl is invited, Dora and the
/// founder are not.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct NodeSearchTests {
    @Test func `two hundred words of a private moment are found by its guest, and by nobody else in any way`()
        async throws
    {
        try await withParty { party in
            let words = (0..<200).map {
                "canary\(Character(UnicodeScalar(UInt8(97 + $0 / 26))))\(Character(UnicodeScalar(UInt8(97 + $0 % 26))))x"
            }
            let moment = try party.bob.meetPrivately(words[0], with: [party.carl])
            var change = API.NewMoment()
            change.description = words.dropFirst().joined(separator: " ")
            _ = try party.bob.editMoment(moment.id, change, event: nil)
            try await eventually("Carl has it", at: party.carl) {
                try party.carl.service(nil).search(words[199], limit: 5).moments.items.map(\.id) == [moment.id]
            }
            let there = API.Envelope.Position(latitude: 40.4155, longitude: -3.7074, accuracyM: nil)
            for node in [party.bob, party.carl] {
                _ = try node.joinMoment(moment.id, event: nil)
                _ = try node.checkIn(moment.id, at: there, event: nil)
            }
            try await party.wait([party.carl, party.dora, party.founder], for: "everybody has all")
            let (bob, carl) = (
                try RequestValidation.person(party.bob.ownID), try RequestValidation.person(party.carl.ownID)
            )
            try await eventually("Carl sees that both were there", at: party.carl) {
                try party.carl.service(nil).profile(of: bob).counts.crossedPaths == 1
            }
            let inside = try party.carl.service(nil).profile(of: bob)
            #expect(inside.lastSeen?.moment == moment.id && inside.counts.commonMoments == 1 && inside.counts.made == 1)
            for outsider in [party.dora, party.founder] {
                let service = try outsider.service(nil)
                for word in words {
                    let found = try service.search(word, limit: 5)
                    for group in [found.people, found.moments, found.places, found.photos] {
                        #expect(group.items.isEmpty && group.more == nil)
                    }
                }
                for person in [bob, carl] {
                    let profile = try service.profile(of: person)
                    #expect(profile.lastSeen == nil && profile.counts.commonMoments == 0)
                    #expect(profile.counts.made == 0 && profile.counts.joined == 0 && profile.counts.checkedIn == 0)
                    for part in MomentPart.allCases {
                        #expect(try service.moments(of: person, in: part, before: nil, limit: 50).moments.isEmpty)
                    }
                }
            }
        }
    }
}
