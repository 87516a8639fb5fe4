// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire
import Testing

/// What is told of one person, and how people are found by their names.
struct ProfileTests {
    private func call(_ replica: Replica, _ name: String, _ world: PrivateWorld) throws {
        try world.say(.set(.profile, on: .nothing, values: ["name": .text(name)]), by: replica, at: 4500)
    }

    private func checkIn(at moment: Reference) -> Draft {
        .create(.checkIn, on: .record(moment), values: ["latitude": .number(1), "longitude": .number(1)])
    }

    @Test func `moments, common ones and crossed paths are those that the asker sees`() throws {
        let world = try PrivateWorld(seed: 4301)
        let secret = try world.makeMoment("Surprise", inviting: [world.carl])
        let open = try world.say(.create(.moment, on: .nothing, values: momentValues("Dance")), by: world.bob)
        try world.meet()
        for moment in [secret, open] {
            for replica in [world.bob, world.carl] { try world.say(world.joining(moment, 3), by: replica, at: 6001) }
        }
        try world.say(world.joining(open), by: world.dora, at: 6001)
        try world.say(checkIn(at: open), by: world.carl, at: 6002)
        try world.say(checkIn(at: secret), by: world.carl, at: 6003)
        try world.meet()
        let (bob, carl) = (world.bob.own.person, world.carl.own.person)
        let inside = try world.bob.profile(of: carl)
        #expect(inside.moments == [.made: 0, .joined: 2, .checkedIn: 2, .common: 2, .crossed: 2])
        #expect(inside.lastSeen?.moment == secret && inside.lastSeen?.at == 6003)
        for outsider in [world.dora, world.event.founder] {
            let (told, host) = (try outsider.profile(of: carl), try outsider.profile(of: bob))
            let isIn = outsider.own.person == world.dora.own.person
            #expect(told.moments == [.made: 0, .joined: 1, .checkedIn: 1, .common: isIn ? 1 : 0, .crossed: 0])
            #expect(host.moments[.made] == 1 && told.lastSeen?.moment == open && told.lastSeen?.at == 6002)
            for part in MomentPart.allCases {
                let shown = try outsider.moments(of: bob, part, before: nil, limit: 10).items
                #expect(!shown.contains { $0.id == secret })
            }
        }
        #expect(try world.dora.moments(of: carl, .common, before: nil, limit: 10).items.map(\.id) == [open])
        #expect(throws: ReplicaError.self) { try world.dora.profile(of: PersonID(.zero)) }
    }

    @Test func `of somebody who was removed what was shared before stays, on the profile and in the news`() throws {
        let world = try PrivateWorld(seed: 4306)
        try call(world.carl, "Carl", world)
        let moment = try world.say(.create(.moment, on: .nothing, values: momentValues("Dance")), by: world.carl)
        try world.meet()
        try world.say(.remove(world.carl.own.person, keepsLinks: true), by: world.event.founder, at: 7000)
        try world.say(world.comment("Late", on: moment), by: world.carl, at: 8000)
        try world.meet()
        for replica in [world.event.founder, world.bob] {
            let told = try replica.profile(of: world.carl.own.person)
            #expect(told.person.isRemoved && told.person.name == "Carl" && told.moments[.made] == 1)
            let news = try replica.news { try $0.happenings(limit: 10).items.map(\.kind) }
            #expect(news == [.moment])
        }
    }

    @Test func `lists of moments come in pages, the latest start first`() throws {
        let world = try PrivateWorld(seed: 4302)
        for number in 0..<7 {
            var values = momentValues("Number \(number)")
            values["start"] = .number(Int64(number / 2))
            try world.say(.create(.moment, on: .nothing, values: values), by: world.bob)
        }
        var (seen, before): ([String], Cursor?) = ([], nil)
        repeat {
            let page = try world.bob.moments(of: world.bob.own.person, .made, before: before, limit: 3)
            seen += page.items.map(\.title)
            before = page.next
        } while before != nil
        #expect(seen.count == 7 && Set(seen).count == 7 && seen.first == "Number 6")
    }

    @Test func `people are found by the beginning of a name and with an error, with the moments that both know of`()
        throws
    {
        let world = try PrivateWorld(seed: 4303)
        for (replica, name) in [(world.bob, "Björn Berg"), (world.carl, "Carolina Diaz"), (world.dora, "علي حسن")] {
            try call(replica, name, world)
        }
        _ = try world.makeMoment("Surprise", inviting: [world.carl])
        try world.meet()
        let found = { (words: String, replica: Replica) in
            try replica.people(called: words, limit: 10).map { "\($0.person.name) \($0.commonMoments)" }
        }
        #expect(try found("bj", world.carl) == ["Björn Berg 1"])
        #expect(try found("bjorm", world.dora) == ["Björn Berg 0"], "one error, and no word of a private moment")
        #expect(try found("dia caro", world.bob) == ["Carolina Diaz 1"])
        #expect(try found("عل", world.bob) == ["علي حسن 0"])
        #expect(try found("b", world.bob).isEmpty && found("🎉", world.bob).isEmpty)
        #expect(try found(String(repeating: "a", count: 10_000), world.bob).isEmpty)
        // Who was removed is found no more, and the profile says so under the name.
        let carl = world.carl.own.person
        try world.event.founder.say(.remove(carl, keepsLinks: true), at: 7000, world.event.randomness)
        try world.meet()
        #expect(try found("carolina", world.bob).isEmpty)
        let gone = try world.bob.profile(of: carl).person
        #expect(gone.name == "Carolina Diaz" && gone.isRemoved && gone.level == nil)
    }

    @Test func `two hundred words of a private moment lead nobody to it who is not in it`() throws {
        let world = try PrivateWorld(seed: 4304)
        let words = (0..<200).map {
            "canary\(String(UnicodeScalar(UInt8(97 + $0 / 26))))\(String(UnicodeScalar(UInt8(97 + $0 % 26))))x"
        }
        var values = momentValues("Surprise \(words[0])")
        values["description"] = .text(words.joined(separator: " "))
        let draft = Draft.create(.moment, on: .nothing, values: values, for: world.audience)
        let moment = try world.bob.author(at: Timestamp(milliseconds: 5000), randomness: world.event.randomness) {
            write in
            let moment = try write(draft)
            _ = try write(.invite(world.carl.own.person, to: moment))
        }
        #expect(!moment.references.isEmpty)
        try world.meet()
        for word in words {
            var query = RecordQuery()
            query.words = word
            #expect(try world.carl.records(of: .moment, query).items.count == 1)
            for outsider in [world.dora, world.event.founder] {
                for kind in [Kind.moment, .place, .photo] {
                    #expect(try outsider.records(of: kind, query).items.isEmpty)
                }
                #expect(try outsider.people(called: word, limit: 10).isEmpty)
            }
        }
    }

    @Test func `earlier pictures stay, the latest first, and say which is worn`() throws {
        let world = try PrivateWorld(seed: 4305)
        let media = Media(root: .zero, size: 9, key: [UInt8](repeating: 1, count: 32), type: "image/jpeg")
        let blobs = [BlobListing(name: media.name(owner: world.bob.own.person), size: 9)]
        var pictures: [Reference] = []
        for time in [5000, 5001, 5002] as [Int64] {
            let draft = Draft.create(.profilePicture, on: .nothing, values: ["thumbnail": .media(media)], blobs: blobs)
            pictures.append(try world.say(draft, by: world.bob, at: time))
        }
        let worn = Draft.set(
            .profile,
            on: .nothing,
            values: ["name": .text("Bob"), "picture": .data(pictures[1].bytes)]
        )
        try world.say(worn, by: world.bob, at: 5003)
        try world.meet()
        let page = try world.dora.profilePictures(of: world.bob.own.person, before: nil, limit: 2)
        #expect(page.items.map(\.id) == [pictures[2], pictures[1]] && page.items.map(\.isCurrent) == [false, true])
        let rest = try world.dora.profilePictures(of: world.bob.own.person, before: page.next, limit: 2)
        #expect(rest.items.map(\.id) == [pictures[0]] && rest.next == nil)
        #expect(try world.dora.profile(of: world.bob.own.person).pictures == 3)
        #expect(throws: ReplicaError.self) {
            try world.dora.profilePicture(pictures[0], of: world.carl.own.person)
        }
    }
}

/// The public side of connections: what each person's node writes by itself.
struct FriendshipTests {
    /// Everybody's node writes what it has to.
    private func settle(_ world: ConnectionWorld, at time: Int64) throws {
        for replica in world.everybody {
            let drafts = try replica.dueFriendships()
            guard !drafts.isEmpty else { continue }
            _ = try replica.author(drafts, at: Timestamp(milliseconds: time), randomness: world.event.randomness)
        }
        try world.meet()
    }

    private func shown(_ world: ConnectionWorld) throws -> Int {
        try world.carl.records(of: .friendship).items.count
    }

    @Test func `both nodes say it once both people want it, and each takes its own back`() throws {
        let world = try ConnectionWorld(seed: 4310)
        try world.connect(world.anna, with: world.bob, at: 5000)
        #expect(
            try world.everybody.allSatisfy { try $0.dueFriendships().isEmpty },
            "a request is nobody else's business"
        )
        try world.connect(world.bob, with: world.anna, at: 5001)
        try settle(world, at: 5002)
        #expect(try shown(world) == 2)
        #expect(try world.everybody.allSatisfy { try $0.dueFriendships().isEmpty }, "it is said once")
        try world.connect(world.bob, with: world.anna, false, at: 5003)
        try settle(world, at: 5004)
        #expect(try shown(world) == 0, "one half shows nothing")
        try world.connect(world.bob, with: world.anna, at: 5005)
        try settle(world, at: 5006)
        #expect(try shown(world) == 2)
    }

    @Test func `connections in common are those that all let everybody see`() throws {
        let world = try ConnectionWorld(seed: 4311)
        for (one, other) in [(world.anna, world.bob), (world.carl, world.bob)] {
            try world.connect(one, with: other, at: 5000)
            try world.connect(other, with: one, at: 5001)
        }
        let (anna, bob) = (world.anna.own.person, world.bob.own.person)
        #expect(try world.carl.profile(of: anna).commonConnections == 0)
        try settle(world, at: 5002)
        #expect(try world.carl.profile(of: anna).commonConnections == 1)
        #expect(try world.carl.commonConnections(with: anna, before: nil, limit: 10).items.map(\.id) == [bob])
        #expect(try world.event.founder.profile(of: anna).commonConnections == 0)
    }
}
