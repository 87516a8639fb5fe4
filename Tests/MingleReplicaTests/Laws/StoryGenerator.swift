// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleWire
import TestSupport

/// Draws stories from a seed: honest devices, copied folders, modified nodes and broken clocks.
struct StoryGenerator {
    /// A record that some device made, or a keyed one that some device set.
    struct Made {
        let kind: Kind
        let act: Int
        let device: Int
        let aim: Saying.Aim
        /// Acts about the record, to be named as overwritten.
        var mentions: [Int]
    }

    var random: SplitMix
    private(set) var story: Story
    private(set) var made: [Made] = []
    /// The kind that most of the story is about; nil for all alike.
    let focus: Kind?
    /// The last act of each copy of each device's journal; a copied folder goes on from an old one.
    private var tips: [Journal: [[Int?]]] = [:]

    init(seed: UInt64, actCount: Int, about focus: Kind? = nil) {
        random = SplitMix(seed: seed)
        story = Story(seed: seed)
        self.focus = focus
        let usesSlot = random.chance(50)
        story.observerHasInvitation = usesSlot
        // Some observers get the first key through the invitation's slot, others by themselves.
        story.keys = [1] + (usesSlot ? [] : [0])
        for epoch in 3...7 where random.chance(20) { story.keys.append(epoch) }
        for journal in Journal.allCases { tips[journal] = Story.devices.map { _ in [nil] } }
        introduce()
        while story.acts.count < actCount { step() }
    }

    /// Certificates, invitations, epochs and admissions; some come later, from ``step()``.
    private mutating func introduce() {
        for device in Story.devices.indices {
            write(.certificate(of: device), by: device)
            if (1...3).contains(device), !random.chance(10) { write(.admission(of: device, by: 0), by: device) }
        }
        write(.invitation(0, to: random.chance(90) ? .attendee : .guest), by: 0)
        write(.epoch(0), by: 0)
        if random.chance(70) { write(.epoch(1), by: 0) }
        for epoch in 3...7 where random.chance(70) { write(.privateEpoch(epoch), by: 1) }
    }

    private mutating func step() {
        switch random.next() % 100 {
        case 0..<62:
            let kinds = kinds
            say(random.pick(kinds))
        case 62..<78: edit()
        case 78..<84: hide()
        case 84..<90: delete()
        case 90..<91: babble()
        case 91..<97: govern()
        case 97: random.chance(30) ? retire() : cut()
        case 98: cut()
        default: copyFolder()
        }
    }

    /// Kinds to speak of, the likelier ones more than once.
    private var kinds: [Kind] {
        guard let focus else { return made.count < 4 ? [.moment] : Kind.all + Kind.all.filter(\.needsRecord) }
        let needed = focus.needs(drawing: Int(story.seed % 1000))
        return needed.allSatisfy { kind in made.contains { $0.kind == kind } }
            ? Array(repeating: focus, count: 14) + needed + Kind.all : [focus] + needed
    }

    /// A device's folder is copied, and the copy goes on from an older tip.
    private mutating func copyFolder() {
        let device = random.pick(Story.devices.indices)
        let journal: Journal = random.chance(80) ? .content : .fabric
        // Of more branches than count, those that go take with them what was erased meanwhile: see `BranchTests`.
        guard tips[journal]?[device].count ?? 0 < Limits.branchesPerJournal else { return }
        let written = story.acts.filter { $0.device == device && $0.journal == journal }
        let isNew = written.isEmpty || journal == .content && random.chance(15)
        tips[journal]?[device].append(isNew ? nil : random.pick(written).id)
    }

    /// What one device or another says in the fabric, with or without the right to.
    private mutating func govern() {
        let device = random.pick(Story.devices.indices)
        // Who is to have a say mostly has one.
        let speaker = random.chance(60) ? 0 : device
        switch random.next() % 10 {
        case 9: write(.privateEpoch(random.pick(3...7)), by: device)
        case 0: write(.invitation(random.pick(0..<2), to: random.pick(Array(Level.allCases.dropFirst()))), by: speaker)
        case 6, 7:
            let level: Level = random.pick([.successor, .host, .host, .moderator, .moderator, .attendee])
            write(.grant(to: random.pick(Story.devices.indices), level), by: speaker)
        case 8:
            let admitted = Story.devices.indices.filter { _ in random.chance(60) }
            write(.closing(random.pick(0..<2), but: admitted), by: speaker)
        case 1: write(.epoch(random.pick(0..<3)), by: device)
        case 2: write(.admission(of: random.pick(Story.devices.indices), by: 1), by: device)
        case 3: write(.certificate(of: 0), by: device)
        default: write(.admission(of: 4, by: random.pick(0..<2)), by: 4)
        }
    }

    /// Somebody cuts what a person wrote, mostly behind all of it, and sometimes takes another cut back.
    private mutating func cut() {
        let speaker = random.chance(60) ? 0 : random.pick(Story.devices.indices)
        let device = random.chance(5) ? 0 : random.pick(1..<Story.devices.count)
        let devices = Story.devices.indices.filter { Story.persons[$0] == Story.persons[device] }
        var ends: [Int] = []
        for device in devices where random.chance(80) {
            for journal in Journal.allCases where random.chance(90) {
                let written = story.acts.filter { $0.device == device && $0.journal == journal }.map(\.id)
                let tips = (tips[journal]?[device] ?? []).compactMap { $0 }
                if let old = written.randomElement(using: &random) {
                    ends += random.chance(50) ? tips.filter { _ in random.chance(80) } : [old]
                }
            }
        }
        let earlier = story.acts.filter { if case .cut = $0.deed { true } else { false } }.map(\.id)
        let level: Level? = random.pick([nil, nil, .guest, .attendee, .moderator, .founder])
        let replaced = earlier.filter { _ in random.chance(60) }
        write(.cut(of: device, to: level, behind: ends, insteadOf: replaced), by: speaker)
    }

    /// Bob's phone retires his laptop, or the laptop the phone, behind most of what that wrote; or somebody else says so.
    private mutating func retire() {
        let speaker = random.chance(90) ? random.pick(1...2) : random.pick(Story.devices.indices)
        let device = random.chance(90) ? 3 - min(speaker, 2) : random.pick(Story.devices.indices)
        let written = Journal.allCases.compactMap { journal in
            story.acts.filter { $0.device == device && $0.journal == journal }.map(\.id).suffix(4).randomElement(
                using: &random
            )
        }
        write(.retirement(of: device, behind: written.filter { _ in random.chance(90) }), by: speaker)
    }

    /// Leaves out a part that never arrives: ends of journals, payloads, keys.
    mutating func lose() {
        guard !random.chance(40) else { return }
        for index in story.acts.indices {
            if random.chance(3) {
                story.acts[index].arrival = .never
            } else if random.chance(5) {
                story.acts[index].arrival = .withoutPayload
            }
        }
        story.keys.removeAll { _ in random.chance(15) }
    }
}

// MARK: - Writing

extension StoryGenerator {
    /// Writes one act and returns its name.
    @discardableResult
    mutating func write(_ deed: Act.Deed, by device: Int, isPrivate: Bool = false, under key: Int? = nil) -> Int {
        var act = Act(id: story.acts.count, device: device, deed: deed)
        act.time = time()
        if act.journal == .content {
            switch deed {
            case .deletion, .privateEpoch: break
            default: act.epoch = key ?? (isPrivate ? random.pick(3...4) : epoch())
            }
            if random.chance(3) { act.extensionBytes = [UInt8](repeating: 7, count: 9) }
        }
        let copies = tips[act.journal]?[device] ?? []
        let copy = random.pick(copies.indices)
        story.parents[act.id] = copies[copy]
        tips[act.journal]?[device][copy] = act.id
        story.acts.append(act)
        return act.id
    }

    /// Remembers a record.
    mutating func remember(_ record: Made) { made.append(record) }

    /// Remembers that an act speaks of a record.
    mutating func mention(_ act: Int, of record: Int) { made[record].mentions.append(act) }

    /// What seals a payload: the third epoch's key never comes; the second's may come late.
    private mutating func epoch() -> Int? {
        if random.chance(1) { return nil }
        return random.chance(80) ? 0 : random.chance(80) ? 1 : 2
    }

    /// A few instants, so that many are equal; sometimes a clock is years off.
    private mutating func time() -> Int64 {
        switch random.next() % 20 {
        case 0: 0
        case 1: 4_000_000_000_000
        default: 1_000_000 + Int64.random(in: 0..<5, using: &random)
        }
    }
}

extension StoryGenerator {
    /// Whether an act is sealed for Bob's guests.
    func isPrivate(_ act: Int) -> Bool { story.acts[act].epoch.map { $0 > 2 } ?? false }
}

extension Kind {
    /// Whether a record of this kind hangs on another.
    var needsRecord: Bool { trait != nil }

    /// The kinds without which none of this kind is shown, and theirs.
    ///
    /// - Parameter number: Says on which two of many kinds the records hang.
    func needs(drawing number: Int) -> [Kind] {
        let start = parents.isEmpty ? 0 : number % parents.count
        let chosen = Array((Array(parents[start...]) + parents[..<start]).prefix(2))
        let taking: [Kind] = participation == nil ? [] : [.moment, .participation]
        let owning: [Kind] = shownIf.contains(.owner) ? [.ownership, .ownership] : []
        return chosen + taking + owning + chosen.flatMap { $0.needs(drawing: number) }
    }
}
