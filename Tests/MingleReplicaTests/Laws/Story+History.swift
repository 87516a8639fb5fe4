// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire
import TestSupport

extension Story {
    /// The deltas and keys that reach the observer.
    func history() throws -> History { try Scene(self).history }
}

/// A story while its acts are signed and sealed one after the other.
private struct Scene {
    private let story: Story
    private let cast: Cast
    private var written: [Int: Delta] = [:]
    private(set) var history: History

    init(_ story: Story) throws {
        self.story = story
        cast = Cast(seed: story.seed)
        history = History(event: cast.event, observer: cast.observer(hasInvitation: story.observerHasInvitation))
        history.keys = story.keys.map { cast.epochs[$0] }
        var lost: Set<Int> = []
        for act in story.acts {
            var delta = try write(act)
            written[act.id] = delta
            if act.arrival == .never || story.parent(of: act).map(lost.contains) ?? false {
                // What follows it can never be attached.
                lost.insert(act.id)
                continue
            }
            if act.arrival == .withoutPayload, delta.canLackPayload { delta.payload = nil }
            history.deltas.append(delta)
        }
    }

    private func write(_ act: Act) throws -> Delta {
        let scribe = cast.scribes[act.device]
        // The same salt, and so much the same order of hashes, whatever else the story tells.
        let randomness = Randomness.seeded(story.seed &* 1_000_033 &+ UInt64(act.id))
        var entry = Scribe.Entry(journal: act.journal, time: act.time, extensionBytes: act.extensionBytes)
        if let fabric = try cast.fabric(act) { entry.plain = try fabric.encoded() }
        switch act.deed {
        case .cut(let device, let level, let ends, let earlier):
            let ends = ends.compactMap { written[$0].map(FrontierEntry.init(endingAt:)) }
            let terms = CutTerms(
                person: cast.scribes[device].keys.person,
                level: level,
                ends: ends,
                overwrites: earlier.map(reference)
            )
            entry.plain = try FabricPayload.cut(terms).encoded()
        case .retirement(let device, let ends):
            let (name, ends) = (
                cast.scribes[device].own.name, ends.compactMap { written[$0].map(FrontierEntry.init(endingAt:)) }
            )
            let person = cast.scribes[device].keys.person
            let terms = CutTerms(person: person, device: name, level: nil, ends: ends.filter { $0.device == name })
            entry.plain = try FabricPayload.cut(terms).encoded()
        case .record(let saying): try put(saying, by: scribe, into: &entry)
        case .deletion(let id): (entry.root, entry.isDeletion) = (.reference(reference(to: id)), true)
        case .noise(let bytes, let root): (entry.root, entry.plain) = (self.root(root), bytes)
        case .privateEpoch(let number):
            let recipient = cast.observer.agreement.publicKey
            entry.plain = try cast.epochs[number].payload(from: scribe.keys.agreement, to: recipient, randomness)
        case .certificate, .invitation, .grant, .closing, .epoch, .admission: break
        }
        entry.epoch = act.epoch.map { cast.epochs[$0] }
        let hand = Scribe(scribe.keys, event: cast.event, randomness: randomness)
        return hand.write(entry, after: story.parent(of: act).flatMap { written[$0] })
    }

    private func put(_ saying: Saying, by scribe: Scribe, into entry: inout Scribe.Entry) throws {
        entry.root = root(saying.root)
        entry.blobs = saying.listed.map { BlobListing(name: $0.name(owner: scribe.keys.person), size: $0.size) }
        let payload = RecordPayload(
            kind: saying.kind,
            target: target(saying.aim),
            subject: target(saying.subject),
            changes: saying.assertions.map(change)
        )
        entry.plain = try payload.encoded()
    }

    private func target(_ aim: Saying.Aim) -> Target {
        switch aim {
        case .nothing: .nothing
        case .person(let device): .person(cast.scribes[device].keys.person)
        case .act(let id): .record(reference(to: id))
        }
    }

    private func change(_ assertion: Saying.Assertion) -> Change {
        let value: Value =
            switch assertion.word {
            case .value(let value): value
            case .reference(let id): .data(reference(to: id).bytes)
            case .person(let device): .data(cast.scribes[device].keys.person.bytes)
            case .ends(let acts):
                .data(acts.compactMap { written[$0].map(FrontierEntry.init(endingAt:)) }.flatMap(\.bytes))
            }
        let overwrites = assertion.overwrites.map(reference) + (assertion.overwritesUnknown ? [reference(to: -1)] : [])
        return Change(
            field: assertion.field,
            value: value,
            overwrites: overwrites,
            isPinned: assertion.isPinned
        )
    }

    private func root(_ root: Saying.Root) -> Root {
        switch root {
        case .itself: .itself
        case .none: .none
        case .act(let id): .reference(reference(to: id))
        }
    }

    /// The name of an act's delta, or one that nobody bears.
    private func reference(to id: Int) -> Reference {
        written[id]?.reference ?? Reference(device: 1, journal: .content, sequence: 1, hash: 1)
    }
}

extension FrontierEntry {
    /// An end of a cut: a delta that still counts.
    init(endingAt delta: Delta) {
        let header = delta.header
        self.init(
            device: header.device,
            journal: header.journal,
            sequence: header.sequence,
            tip: delta.hash.raw.prefix
        )
    }
}
