// SPDX-License-Identifier: Apache-2.0

@testable import MingleDiscovery
@testable import MingleModel

/// Names, TXT records and addresses that mDNS brings, alone and as a course of reports to a plan.
///
/// Names have one form, TXT records stay short, titles of events nearby are short lines, no answer points at this node or
/// at a group, and whatever the network says, no more than so many names of an event are resolved at once and losses
/// follow finds.
enum DiscoveryTarget: FuzzTarget {
    static func run(_ input: inout FuzzInput) throws {
        switch input.byte() % 4 {
        case 0: name(String(decoding: input.rest(), as: UTF8.self))
        case 1: text(&input)
        case 2: address(&input)
        default: plan(&input)
        }
    }

    private static func tag(_ random: [UInt8]) -> [UInt8] { random.map { $0 &* 31 &+ 7 } }

    private static func name(_ name: String) {
        guard InstanceName.isWellFormed(name), let bytes = Base32.decode(name) else {
            return require(!InstanceName.matches(name, tag: tag), "what matches is well-formed")
        }
        require(Base32.encode(bytes) == name, "a name has one form")
        let isOurs = Array(bytes[8...]) == tag(Array(bytes[..<8]))
        require(InstanceName.matches(name, tag: tag) == isOurs, "a name matches by its tag")
    }

    private static func text(_ input: inout FuzzInput) {
        var strings: [[UInt8]] = []
        while !input.isEmpty { strings.append(input.piece()) }
        let pairs = TextRecord.read(strings)
        let length = pairs.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        // A capital may take fewer bytes than its small letter.
        require(length <= 3 * 1300 && !pairs.keys.contains(""), "a record is short")
        let written = TextRecord.write(pairs)
        require(written.reduce(0) { $0 + $1.count + 1 } <= 1300, "what is written is short")
        let again = TextRecord.read(written)
        require(again.allSatisfy { pairs[$0.key] == $0.value }, "a record is read as it was written")
        if let open = OpenText(pairs) { nearby(open) }
    }

    private static func nearby(_ open: OpenText) {
        require(open.title.utf8.count <= OpenText.titleLimit, "a title is short")
        let breaks = open.title.unicodeScalars.contains { $0.value < 0x20 || $0.properties.generalCategory == .control }
        require(!breaks && !open.title.isEmpty, "a title is one line that can be seen")
        require(OpenText(open.text) == open, "what is said of an event is heard so")
    }

    private static func address(_ input: inout FuzzInput) {
        let sighting = Sighting(interface: Int32(input.byte() % 3), family: input.byte() % 2 == 0 ? .v4 : .v6)
        let port = UInt16(input.number())
        let bytes = input.rest()
        let answer = Resolution(address: bytes, addressText: "there", port: port)
        guard answer.endpoint(name: "", event: "", sighting: sighting) != nil else { return }
        let isLoopback = bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
        require(!isLoopback || sighting.isLoopback, "nobody else is at a loopback address")
        require(bytes.count == 4 ? (1...223).contains(bytes[0]) : bytes.first != 0xff, "a group is no node")
        require(port != 0, "a node has a port")
    }

    private static func plan(_ input: inout FuzzInput) {
        var limits = DiscoveryLimits()
        (limits.names, limits.resolvedPerEvent) = (20, 3)
        let names = (0..<24).map { InstanceName.make(random: $0, tag: tag) }
        let own = InstanceName.make(random: 99, tag: tag)
        var plan = DiscoveryPlan(
            limits: limits,
            seed: 1,
            eventOf: { $0.hasPrefix("a") ? "event" : nil },
            newName: { "\($0)x" }
        )
        var (resolving, found): (Set<String>, Set<String>) = ([], [])
        var now = Duration.zero
        while !input.isEmpty {
            now += .milliseconds(Int(input.byte()) * 8)
            let (kind, place) = (input.byte(), input.byte())
            let name = names[Int(place) % names.count]
            let sighting = Sighting(interface: Int32(kind >> 6), family: place > 127 ? .v6 : .v4)
            let answer = Resolution(address: input.take(4), addressText: "there", port: UInt16(input.byte()))
            let event: DiscoveryPlan.Input =
                switch kind % 13 {
                case 0, 1: .wake
                case 2: .publish(place % 2 == 0 ? [] : [Advertisement(name: own, port: UInt16(place))])
                case 3: .reject(name)
                case 4: place < 50 ? .failed(.disconnected) : .wake
                case 5: place % 2 == 0 ? .registering : .running
                case 6: .network(.gone(name, on: sighting))
                case 7: .network(.resolved(name, on: sighting, to: nil))
                case 8, 9: .network(.resolved(name, on: sighting, to: answer))
                case 10: .network(place < 90 ? .collided(own) : .established(own))
                case 11: .network(.seen(String(decoding: input.take(26), as: UTF8.self), on: sighting))
                default: .network(.seen(name, on: sighting))
                }
            for action in plan.receive(event, at: now) { note(action, &resolving, &found) }
            require(resolving.count <= limits.resolvedPerEvent, "few names are resolved at once")
        }
    }

    private static func note(_ action: DiscoveryPlan.Action, _ resolving: inout Set<String>, _ found: inout Set<String>)
    {
        switch action {
        case .resolve(let name, _): require(resolving.insert(name).inserted, "a name is resolved once at a time")
        case .stopResolving(let name): resolving.remove(name)
        case .connect: resolving = []
        case .tell(.found(let endpoint)): found.insert(endpoint.name)
        case .tell(.lost(let name)): require(found.remove(name) != nil, "only what was found is lost")
        case .tell(.state(.absent)): resolving = []
        default: break
        }
    }

    static var seeds: [[UInt8]] {
        let name = InstanceName.make(random: 0, tag: tag)
        let text = TextRecord.write(["v": "1", "load": "3"]).flatMap { FuzzInput.piece($0) }
        let open = OpenText(title: "Ana \u{202E}& Bob\n👩‍👩‍👧", link: "mingle:join?e=1")
        let nearby = TextRecord.write(open?.text ?? [:]).flatMap { FuzzInput.piece($0) }
        let start: [UInt8] = [0, 0, 0] + [0, 0, 0, 0, 0] + [0, 5, 1] + [0, 0, 0, 0, 0]
        let seen: [UInt8] = [1, 12, 0, 0, 0, 0, 0, 0, 90, 0, 0, 0, 0, 0, 0, 0]
        let resolved: [UInt8] = [9, 8, 0, 10, 0, 0, 1, 80, 9, 6, 0, 0, 0, 0, 0, 0]
        return [
            joined([0], Array(name.utf8)), joined([1], text), joined([1], nearby), joined([3], start, seen, resolved),
            [2, 2, 0, 18, 173, 10, 0, 0, 7], joined([2, 2, 1, 0, 80, 0xfe, 0x80], [UInt8](repeating: 1, count: 14)),
        ]
    }
}
