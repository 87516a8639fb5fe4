// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import MingleWire

// What people say follows from the declarations: a new kind is said, changed and looked at without a line here.
extension World {
    /// Kinds of which the founder's settings and the guests of moments consist; people say them by means of their own.
    static let kindsSaidElsewhere: Set<Kind> = [.event, .invite]
    /// Kinds that people also say by deeds of their own.
    fileprivate static let kindsWithDeeds: Set<Kind> = [
        .profile, .moment, .participation, .checkIn, .photo, .comment, .fave,
    ]
    /// The kinds of records that a delta makes, which people change and delete.
    static let deltaKinds = Kind.all.filter { $0.identity == .delta && !kindsSaidElsewhere.contains($0) }

    /// Somebody says a record of any kind that the person may write now.
    func sayAnything(_ node: SimulatedNode) throws {
        guard let level = try node.replica.level(of: node.secrets.person) else { return }
        var kinds = Kind.all.filter { kind in
            // What is for some people alone is not written at a door, but for reports.
            !Self.kindsSaidElsewhere.contains(kind) && level >= kind.writers
                && !(node.isDoor && [.own, .pair].contains(kind.audience))
        }
        while !kinds.isEmpty {
            let kind: Kind = whims.pick(kinds.map { ($0, $0.simulatedWeight) })
            kinds.removeAll { $0 == kind }
            if try say(kind, by: node) { return }
        }
    }

    /// Says a record of a kind, or something else of one that there is already.
    ///
    /// - Returns: false if there is nothing that it could be about, or the person's own node refuses it.
    private func say(_ kind: Kind, by node: SimulatedNode) throws -> Bool {
        guard let scope = try someScope(of: kind, by: node),
            var values = try someValues(of: kind, in: scope, by: node)
        else { return false }
        let listings = kind.identity == .delta ? try addMedia(of: kind, to: &values, by: node) : []
        let written = try speak(of: listings, by: node) {
            try unlessRefused {
                try kind.identity == .key
                    ? set(kind, in: scope, values, by: node)
                    : create(kind, in: scope, values, blobs: listings, by: node)
            }
        }
        guard written != nil else { return false }
        if !listings.isEmpty { tell(node, [.blobsHeld(listings.map(\.name))]) }
        return true
    }

    /// Somebody changes a record of the person's own, or what everybody or who moderates may say of another's.
    func changeAnything(_ node: SimulatedNode) throws {
        let own = whims.chance(30) ? someOwnRecord(Self.deltaKinds, seenBy: node) : nil
        if let entry = try own ?? someSharedRecord(at: node) { try change(entry, by: node) }
    }

    /// Gives other values to one or two of the fields that the person writes in a record.
    func change(_ entry: Ledger.Entry, by node: SimulatedNode) throws {
        guard let record = entry.reference, let level = try node.replica.level(of: node.secrets.person),
            level >= entry.kind.writers
        else { return }
        let isAuthor = entry.person == node.secrets.person
        let fields = entry.kind.fields.filter {
            $0.type != .media && $0.writers.admit(level, isAuthor: isAuthor, isMaking: false)
        }
        var values: [String: Value] = [:]
        for _ in 0..<whims.number(1...2) where !fields.isEmpty {
            let field = whims.pick(fields)
            let isCleared = !field.isRequired && whims.chance(15)
            values[field.name] = try isCleared ? .cleared : someValue(of: field, in: entry.kind, by: node)
            // Who moderates looks at what waits for that, and mostly lets it be seen.
            if field.name == entry.kind.heldBack { values[field.name] = .number(whims.chance(85) ? 0 : 1) }
            if field.name == entry.kind.onOff { values[field.name] = .number(whims.chance(75) ? 1 : 0) }
        }
        guard !values.isEmpty else { return }
        if entry.isDeleted { coverage.editsOfDeleted += 1 }
        _ = try unlessRefused { try edit(record, entry.kind, values, by: node) }
    }

    /// One of the last records of others of which the person may write something.
    private func someSharedRecord(at node: SimulatedNode) throws -> Ledger.Entry? {
        guard let level = try node.replica.level(of: node.secrets.person) else { return nil }
        let kinds = Self.deltaKinds.filter { kind in
            level >= kind.writers && kind.fields.contains { $0.writers.admit(level, isAuthor: false, isMaking: false) }
        }
        for _ in 0..<6 where !kinds.isEmpty {
            let entries = ledger.entries(of: whims.pick(kinds), last: whims.chance(70) ? 8 : 60)
            guard !entries.isEmpty else { continue }
            let entry = whims.pick(entries)
            // Also one that is off, or waits.
            if let record = entry.reference, node.read(among: [record]) == [record], isPublic(entry, at: node) {
                return entry
            }
        }
        return nil
    }

    /// What `body` writes; nil if the node does not let its person say that.
    private func unlessRefused<Written>(_ body: () throws -> Written?) throws -> Written? {
        do {
            return try body()
        } catch let error as ReplicaError where error.isRefusal {
            coverage.refusedDrafts += 1
            return nil
        }
    }

    // MARK: - Pictures

    /// Puts pictures of random bytes, those that the kind needs or now and then those that it may have.
    private func addMedia(of kind: Kind, to values: inout [String: Value], by node: SimulatedNode) throws
        -> [BlobListing]
    {
        let fields = kind.fields.filter { $0.type == .media }
        guard fields.contains(where: \.isRequired) || !fields.isEmpty && whims.chance(30) else { return [] }
        var listings: [BlobListing] = []
        for field in fields {
            let picture = try node.store(node.randomness.bytes(whims.number(200...3000)))
            values[field.name] = .media(picture.media)
            listings.append(picture.listing)
        }
        return listings
    }
}

extension Kind {
    /// How often it is said.
    ///
    /// More often where it takes several people until it shows, where few may say it, where it hangs on what few say,
    /// and where much hangs on it. Seldom where people say it anyway.
    fileprivate var simulatedWeight: Int {
        guard !World.kindsWithDeeds.contains(self) else { return 1 }
        let takesSeveral = (audience == .moderators ? 8 : 0) + (target == .person ? 3 : 0)
        let isOfFew = (writers > .attendee ? 12 : 0) + (isOwners || shownIf.contains(.creator) ? 14 : 0)
        return 3 + children.count / 3 + takesSeveral + isOfFew
            + (!parents.isEmpty && parents.allSatisfy(\.isOwners) ? 10 : 0)
    }

    private var isOwners: Bool { shownIf.contains(.owner) }
}

extension ReplicaError {
    /// Whether it says that the person may not write that, or not about that.
    fileprivate var isRefusal: Bool {
        switch self {
        case .notFound, .notYours, .notAtYourLevel, .invalid, .notInvited, .keyQuotaReached: true
        default: false
        }
    }
}
