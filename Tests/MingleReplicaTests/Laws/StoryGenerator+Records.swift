// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleWire
import TestSupport

extension StoryGenerator {
    /// Makes or sets a record of a kind.
    mutating func say(_ kind: Kind) {
        if kind.audience == .moderators { return sayAside(kind, under: 5) }
        if kind.audience == .own { return sayAside(kind, under: 6) }
        if kind.audience == .pair { return sayAside(kind, under: 7) }
        var device = random.pick(Story.devices.indices)
        // Few may say what hosts say.
        if kind.writers >= .host, random.chance(80) { device = 0 }
        var aim = aim(of: kind, by: device)
        if let (owner, place) = owning(kind), random.chance(90) { (device, aim) = (owner, place) }
        // Mostly for those who see what it hangs on; Bob makes moments for guests.
        var isPrivate = kind == .moment && (1...2).contains(device) && random.chance(50)
        if case .act(let parent) = aim { isPrivate = self.isPrivate(parent) }
        // Mostly guests say something there.
        if isPrivate, kind != .moment, random.chance(75) { device = random.pick([0, 1, 2, 3]) }
        if random.chance(10) { isPrivate.toggle() }
        if kind.participation != nil, random.chance(40) { takePart(in: aim, by: device, isPrivate: isPrivate) }
        let isKeyed = kind.identity == .key
        // Some get wrong whether a record is made or set.
        let root: Saying.Root = random.chance(2) == isKeyed ? .itself : .none
        let earlier = isKeyed ? sameRecord(kind, aim, by: device) : nil
        var saying = Saying(kind: kind.number, root: root, aim: aim)
        if (kind.subject == .person) != random.chance(3) {
            saying.subject = .person(of: random.pick(Story.devices.indices.prefix(3)))
        }
        assert(kind, in: &saying, by: device, isComplete: isKeyed || !random.chance(7), about: earlier)
        let act = write(.record(saying), by: device, isPrivate: isPrivate)
        remember(Made(kind: kind, act: act, device: device, aim: aim, mentions: [act] + (earlier?.mentions ?? [])))
        guard kind == .moment, isPrivate else { return }
        // The founder may moderate there, too.
        if random.chance(70) { invite(0, to: act, by: device) }
        if random.chance(40) { invite(random.pick([3, 3, 4]), to: act, by: device) }
    }

    /// Who owns what, or made what, of kinds that only such people write.
    private mutating func owning(_ kind: Kind) -> (device: Int, aim: Saying.Aim)? {
        if kind.shownIf.contains(.creator), let trait = kind.trait {
            let record = made.filter { $0.kind.traits.contains(trait) }.randomElement(using: &random)
            return record.map { ($0.device, .act($0.act)) }
        }
        guard kind.shownIf.contains(.owner),
            let owned = made.filter({ $0.kind == .ownership }).randomElement(using: &random),
            case .record(let saying) = story.acts[owned.act].deed,
            case .person(let owner)? = saying.assertions.first(where: { $0.field == 1 })?.word
        else { return nil }
        return (owner, owned.aim)
    }

    /// Somebody says something to those who moderate, to the own devices or to one other person; mostly Bob does, whose keys for that
    /// there are.
    private mutating func sayAside(_ kind: Kind, under key: Int) {
        let isBetweenTwo = kind.audience == .pair
        let device = random.chance(85) ? random.pick(isBetweenTwo ? 1...3 : 1...2) : random.pick(Story.devices.indices)
        let isFitting = isBetweenTwo && random.chance(85)
        let aim = isFitting ? .person(of: device == 3 ? random.pick(1...2) : 3) : aim(of: kind, by: device)
        let earlier = kind.identity == .key ? sameRecord(kind, aim, by: device) : nil
        // Some get wrong whether a record is made or set.
        let root: Saying.Root = random.chance(2) == (kind.identity == .key) ? .itself : .none
        var saying = Saying(kind: kind.number, root: root, aim: aim)
        assert(kind, in: &saying, by: device, isComplete: true, about: earlier)
        let act = write(.record(saying), by: device, under: random.chance(90) ? key : random.pick(0...7))
        remember(Made(kind: kind, act: act, device: device, aim: aim, mentions: [act] + (earlier?.mentions ?? [])))
    }

    /// Invites somebody to a moment.
    private mutating func invite(_ guest: Int, to moment: Int, by device: Int) {
        var saying = Saying(kind: Kind.invite.number, root: .itself, aim: .act(moment))
        saying.assertions = [.init(field: 1, word: .person(of: guest))]
        let act = write(.record(saying), by: device, isPrivate: true)
        remember(Made(kind: .invite, act: act, device: device, aim: .act(moment), mentions: [act]))
    }

    /// Changes a record, mostly one of the same person.
    mutating func edit() {
        let unkeyed = made.indices.filter { made[$0].kind.identity == .delta }
        let focused = unkeyed.filter { made[$0].kind == focus }
        guard let index = (random.chance(70) && !focused.isEmpty ? focused : unkeyed).randomElement(using: &random)
        else { return say(focus ?? .moment) }
        let record = made[random.chance(6) ? random.pick(made.indices) : index]
        let others = record.kind.hasSharedFields ? 60 : 12
        let device = random.chance(100 - others) ? colleague(of: record.device) : random.pick(Story.devices.indices)
        // Sometimes the reference is of an edit, which is no record, or the kind is another.
        let root = random.chance(90) ? record.act : random.pick(record.mentions)
        let kind = record.kind.identity == .delta && random.chance(97) ? record.kind : .place
        var saying = Saying(kind: kind.number, root: .act(root), aim: aim(of: kind))
        let isComplete = root != record.act || kind != record.kind
        assert(kind, in: &saying, by: device, isComplete: isComplete, about: record)
        mention(write(saying, about: record, by: device), of: index)
    }

    /// Says something about a record, mostly for those for whom the record is.
    private mutating func write(_ saying: Saying, about record: Made, by device: Int) -> Int {
        guard record.kind.audience == .moderators, random.chance(90) else {
            let isPrivate = isPrivate(record.act) != random.chance(6)
            return write(.record(saying), by: device, isPrivate: isPrivate)
        }
        return write(.record(saying), by: device, under: 5)
    }

    /// Hides a record of anybody's or shows it again, with or without the right to; sometimes somebody else has a say, too.
    mutating func hide() {
        let unkeyed = made.indices.filter { made[$0].kind.identity == .delta }
        let focused = unkeyed.filter { made[$0].kind == focus }.prefix(4)
        guard let index = (random.chance(90) && !focused.isEmpty ? focused : unkeyed[...]).randomElement(using: &random)
        else { return say(focus ?? .moment) }
        let record = made[random.chance(4) ? random.pick(made.indices) : index]
        hide(record, at: index)
        guard random.chance(75) else { return }
        // The founder has seen all of it, who is a guest of some.
        var saying = Saying(kind: record.kind.number, root: .act(record.act))
        saying.assertions = [
            .init(
                field: Hiding.field.number,
                word: .value(random.chance(70) ? .cleared : .text("seen")),
                overwrites: made[index].mentions,
                isPinned: random.chance(95)
            )
        ]
        if record.kind.audience == .moderators { return mention(write(saying, about: record, by: 0), of: index) }
        mention(write(.record(saying), by: 0, isPrivate: isPrivate(record.act)), of: index)
    }

    private mutating func hide(_ record: Made, at index: Int) {
        let kind = random.chance(97) ? record.kind : .place
        var saying = Saying(kind: kind.number, root: random.chance(2) ? .none : .act(record.act), aim: aim(of: kind))
        let reason = Saying.Word.value(random.chance(70) ? .text(random.pick(["", "rude"])) : .cleared)
        let word = random.chance(10) ? odd(Hiding.field) : reason
        let overwrites = made[index].mentions.filter { _ in random.chance(50) }
        saying.assertions = [
            .init(field: Hiding.field.number, word: word, overwrites: overwrites, isPinned: random.chance(70))
        ]
        // Some say more with it, which counts where the record is theirs.
        if random.chance(15) { assert(kind, in: &saying, by: 0, isComplete: false, about: record) }
        let speaker = random.chance(70) ? 0 : random.pick(Story.devices.indices)
        mention(write(saying, about: record, by: speaker), of: index)
    }

    /// Deletes a record, mostly one of the same person.
    mutating func delete() {
        let focused = made.filter { $0.kind == focus }
        guard let record = (random.chance(50) && !focused.isEmpty ? focused : made).randomElement(using: &random)
        else { return say(focus ?? .moment) }
        let device = random.chance(80) ? colleague(of: record.device) : random.pick(Story.devices.indices)
        write(.deletion(of: random.chance(95) ? record.act : random.pick(record.mentions)), by: device)
    }

    /// Writes what no version understands.
    mutating func babble() {
        let root: Saying.Root = random.pick([.itself, .none, made.first.map { .act($0.act) } ?? .none])
        let later = Saying(kind: 4711, root: root, assertions: [unknown(1)])
        let noise = random.bytes(Int.random(in: 0..<40, using: &random))
        write(
            random.chance(50) ? .record(later) : .noise(noise, root: root),
            by: random.pick(Story.devices.indices)
        )
    }

    /// A device of the same person.
    private mutating func colleague(of device: Int) -> Int {
        random.pick(Story.devices.indices.filter { Story.persons[$0] == Story.persons[device] })
    }

    private mutating func takePart(in aim: Saying.Aim, by device: Int, isPrivate: Bool) {
        guard aim != .nothing else { return }
        var saying = Saying(kind: Kind.participation.number, aim: aim)
        saying.assertions = [.init(field: 1, word: .value(.number(random.pick(2...3 as ClosedRange<Int64>))))]
        write(.record(saying), by: device, isPrivate: isPrivate)
    }

    /// What the same person said of a keyed record before.
    private func sameRecord(_ kind: Kind, _ aim: Saying.Aim, by device: Int) -> Made? {
        made.last { $0.kind == kind && $0.aim == aim && Story.persons[$0.device] == Story.persons[device] }
    }

    /// What somebody speaks of; of keyed kinds often what the same person has spoken of before.
    private mutating func aim(of kind: Kind, by device: Int) -> Saying.Aim {
        guard kind.identity == .key, random.chance(35) else { return aim(of: kind) }
        let said = made.filter { $0.kind == kind && Story.persons[$0.device] == Story.persons[device] }
        return said.randomElement(using: &random)?.aim ?? aim(of: kind)
    }

    private mutating func aim(of kind: Kind) -> Saying.Aim {
        if kind.target == .person, !random.chance(5) { return .person(of: random.pick(Story.devices.indices)) }
        guard let trait = kind.trait, !random.chance(3) else { return random.chance(3) ? .person(of: 0) : .nothing }
        if kind.mayHangOnEvent, random.chance(25) { return .nothing }
        // Few of each, so that much hangs on the same.
        let fitting = made.filter { $0.kind.traits.contains(trait) }.prefix(4)
        let choices = fitting.isEmpty || random.chance(6) ? made[...] : fitting
        return choices.randomElement(using: &random).map { .act($0.act) } ?? .nothing
    }
}

// MARK: - Values

extension StoryGenerator {
    private mutating func assert(
        _ kind: Kind,
        in saying: inout Saying,
        by device: Int,
        isComplete: Bool,
        about record: Made?
    ) {
        for field in kind.fields where isComplete && field.isRequired || random.chance(35) {
            let isGood = isComplete && field.isRequired ? !random.chance(2) : !random.chance(15)
            let word = isGood ? good(field, of: kind, in: &saying) : odd(field)
            var overwrites = (record?.mentions ?? []).filter { _ in random.chance(40) }
            // Sometimes one that is of another record.
            if random.chance(5), let other = made.randomElement(using: &random) { overwrites.append(other.act) }
            let isPinned = random.chance(field.isShared ? 30 : 3)
            saying.assertions.append(
                .init(field: field.number, word: word, overwrites: overwrites, isPinned: isPinned)
            )
        }
        if random.chance(4) { saying.assertions.append(unknown(200)) }
        // One field twice.
        if random.chance(4), let again = saying.assertions.randomElement(using: &random) {
            saying.assertions.append(again)
        }
        saying.assertions.shuffle(using: &random)
    }

    private func unknown(_ field: UInt32) -> Saying.Assertion {
        .init(field: field, word: .value(.text("later")), overwritesUnknown: true)
    }

    private mutating func good(_ field: Field, of kind: Kind, in saying: inout Saying) -> Saying.Word {
        if field.name == kind.onOff, random.chance(70) { return .value(.number(1)) }
        for case .span(_, field.name, _) in kind.shownIf where random.chance(70) { return .value(.number(3)) }
        switch field.type {
        case .text(let limit):
            let long = String(repeating: "x", count: limit > 2000 && random.chance(12) ? 1500 : 0)
            let isSeen = field.needsVisibleText && random.chance(90)
            let word = random.pick(["Ana", "Böb", "c\u{1}\"\\"] + (isSeen ? [] : ["", "\u{200b} "]))
            return .value(.text(word + long))
        case .number, .flag, .choice, .time, .latitude, .longitude, .metres:
            let range = field.type.numbers ?? 0...0
            let highest = min(range.upperBound, range.lowerBound + 3)
            return .value(.number(Int64.random(in: range.lowerBound...highest, using: &random)))
        case .reference: return made.last.map { .reference(to: $0.act) } ?? .value(.data([]))
        case .references:
            let moments = made.filter { $0.kind == .moment }
            return moments.randomElement(using: &random).map { .reference(to: $0.act) } ?? .value(.cleared)
        case .person: return .person(of: random.pick(Story.devices.indices))
        case .device: return .value(.data(random.bytes(32)))
        case .hours: return .value(.data([UInt8(random.pick(0...6)), 2, 0, 4, UInt8(random.pick(0...9))]))
        case .ends:
            let written = story.acts.filter { $0.journal == .content }.map(\.id)
            return random.chance(30) ? .value(.data([0])) : .ends(behind: written.filter { _ in random.chance(20) })
        case .media:
            let media = media()
            if !random.chance(3), saying.listed.count < Limits.blobsPerHeader { saying.listed.append(media) }
            return .value(.media(media))
        }
    }

    /// Values that the field does not admit, or that clear it, or blobs that no header lists.
    private mutating func odd(_ field: Field) -> Saying.Word {
        switch random.next() % 6 {
        case 0: .value(.text(String(repeating: "y", count: 4001)))
        case 1: .value(.number(Int64.min))
        case 2: .value(.data(random.bytes(7)))
        case 3 where field.type == .media: .value(.media(media()))
        case 4: .value(.text("a\u{0}b"))
        default: .value(.cleared)
        }
    }

    private mutating func media() -> Media {
        let size = UInt64.random(in: 1...3, using: &random)
        let root = Bytes32(at: 0, of: random.bytes(32).span)
        return Media(root: root, size: size, key: random.bytes(32), type: "image/x")
    }
}

extension SplitMix {
    /// Any bytes.
    fileprivate mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
    }
}
