// SPDX-License-Identifier: Apache-2.0

import MingleModel

extension Scenario {
    /// How people come in.
    static let doors = [
        twoNewcomers, hostInvites, unheardHostsGuest, expiredLink, wallClosedTwice, shutOut, shutOutDeleting,
        forgedGrants, declined,
    ]

    private static let twoNewcomers = Scenario(
        name: "two-newcomers",
        summary: "two newcomers meet before anybody has let them in, and only one of them ever meets a member",
        minutes: 5,
        steps: [
            .then("the founder is alone") { $0.isolate([0]) },
            .then("two newcomers come") { stage in
                for node in [1, 2] { try stage.arrive(node) }
            },
            .then("one of them meets the founder", after: .seconds(60)) { stage in
                stage.meet()
                stage.part([0], [2])
            },
            .once("both are in") { try $0.allAreIn() },
            .then("the founder makes a moment") { try $0.moment(by: 0, as: "moment") },
            .once("the other has it, by the link that was there before", within: .seconds(20)) { stage in
                stage.shows(2, .moment, "moment")
            },
        ],
        late: [1, 2]
    )

    private static let hostInvites = Scenario(
        name: "host-invites",
        summary:
            "somebody comes by a host's link where nobody knows yet that this is a host; what he says counts with that",
        peers: 4,
        steps: [
            .then("all find each other") { $0.acquaintAll() },
            .then("the founder is alone", after: .seconds(60)) { $0.isolate([0]) },
            .then("he makes a host of Bob") { try $0.promote(1, to: .host, by: 0) },
            .then("Bob meets the founder, and nobody else", after: .seconds(30)) { stage in
                stage.meet()
                stage.part([0, 1], [2, 3])
            },
            .once("he is a host") { try $0.level(of: 1, at: 1) == .host },
            .then("he meets Carl") { stage in
                stage.meet()
                stage.isolate([0])
            },
            .then("Dora comes by a link of his") { stage in
                try stage.invite(3, by: 1)
                try stage.arrive(3)
            },
            .once("she is in") { try $0.level(of: 3, at: 1) == .attendee },
            .then("she makes a moment") { try $0.moment(by: 3, as: "moment") },
            .once("Carl has it") { $0.shows(2, .moment, "moment") },
            .then("the founder comes back") { $0.meet() },
            .allAreInSync,
        ],
        findings: { stage in stage.everywhere("the moment is there") { $0.shows(.moment, stage.reference("moment")) } },
        late: [3]
    )

    private static let unheardHostsGuest = Scenario(
        name: "unheard-hosts-guest",
        summary: "a host is removed who has let somebody in of whom the founder knew nothing: she is out as well",
        peers: 4,
        steps: [
            .then("all find each other") { $0.acquaintAll() },
            .then("the founder makes a host of Bob", after: .seconds(30)) { try $0.promote(1, to: .host, by: 0) },
            .once("all know that he is one") { stage in
                try (0...2).allSatisfy { try stage.level(of: 1, at: $0) == .host }
            },
            .then("the founder is alone", after: .seconds(30)) { $0.isolate([0]) },
            .then("Dora comes by a link of Bob's") { stage in
                try stage.invite(3, by: 1)
                try stage.arrive(3)
            },
            .once("Carl knows that she is in") { try $0.level(of: 3, at: 2) == .attendee },
            .then("the founder, who knows nothing of her, removes Bob") { try $0.remove(1, by: 0) },
            .then("they meet") { $0.meet() },
            .once("Carl knows that both are out") { stage in
                try [1, 3].allSatisfy { try stage.level(of: $0, at: 2) == nil }
            },
        ],
        late: [3]
    )

    private static let expiredLink = Scenario(
        name: "expired-link",
        summary: "a link lets somebody in until it expires, and nobody at any door from then on",
        steps: [
            .allAreIn,
            .then("the founder makes a link for an hour") { try $0.invite(for: .seconds(3600)) },
            .allAreInSync,
            .then("somebody knocks at Bob's door in time") { try $0.knock(at: 1) },
            .once("all know of him", within: .seconds(120)) { stage in
                try stage.world.honest.allSatisfy { try stage.guests(at: $0) == 1 }
            },
            .then("all clocks are two hours ahead") { stage in
                for node in 0...2 { stage.setClock(of: node, ahead: .seconds(7200)) }
            },
            .then("others knock at all doors, too late") { stage in for node in 0...2 { try stage.knock(at: node) } },
            .allAreInSync,
        ],
        findings: { stage in try stage.everywhere("only who came in time is in") { try stage.guests(at: $0) == 1 } }
    )

    private static let wallClosedTwice = Scenario(
        name: "wall-closed-twice",
        summary:
            "18: founder and host close the link on the wall apart, after others came on either side; all of them stay",
        peers: 4,
        steps: [
            .then("the founder makes a host of Bob", after: .seconds(30)) { try $0.promote(1, to: .host, by: 0) },
            .once("he is a host") { try $0.level(of: 1, at: 1) == .host },
            .then("they are apart, each with a newcomer") { stage in
                stage.part([0, 3], [1, 2])
                for node in [2, 3] { try stage.arrive(node) }
            },
            .once("both are in") { try $0.level(of: 3, at: 0) == .attendee && $0.level(of: 2, at: 1) == .attendee },
            .then("both close the link") { stage in
                for host in [0, 1] { try stage.closeWall(by: host) }
            },
            .once("the newcomers have keys that the link does not open") { stage in
                try [2, 3].allSatisfy { try !stage.isKeyOutdated($0) }
            },
            .then("the newcomers make moments") { stage in
                for node in [2, 3] { try stage.moment(by: node, as: "\(node)") }
            },
            .then("they meet", after: .seconds(60)) { $0.meet() },
            .allAreInSync,
        ],
        findings: { stage in
            stage.everywhere("both moments are there") { node in
                ["2", "3"].allSatisfy { node.shows(.moment, stage.reference($0)) }
            }
        },
        late: [2, 3]
    )

    private static let shutOut = Scenario(
        name: "shut-out",
        summary:
            "the link is closed where nobody knows of Carl; he is out with all he shared, and back with it once let in",
        peers: 4,
        steps: [
            .then("the founder is alone", after: .seconds(60)) { $0.isolate([0]) },
            .then("Carl comes") { try $0.arrive(2) },
            .allAreIn,
            .then("he shares a photo") { try $0.photo(by: 2, as: "photo") },
            .once("Bob and Dora have its pictures") { try $0.havePictures(of: 2, [1, 3]) },
            .then("the founder closes the link") { try $0.closeWall(by: 0) },
            .then("his machine starts anew") { try $0.world.reopen($0.world.nodes[0]) },
            .then("they meet") { $0.meet() },
            .once("Carl is out") { stage in try [0, 1, 3].allSatisfy { try stage.level(of: 2, at: $0) == nil } },
            .once("the founder has what he shared as well") { $0.knows(0, "photo") },
            .once("nobody else shows his photo") { stage in [0, 1, 3].allSatisfy { !stage.shows($0, .photo, "photo") }
            },
            .then("all machines start anew") { stage in
                for node in stage.world.nodes { try stage.world.reopen(node) }
            },
            .then("Carl is away") { $0.leave(2) },
            .then("the founder lets him in", after: .seconds(60)) { try $0.promote(2, to: .attendee, by: 0) },
            .once("all have his pictures, though he is away", within: .seconds(120)) { try $0.havePictures(of: 2) },
            .then("he comes back") { $0.meet() },
            .allAreInSync,
        ],
        findings: { stage in stage.everywhere("the photo is there") { $0.shows(.photo, stage.reference("photo")) } },
        late: [2]
    )

    private static let shutOutDeleting = Scenario(
        name: "shut-out-deleting",
        summary:
            "Carl deletes one of two photos of a file while he is out for those who hear of it; the other keeps its pictures",
        peers: 4,
        steps: [
            // No links stay through which Dora would hear at once what the founder says.
            .then("the founder is alone", after: .seconds(60)) { $0.leave(0) },
            .then("Carl comes") { try $0.arrive(2) },
            .allAreIn,
            .then("he shares a file as two photos") { try $0.photos(by: 2, as: "photo", "other") },
            .once("Bob and Dora have its pictures") { try $0.havePictures(of: 2, [1, 3]) },
            .then("the founder, who knows nothing of him, closes the link") { try $0.closeWall(by: 0) },
            .then("Bob meets the founder, and none of them Carl and Dora") { stage in
                stage.meet()
                stage.part([0, 1], [2, 3])
                stage.link(1, 0)
            },
            .once("Carl is out") { stage in try [0, 1].allSatisfy { try stage.level(of: 2, at: $0) == nil } },
            .once("Dora still shows both") { $0.shows(3, .photo, "photo") && $0.shows(3, .photo, "other") },
            .then("he deletes one of the two") { try $0.delete("photo", by: 2) },
            .once("Dora shows it no more") { !$0.shows(3, .photo, "photo") },
            .then("he goes, and she meets the others") { stage in
                stage.meet()
                stage.leave(2)
            },
            .once("they hold the same") { try $0.isInSync([0, 1, 3]) },
            .then("she goes as well", after: .zero) { $0.leave(3) },
            .then("the founder lets him in") { try $0.promote(2, to: .attendee, by: 0) },
            .once("Bob shows the other") { $0.shows(1, .photo, "other") },
            .once("he has its pictures, though nobody is there who could bring them", within: .seconds(60)) { stage in
                try stage.havePictures(of: 2, [1])
            },
            .then("all meet") { $0.meet() },
            .allAreInSync,
        ],
        late: [2]
    )

    private static let forgedGrants = Scenario(
        name: "forged-grants",
        summary:
            "somebody makes hosts, closes everybody's link and opens others that are not his to make; nothing follows",
        peers: 4,
        hostile: [[.usurping], [.usurping]],
        change: { $0.deedsPerHour = 10 },
        steps: [.allAreIn]
    )

    private static let declined = Scenario(
        name: "declined",
        summary:
            "two wait for a host's word: one is declined, the other by one host while another lets her in; neither reads what follows",
        peers: 5,
        steps: [
            .then("all find each other") { $0.acquaintAll() },
            .then("the founder makes a host of Bob", after: .seconds(60)) { try $0.promote(1, to: .host, by: 0) },
            .once("he is a host") { try $0.level(of: 1, at: 1) == .host },
            .then("Carl and Dora come by links that ask") { stage in
                for newcomer in [2, 3] {
                    try stage.invite(newcomer, by: 1, asks: true)
                    try stage.arrive(newcomer)
                }
            },
            .once("both wait everywhere") { stage in
                try [2, 3].allSatisfy { person in try [0, 1, 4].allSatisfy { try stage.waits(person, at: $0) } }
            },
            .then("Bob and Erin are apart from the rest") { $0.part([1, 4], [0, 2, 3]) },
            .then("he declines both") { stage in
                for person in [2, 3] { try stage.decline(person, by: 1) }
            },
            .then("the founder lets Dora in") { try $0.promote(3, to: .attendee, by: 0) },
            .once("she has the key") { try $0.hasKey(3) },
            .then("they meet") { $0.meet() },
            .once("both are out everywhere") { stage in
                try [2, 3].allSatisfy { person in
                    try [0, 1, 4].allSatisfy {
                        try stage.isRemoved(person, at: $0) && stage.level(of: person, at: $0) == nil
                    }
                }
            },
            .then("Erin makes a moment", after: .seconds(60)) { try $0.moment(by: 4, as: "secret") },
            .once("the founder has it") { $0.shows(0, .moment, "secret") },
            .then("somebody hands both all of it", after: .seconds(60)) { stage in
                for person in [2, 3] { try stage.handEverything(of: 0, to: person) }
            },
        ],
        findings: { stage in
            let readers = [2, 3].filter { stage.shows($0, .moment, "secret") }
            return readers.map { "node \($0) reads what was said after it was declined" }
                + (try stage.hasKey(2) ? ["who was never let in has a key"] : [])
        },
        late: [2, 3]
    )
}
