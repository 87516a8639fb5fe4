// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import MingleWire

/// What a person does with the product.
enum Deed {
    case rename, makeMoment, join, checkIn, sharePhoto, shareAgain, comment, fave, edit, delete, invite, promote
    case remove, leave, retire, renew, knock, slip, disagree, hide, meetPrivately, talkPrivately
    case changeVisibility, link, openNearby, walkIn
    /// Says something of any kind, or changes such a thing.
    case say, change
}

extension World {
    private static let weights: [(Deed, Int)] = [
        (.rename, 4), (.makeMoment, 6), (.join, 14), (.checkIn, 8), (.sharePhoto, 15), (.shareAgain, 2), (.comment, 22),
        (.fave, 16), (.edit, 22), (.delete, 8), (.invite, 1), (.promote, 8), (.remove, 10), (.leave, 2), (.retire, 2),
        (.renew, 12), (.knock, 3),
        (.slip, 1),
        (.disagree, 8), (.hide, 12), (.meetPrivately, 4), (.talkPrivately, 24),
        (.changeVisibility, 6), (.link, 3), (.openNearby, 2), (.walkIn, 5), (.say, 100), (.change, 16),
    ]

    /// A person does something, and something else later.
    func act(_ node: SimulatedNode) throws {
        guard !isHealing, plan.deedsPerHour > 0 else { return }
        let pause = Duration.seconds(3600) / plan.deedsPerHour * 100 / plan.rhythm(at: min(now, plan.length))
        agenda.add(.deed(node: node.number), at: now + whims.around(pause / phonesInUse(at: node)))
        if node.isDoor { return try askSomething(of: node) }
        guard node.isAwake, !node.isRetired, !node.isLost, node.departure == nil, try node.replica.hasKey(),
            try node.replica.isAdmitted(node.secrets.person)
        else { return }
        if ledger.entry(.profile, of: node.secrets.person, on: nil) == nil {
            if whims.chance(50) { try slip(node) }
            return try rename(node)
        }
        if node.number == 0, !removals.removed.isEmpty, whims.chance(15) { return try rescueSomebody() }
        try carryOut(whims.pick(Self.weights), by: node)
    }

    /// Does something by a node.
    func carryOut(_ deed: Deed, by node: SimulatedNode) throws {
        switch deed {
        case .rename: try rename(node)
        case .makeMoment: try makeMoment(node)
        case .join: try takePart(node, .joined)
        case .checkIn: try checkIn(node)
        case .sharePhoto: try sharePhoto(node)
        case .shareAgain: try shareAgain(node)
        case .comment: try comment(node)
        case .fave: try fave(node)
        case .edit: try edit(node)
        case .delete: try delete(node)
        case .invite: if node.number == 0 { try invite() }
        case .promote: if node.number == 0 { try promote() }
        case .remove: if node.number == 0 { try removeSomebody() }
        case .leave: try leave(node)
        case .retire: try retireOther(of: node)
        case .renew: if node.number == 0 { try renewKey() }
        case .knock: try knock(at: node)
        case .slip: try slip(node)
        case .disagree: try disagree(node)
        case .hide: try hide(node)
        case .meetPrivately: try meetPrivately(node)
        case .talkPrivately: try talkPrivately(node)
        case .changeVisibility: try changeVisibility(node)
        case .link: try link(node)
        case .openNearby: try changeOpening()
        case .walkIn: try walkIn(by: node)
        case .say: try sayAnything(node)
        case .change: try changeAnything(node)
        }
    }

    /// Writes what a person says, tells the engine, and returns the deltas' names; nil if it was only pretended.
    ///
    /// - Parameters:
    ///   - time: nil for what the node's clock says.
    ///   - count: how many of the drafts are of content; nil: all.
    func author(
        _ drafts: [Draft],
        by node: SimulatedNode,
        at time: Timestamp? = nil,
        ofContent count: Int? = nil
    ) throws -> (references: [Reference], time: Timestamp)? {
        guard !node.isRetired, !node.isLost else { return nil }
        let time = time ?? node.clock(at: now)
        coverage.writes += drafts.count
        if options.planted == .losesWrite, node.number == 1, coverage.writes % 5 == 0 { return lose(node, time) }
        let before = try node.replica.tips(of: node.replica.own.name, .content)
        do {
            let authored = try node.replica.author(drafts, at: time, randomness: node.randomness)
            trace.note(.authored, at: now, UInt64(node.number), authored.references.first?.hash ?? 0)
            note(authored.runs, by: node)
            noteSealed(authored.runs)
            try tell(node, authored.outcome, own: authored.runs)
            return (authored.references, time)
        } catch ReplicaError.rateReached {
            // A clock that was set back gives many hours' words the times of one.
            coverage.refusedDrafts += 1
            return nil
        } catch let error as ReplicaError where error == .keyOutdated || error == .locked {
            // People are told to try again; the keys that a device holds may count no more.
            coverage.lateKeys += 1
            return nil
        } catch {
            guard node.disk?.hasFailed == true else { throw error }
            try cutPower(of: node)
            return try written(by: node, since: before, of: count ?? drafts.count).map { ($0, time) }
        }
    }

    /// What a power cut left of a write that it came into: all or nothing.
    private func written(
        by node: SimulatedNode,
        since tips: [FrontierEntry],
        of count: Int
    ) throws -> [Reference]? {
        let held = tips.map { HeldHeader(sequence: $0.sequence, hash: $0.tip) }
        let runs = try node.replica.runs(of: node.replica.own.name, .content, after: held, byteLimit: 1 << 20)
        // Keys of private audiences are written along the way.
        let references = runs.flatMap(\.deltas).filter { $0.header.epoch != .plaintext || $0.header.isDeletion }
            .map(\.reference)
        if references.isEmpty { return nil }
        note(runs, by: node)
        noteSealed(runs)
        coverage.uncertainWrites += 1
        if references.count != count {
            report("atomicity", "node \(node.number) kept \(references.count) deltas of \(count) that are one write")
        }
        return references
    }

    /// Says that something was written, as the planted mistake does.
    private func lose(_ node: SimulatedNode, _ time: Timestamp) -> (references: [Reference], time: Timestamp) {
        let hash = whims.next()
        let device = node.replica.own.name.raw.prefix
        return ([Reference(device: device, journal: .content, sequence: 1 << 20, hash: hash)], time)
    }

    /// A record that the person sees, of one of these kinds; the newer the likelier.
    func someRecord(_ kinds: [Kind], seenBy node: SimulatedNode) -> Ledger.Entry? {
        guard !ledger.entries.isEmpty else { return nil }
        for _ in 0..<12 {
            let recent = min(ledger.entries.count, whims.chance(60) ? 40 : ledger.entries.count)
            let entry = ledger.entries[ledger.entries.count - 1 - whims.number(0...(recent - 1))]
            guard kinds.contains(entry.kind), node.shows(entry.kind, entry.reference), isPublic(entry, at: node) else {
                continue
            }
            return entry
        }
        return nil
    }

    /// One of the last records that the person, with whichever device, made and sees on this one.
    func someOwnRecord(_ kinds: [Kind], seenBy node: SimulatedNode) -> Ledger.Entry? {
        let own = ledger.entries(of: node.secrets.person).suffix(whims.chance(85) ? 3 : 40)
            .filter { kinds.contains($0.kind) && node.shows($0.kind, $0.reference) }
        return own.isEmpty ? nil : whims.pick(own)
    }

    /// A word of the person's, which nobody else says.
    func word(_ what: String) -> Value { Ledger.words(what, makeNumber()) }

    /// Some words of the person's; now and then too many to travel with their header.
    func words(_ what: String) -> Value {
        guard whims.chance(20), case .text(let word) = word(what) else { return word(what) }
        return .text(String(repeating: "and so on ", count: whims.number(110...380)) + word)
    }
}

extension SimulatedNode {
    /// Stores bytes as a picture of the person's; a record that shows it names it as media, and its delta lists it.
    func store(_ bytes: [UInt8]) throws -> (media: Media, listing: BlobListing) {
        let stored = try blobs.put(bytes, owner: secrets.person)
        let media = Media(root: stored.root, size: UInt64(stored.size), key: stored.key, type: "image/jpeg")
        return (media, BlobListing(name: stored.name(owner: secrets.person), size: media.size))
    }

    /// Whether the person sees a record.
    func shows(_ kind: Kind, _ reference: Reference?) -> Bool {
        guard let reference else { return false }
        return (try? replica.sees(kind, reference)) ?? false
    }
}
