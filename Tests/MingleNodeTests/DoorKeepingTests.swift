// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleCrypto
import MingleEvent
import MingleModel
import MingleReplica
import NodeTestSupport
import Synchronization
import Testing

@testable import MingleNode
@testable import MinglePeering

/// What a door keeps of its guests, who opens it, and for how long.
struct DoorKeepingTests {
    private let device = DeviceName(Bytes32(at: 0, of: [UInt8](repeating: 1, count: 32).span))
    private let door = DeviceName(Bytes32(at: 0, of: [UInt8](repeating: 2, count: 32).span))

    private func store(_ keys: GuestKeys, of browser: Browser) -> StoredGuest {
        StoredGuest(keys, device, of: browser, at: door, .system)
    }

    @Test func `a browser reads what it keeps, and nothing else is taken for it`() {
        let browser = Browser(.system)
        #expect(Browser(browser.text)?.name == browser.name && browser.name != browser.text)
        for text in ["", "a", browser.text + "aa", String(browser.text.dropLast(2)), "é", browser.text + " "] {
            #expect(Browser(text) == nil, "\(text)")
        }
    }

    @Test func `a guest's keys open with the guest's browser, and not once anything of the file was changed`() throws {
        let (browser, other) = (Browser(.system), Browser(.system))
        let keys = GuestKeys(.system)
        let guest = store(keys, of: browser)
        #expect(try guest.open(by: browser).bytes == keys.bytes)
        #expect(throws: (any Error).self) { try guest.open(by: other) }
        let file = try JSONEncoder().encode(guest)
        for seed in [keys.identity.seed, keys.signing.seed, keys.agreement.secret, browser.secret, browser.key] {
            let bytes = seed.exposed()
            #expect(file.range(of: Data(bytes)) == nil && file.range(of: Data(Base32.encode(bytes).utf8)) == nil)
        }
        let fields = try #require(try JSONSerialization.jsonObject(with: file) as? [String: Any])
        for field in ["person", "device", "door", "keys", "nonce"] {
            var changed = fields
            let text = try #require(fields[field] as? String)
            changed[field] = (text.first == "a" ? "b" : "a") + text.dropFirst()
            let data = try JSONSerialization.data(withJSONObject: changed)
            let planted = try JSONDecoder().decode(StoredGuest.self, from: data)
            #expect(throws: (any Error).self, "\(field)") { try planted.open(by: browser) }
        }
    }

    @Test func `nothing that lies beside a guest's keys opens them, such as the name of the file`() throws {
        let browser = Browser(.system)
        let guest = store(GuestKeys(.system), of: browser)
        let fields = try JSONDecoder().decode([String: String].self, from: JSONEncoder().encode(guest))
        let sealed = try #require(fields["keys"].flatMap { Base32.decode($0) })
        let nonce = try #require(fields["nonce"].flatMap { Base32.decode($0) })
        let label = Array((guest.person + guest.device + guest.door).utf8)
        func opens(_ key: Secret) -> Bool {
            (try? Sealing.open(sealed, key: key, nonce: nonce, associatedData: label)) != nil
        }
        #expect(opens(browser.key), "it opens as the door does")
        for text in [browser.name, guest.person, guest.device, guest.door] {
            let bytes = try #require(Base32.decode(text))
            #expect(bytes.count == 32 && !opens(Secret(bytes)))
        }
    }

    @Test func `guests are there after a start, files that are damaged are left out, and who is forgotten leaves none`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let (browser, second, other) = (Browser(.system), Browser(.system), Browser(.system))
            let keys = GuestKeys(.system)
            let list = try GuestList(in: folder + "/guests")
            for browser in [browser, second] { try list.keep(store(keys, of: browser), of: browser) }
            try list.keep(store(GuestKeys(.system), of: other), of: other)
            try Data("{".utf8).write(to: URL(fileURLWithPath: folder + "/guests/x.json"))
            let later = try GuestList(in: folder + "/guests")
            #expect(later.all.count == 3 && later[browser]?.person == keys.person.description)
            #expect(later[Browser(.system)] == nil)
            let mode = try FileManager.default.attributesOfItem(atPath: "\(folder)/guests/\(browser.name).json")
            #expect(mode[.posixPermissions] as? Int == 0o600)
            try later.forget(keys.person)
            #expect(later[browser] == nil && later[second] == nil && later[other] != nil)
            #expect(try GuestList(in: folder + "/guests").all.count == 1)
        }
    }

    @Test func `a guest has so many phones, and each may change what is kept of it`() async throws {
        try await withTemporaryFolder { folder in
            let list = try GuestList(in: folder)
            let keys = GuestKeys(.system)
            let browsers = (0..<GuestList.phones).map { _ in Browser(.system) }
            for browser in browsers { try list.keep(store(keys, of: browser), of: browser) }
            let one = Browser(.system)
            let refusal = try await problem { try list.keep(store(keys, of: one), of: one) }
            #expect(refusal.name == .conflict && list.all.count == GuestList.phones)
            try list.keep(store(keys, of: browsers[0]), of: browsers[0])
            try list.keep(store(GuestKeys(.system), of: one), of: one)
        }
    }

    @Test func `a sign-in code is good once`() {
        let codes = Codes()
        let keys = GuestKeys(.system)
        let code = codes.make(for: keys, at: .zero)
        #expect(code.count == 8 && code.allSatisfy(\.isNumber))
        let typed = "\(code.prefix(4)) \(code.suffix(4))"
        #expect(codes.take(typed, at: .seconds(599)) == keys.person)
        #expect(codes.take(code, at: .seconds(599)) == nil)
    }

    @Test func `a sign-in code is good for ten minutes, and until there is another of the same guest`() {
        let codes = Codes()
        let keys = GuestKeys(.system)
        let first = codes.make(for: keys, at: .zero)
        #expect(codes.take(first, at: .seconds(600)) == nil)
        let second = codes.make(for: keys, at: .seconds(700))
        let third = codes.make(for: keys, at: .seconds(701))
        #expect(codes.take(second, at: .seconds(702)) == nil)
        #expect(codes.take(third, at: .seconds(702)) != nil)
    }

    @Test func `each code leads to the guest who made it, also after an earlier one is good no more`() {
        let codes = Codes()
        let keys = (0..<3).map { _ in GuestKeys(.system) }
        let made = keys.enumerated().map { number, keys in codes.make(for: keys, at: .seconds(number)) }
        #expect(codes.take(made[1], at: .seconds(600)) == keys[1].person)
        #expect(codes.take(made[2], at: .seconds(601)) == keys[2].person)
    }

    @Test func `the keys behind a code are forgotten once it is good no more, whether anybody asks or not`() {
        var codes = SignInCodes()
        for seconds in [0, 60] { _ = codes.make(for: GuestKeys(.system), at: .seconds(seconds), .system) }
        codes.forgetExpired(at: .seconds(599))
        #expect(codes.count == 2)
        codes.forgetExpired(at: .seconds(600))
        #expect(codes.count == 1)
    }

    @Test func `after five wrong codes none that was open is good`() {
        let codes = Codes()
        let keys = (0..<2).map { _ in GuestKeys(.system) }
        let first = codes.make(for: keys[0], at: .zero)
        let wrong = (0..<SignInCodes.tries).map { "\($0)" }
        for code in wrong.dropLast() { #expect(codes.take(code, at: .zero) == nil) }
        let second = codes.make(for: keys[1], at: .zero)
        #expect(codes.take(wrong[4], at: .zero) == nil)
        #expect(codes.take(first, at: .zero) == nil)
        #expect(codes.take(second, at: .zero) == keys[1].person)
    }

    @Test func `so many people come from one address in an hour, and no more addresses are remembered than the limit`()
    {
        var count = HourlyCount(limit: 2)
        let taken = [("a", 10), ("a", 20), ("a", 3599), ("b", 3599), ("a", 3600)].map { address, seconds in
            count.take(address, at: .seconds(seconds))
        }
        #expect(taken == [true, true, false, true, true])
        for number in 0..<5000 { _ = count.take("\(number)", at: .seconds(7200)) }
        let (known, another) = (count.take("0", at: .seconds(7200)), count.take("last", at: .seconds(7200)))
        #expect(known && !another)
    }
}

/// Sign-in codes at hand.
private final class Codes {
    private var codes = SignInCodes()

    func make(for keys: GuestKeys, at now: Duration) -> String { codes.make(for: keys, at: now, .system) }

    /// The person of a code.
    func take(_ code: String, at now: Duration) -> PersonID? { codes.take(code, at: now)?.person }
}

/// Guests of a door whose folder was copied, or whose device is another one.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DoorDeviceTests {
    /// Lends the founder of an event with a moment, its id, a link for a door, and a folder.
    private func withParty(_ body: (Node, String, String, String) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/founder") { founder in
                _ = try await founder.createEvent(title: "Party")
                let moment = try founder.makeMoment("Dinner").id
                let link = try founder.invite(expires: nil, uses: nil, isForDoor: true, in: nil).link
                try await body(founder, moment, link, folder)
            }
        }
    }

    @discardableResult
    private func comment(_ text: String, on moment: String, with browser: Browser, _ door: Door) async throws
        -> OwnDevice
    {
        let part = try door.writer(browser, from: "a")
        let target = try RequestValidation.reference(moment)
        _ = try await part.write { service in
            try service.author([.create(.comment, on: .record(target), values: ["text": .text(text)])])
        }
        return part.replica.own
    }

    private func awaitDinner(_ door: Node) async throws {
        _ = try await door.awaitDoor()
        try await eventually("the moment comes", at: door) { try door.visited().moments().moments.count == 1 }
    }

    @Test func `of a copied folder nobody writes as a guest who is not there, and a guest who is gets another device`()
        async throws
    {
        try await withParty { founder, moment, link, folder in
            let browser = Browser(.system)
            var first: OwnDevice?
            try await withDoor(folder + "/door", by: link, peers: [founder]) { node in
                try await awaitDinner(node)
                _ = try node.doorCode()
                first = try await comment("One", on: moment, with: browser, Door(node))
                try await eventually("it is with the founder", at: founder) { try founder.texts(on: moment) == ["One"] }
            }
            try FileManager.default.copyItem(atPath: folder + "/door", toPath: folder + "/copy")
            let own = try #require(first)
            // The code and the key of the cookies are in the copy, the guests' keys are not.
            let event = try founder.allEvents()[0].id
            let copied = try GuestList(in: folder + "/copy/events/\(event)/guests")
            let marks = try ["copy", "door"].map { place in
                try DoorCode(for: event, at: "\(folder)/\(place)/events/\(event)/door.json").mark(of: browser)
            }
            #expect(marks[0] == marks[1] && !copied.all.isEmpty)
            for guest in copied.all { #expect(throws: (any Error).self) { try guest.open(by: Browser(.system)) } }
            try await withDoor(folder + "/door", peers: [founder]) { node in
                try await awaitDinner(node)
                #expect(try await comment("Two", on: moment, with: browser, Door(node)).name == own.name)
                try await eventually("it is with the founder", at: founder) { try founder.texts(on: moment).count == 2 }
            }
            try await withDoor(folder + "/copy", peers: [founder]) { node in
                let door = try Door(node)
                try await awaitDinner(node)
                try await eventually("it learns of the other", at: node) { try node.visited().count(on: moment) == 2 }
                let next = try await comment("Three", on: moment, with: browser, door)
                #expect(next.name != own.name && next.person == own.person)
                #expect(try await comment("Four", on: moment, with: browser, door).name == next.name)
                #expect(door.count == 1)
                try await eventually("the founder reads all", at: founder) { try founder.texts(on: moment).count == 4 }
            }
        }
    }

    @Test func `a door that became another device gives its guests other devices, each person one`() async throws {
        try await withParty { founder, moment, link, folder in
            try await withDoor(folder + "/door", by: link, peers: [founder]) { node in
                try await awaitDinner(node)
                let session = try node.openDoorSession()
                let (browser, keys) = (Browser(.system), GuestKeys(.system))
                let former = keys.secrets(at: session.secrets.withLock { $0 }).ownDevice(in: session.event)
                let nobody = DeviceName(.zero)
                let guest = StoredGuest(keys, former.name, of: browser, at: nobody, .system)
                try GuestList(in: session.files.guests).keep(guest, of: browser)
                let door = try Door(node)
                #expect(try door.reader(browser).replica.own.person == keys.person)
                let own = try await comment("Here", on: moment, with: browser, door)
                #expect(own.person == keys.person && own.name != former.name)
                #expect(try await comment("Again", on: moment, with: browser, Door(node)).name == own.name)
                try await eventually("the founder reads it", at: founder) { try founder.texts(on: moment).count == 2 }
                #expect(try founder.people(event: nil).people.count == 3)
            }
        }
    }
}

extension EventService {
    /// How many comments there are on a record.
    fileprivate func count(on id: String) throws -> Int {
        try records(of: .comment, ListQuery(.comment, ["target": id])).records.count
    }
}
