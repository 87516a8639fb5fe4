// SPDX-License-Identifier: Apache-2.0

import MingleModel

/// How often things happened without which a run proves nothing.
package struct Coverage: Codable, Hashable, Sendable {
    /// Paths between groups of peers that were cut for a while.
    package var partitions = 0
    /// Cuts in one direction only.
    package var asymmetricCuts = 0
    /// Links that ended at once.
    package var cutLinks = 0
    /// Engines that began anew from what the replica held.
    package var restarts = 0
    /// Machines whose power was cut.
    package var powerCuts = 0
    /// Of these, how many in the midst of a write.
    package var tornWrites = 0
    /// Writes for which there was no room.
    package var fullDisks = 0
    /// Writes of people that a power cut came into and that were on the disk nevertheless.
    package var uncertainWrites = 0
    /// Peers that slept.
    package var sleeps = 0
    /// Clocks that were set.
    package var clockJumps = 0
    /// Peers that a member let in.
    package var admissions = 0
    /// Hosts that the founder made, and newcomers who were shown an invitation when there were some.
    package var promotions = 0, hostedInvitations = 0
    /// Records that moderators hid, and showed again.
    package var hidings = 0, showings = 0
    /// Records that were hidden because people reported them.
    package var reportHidings = 0
    /// What people said that their own nodes refused.
    package var refusedDrafts = 0
    /// Records that came from the future, as the clock of the node has it to which they came.
    package var late = 0
    /// Newcomers that a member refused for a while.
    package var refusals = 0
    /// Fields of which two devices of a person wrote values without knowing of each other's.
    package var conflicts = 0
    /// Keys that founders without one made for their events.
    package var freshBeginnings = 0
    /// What was said under keys that every disk had lost.
    package var lockedForEver = 0
    /// Edits of what another device had deleted already, and deletions of what another had edited, unknowingly.
    package var editsOfDeleted = 0
    /// Deletions.
    package var deletions = 0
    /// Things said about what was deleted already, elsewhere.
    package var orphans = 0
    /// Writes by people, all told.
    package var writes = 0
    /// Merges of what others wrote, in transactions.
    package var merges = 0
    /// Chunks of blobs that were stored.
    package var chunks = 0
    /// Messages that arrived.
    package var messages = 0
    /// Links that opened.
    package var links = 0
    /// Links that ended because the two had another one.
    package var duplicateLinks = 0
    /// Journals or blobs that a peer was given up on for.
    package var abandonments = 0
    /// Backups that were put back, and copies that a second machine ran with.
    package var restores = 0, twins = 0
    /// Nodes that went on as a new device after their key was met elsewhere.
    package var renewals = 0
    /// Deltas that a restored node had forgotten and nobody else had.
    package var losses = 0
    /// Bits that flipped on disks, databases that were built anew for that, and blobs of which something was dropped.
    package var flippedBits = 0, rebuilds = 0, damagedBlobs = 0
    /// Scenarios that were played: what happens in them is written down, and need not be all.
    package var scenarios = 0
    /// How often hostile peers behaved in which way; a way that was drawn and never taken counts 0 times.
    package var mischief: [String: Int] = [:]
    /// What was said of each kind, by its name.
    package var kinds: [String: KindCoverage] = [:]

    /// Blobs that relays let go of.
    package var evictions = 0
    /// Payloads that nodes let go of, as their authors were beyond what was to be kept.
    package var letGo = 0
    /// Keys that the founder drew anew.
    package var rotations = 0
    /// Private moments, what was said in them, and invitations to them that were taken back.
    package var privateMoments = 0
    package var privateWords = 0
    package var uninvited = 0
    /// Private moments that were made public, and public ones that were made private.
    package var published = 0, withdrawn = 0
    /// What moderators said of what guests said.
    package var privateHidings = 0
    /// Keys that somebody renewed or handed on unasked.
    package var keysTended = 0
    /// People whom somebody removed.
    package var removals = 0
    /// How often more was let count of what they had shared, how many records that showed, and how often there was nothing more.
    package var rescues = 0, rescued = 0, vainRescues = 0
    /// People who left, and devices that their persons retired.
    package var leavings = 0, retirements = 0
    /// Writes that had to wait for a key which somebody lacks who was removed.
    package var lateKeys = 0
    /// Devices that another one of their person's certified, those that gave up before, and requests that were refused.
    package var linkings = 0, lostLinkings = 0, linkRefusals = 0
    /// Linked devices of which the folder was copied, so that they went on as nobody.
    package var linkedCopies = 0
    /// Times that the event was opened to anyone nearby, and closed to them; people who came in by that.
    package var openings = 0, openingsClosed = 0, walkIns = 0
    /// People who came by a phone, what was asked for by phones, and what a door refused them.
    package var guests = 0, requests = 0, requestsRefused = 0
    /// Guests who took part with a further phone, and who went on as a new device.
    package var signIns = 0, guestRenewals = 0
    /// Deltas that they wrote past the cut.
    package var voidDeltas = 0
    /// Writes that were refused as a whole.
    package var slips = 0
    /// Deltas of which it was looked whether they came soon: where nothing goes wrong only.
    package var timed = 0
    /// Nodes with files in a folder, of which a crash loses nothing and nobody searches the disk.
    package var filedNodes = 0

    /// Counts from zero.
    package init() {}

    /// How often each thing happened, by the name of its counter here.
    package var counts: [(name: String, count: Int)] {
        Mirror(reflecting: self).children.compactMap { child in
            guard let name = child.label, let count = child.value as? Int else { return nil }
            return (name, count)
        }
    }

    /// What did not happen at all, though a run is worth little without it.
    package var absent: [String] {
        let needed: [(String, Int)] = [
            ("partitions", partitions), ("asymmetric cuts", asymmetricCuts), ("cut links", cutLinks),
            ("restarts", restarts), ("power cuts", powerCuts), ("torn writes", tornWrites), ("full disks", fullDisks),
            ("sleeps", sleeps), ("clock jumps", clockJumps), ("conflicting edits", conflicts),
            ("deletions", deletions), ("deletions that met edits", editsOfDeleted),
            ("words about what was deleted", orphans), ("chunks", chunks),
            ("hidings because of reports", reportHidings), ("records from the future", late),
            ("private moments", privateMoments),
            ("words among guests", privateWords),
            ("hidings among guests", privateHidings), ("private moments made public", published),
            ("public moments made private", withdrawn), ("linked devices", linkings), ("people from nearby", walkIns),
        ]
        let idle = mischief.filter { $0.value == 0 }.keys.sorted().map { "\($0) by a hostile peer" }
        let unseen = filedNodes == 0 ? [] : ["look at the disks of \(filedNodes) nodes"]
        return (scenarios > 0 ? [] : needed.filter { $0.1 == 0 }.map(\.0) + absentKinds) + idle + unseen
    }

    /// What did not happen to some kind.
    private var absentKinds: [String] {
        // Invitations are among guests, of whom the ledger knows nothing.
        Kind.all.filter { $0 != .invite }.flatMap { kind in
            let counts = kinds[kind.name] ?? KindCoverage()
            return [
                counts.said == 0 ? "\(kind.name)" : nil,
                counts.changed == 0 && kind.isChanged ? "changed \(kind.name)" : nil,
                counts.shown == 0 ? "shown \(kind.name)" : nil,
            ].compactMap(\.self)
        }
    }

    /// Adds what another run showed.
    package mutating func add(_ other: Coverage) {
        for counter in Self.counters { self[keyPath: counter] += other[keyPath: counter] }
        mischief.merge(other.mischief, uniquingKeysWith: +)
        kinds.merge(other.kinds) { $0 + $1 }
    }

    private static var counters: [WritableKeyPath<Coverage, Int>] {
        [
            \.partitions, \.asymmetricCuts, \.cutLinks, \.restarts, \.powerCuts, \.tornWrites, \.fullDisks,
            \.uncertainWrites, \.sleeps, \.clockJumps, \.admissions, \.promotions, \.hostedInvitations,
            \.refusals,
            \.conflicts, \.editsOfDeleted, \.deletions, \.orphans, \.writes, \.merges, \.chunks, \.messages, \.links,
            \.duplicateLinks, \.abandonments, \.restores, \.twins, \.renewals, \.losses, \.scenarios, \.rotations,
            \.hidings, \.showings, \.keysTended, \.removals, \.rescues, \.rescued, \.vainRescues,
            \.leavings, \.retirements, \.lateKeys, \.voidDeltas,
            \.slips, \.timed, \.filedNodes,
            \.reportHidings, \.refusedDrafts, \.late, \.evictions, \.letGo,
            \.flippedBits, \.rebuilds, \.damagedBlobs, \.privateMoments,
            \.privateWords,
            \.uninvited, \.privateHidings,
            \.published, \.withdrawn, \.linkings, \.lostLinkings, \.linkRefusals, \.linkedCopies, \.openings,
            \.guests, \.requests, \.requestsRefused, \.signIns, \.guestRenewals,
            \.openingsClosed, \.walkIns, \.freshBeginnings, \.lockedForEver,
        ]
    }
}

/// How many records of a kind were said, changed afterwards, and shown in the end.
package struct KindCoverage: Codable, Hashable, Sendable {
    package var said = 0, changed = 0, shown = 0

    /// Counts from zero.
    package init() {}

    private init(said: Int, changed: Int, shown: Int) { (self.said, self.changed, self.shown) = (said, changed, shown) }

    static func + (left: KindCoverage, right: KindCoverage) -> KindCoverage {
        KindCoverage(
            said: left.said + right.said,
            changed: left.changed + right.changed,
            shown: left.shown + right.shown
        )
    }
}

extension Ledger {
    /// What was said of each kind.
    var coverage: [String: KindCoverage] {
        entries.reduce(into: [:]) { kinds, entry in
            kinds[entry.kind.name, default: KindCoverage()].said += 1
            if entry.references.count > 1 { kinds[entry.kind.name]?.changed += 1 }
            if isShown(entry) { kinds[entry.kind.name]?.shown += 1 }
        }
    }
}

extension Kind {
    /// Whether people change records of the kind: pictures stay as they are, and some kinds have a single value.
    fileprivate var isChanged: Bool {
        !World.kindsSaidElsewhere.contains(self)
            && fields.contains { $0.type != .media && $0.type.numbers.map { $0.count > 1 } ?? true }
    }
}
