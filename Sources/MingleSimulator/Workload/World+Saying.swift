// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import MingleWire

// The drafts are those that `EventSession` writes for the API.
extension World {
    func rename(_ node: SimulatedNode) throws { try set(.profile, on: nil, ["name": word("Guest")], by: node) }

    /// Has a founder name the event whose disk lost its name, or the key to it, as the node asks for.
    func nameEventAgain(by node: SimulatedNode) throws {
        guard node.isHere, node.canWrite, try node.replica.hasKey(), try node.replica.title() == nil else { return }
        try nameEvent(by: node)
    }

    /// Says once more what the event is called.
    func nameEvent(by node: SimulatedNode) throws { try set(.event, on: nil, ["title": .text(title)], by: node) }

    func makeMoment(_ node: SimulatedNode) throws {
        let start = node.clock(at: now).milliseconds + Int64(whims.number(-3600...7200)) * 1000
        let values: [String: Value] = [
            "title": word("Moment"), "start": .number(max(0, start)), "end": .number(max(0, start) + 7_200_000),
            "place_name": word("Place"), "latitude": .number(404_155_000), "longitude": .number(-37_074_000),
            "radius": .number(100),
        ]
        try create(.moment, on: nil, values, by: node)
    }

    func takePart(_ node: SimulatedNode, _ state: ParticipationState) throws {
        guard let moment = someRecord([.moment], seenBy: node)?.reference else { return }
        let known = try node.replica.moment(moment).participation ?? .ignored
        if known < state { try set(.participation, on: moment, ["state": .number(state.rawValue)], by: node) }
    }

    func checkIn(_ node: SimulatedNode) throws {
        guard let moment = someRecord([.moment], seenBy: node)?.reference,
            try node.replica.moment(moment).participation == .joined
        else { return }
        let values: [String: Value] = ["latitude": .number(404_156_000), "longitude": .number(-37_075_000)]
        try takePart(again: moment, by: node)
        try create(.checkIn, on: moment, values, by: node)
        try set(.participation, on: moment, ["state": .number(ParticipationState.checkedIn.rawValue)], by: node)
    }

    func sharePhoto(_ node: SimulatedNode) throws {
        var target: Reference?
        if whims.chance(60), let moment = someRecord([.moment], seenBy: node)?.reference,
            try node.replica.moment(moment).participation ?? .ignored >= .joined
        {
            target = moment
            try takePart(again: moment, by: node)
        }
        try addPhoto(on: target, by: node)
    }

    /// Shares a photo of random bytes, of which the original may be as long as is said.
    @discardableResult
    func addPhoto(on target: Reference?, length: Int? = nil, by node: SimulatedNode) throws -> Reference? {
        try addPhotos(1, on: target, length: length, by: node)?.first
    }

    /// Shares so many photos of one file.
    func addPhotos(_ count: Int, on target: Reference?, length: Int? = nil, by node: SimulatedNode) throws
        -> [Reference]?
    {
        var values: [String: Value] = ["width": .number(640), "height": .number(480), "title": word("Photo")]
        let originalLength = length.map { $0...$0 } ?? (whims.chance(10) ? 260 << 10...540 << 10 : 2000...20_000)
        if node.isDoor, node.terms.holdsBack { values["held"] = .number(1) }
        var listings: [BlobListing] = []
        for (name, length) in [("thumbnail", 200...900), ("preview", 1000...5000), ("original", originalLength)] {
            let bytes = node.randomness.bytes(whims.number(length))
            let descriptor = try node.blobs.put(bytes, owner: node.secrets.person)
            listings.append(
                BlobListing(name: descriptor.name(owner: node.secrets.person), size: UInt64(descriptor.size))
            )
            values[name] = .media(
                Media(root: descriptor.root, size: UInt64(descriptor.size), key: descriptor.key, type: "image/jpeg")
            )
        }
        let photos = try speak(of: listings, by: node) { () -> [Reference]? in
            let photos = try (0..<count).compactMap { number in
                // Deleted words must be gone, so two photos have no title in common.
                if number > 0 { values["title"] = word("Photo") }
                return try create(.photo, on: target, values, blobs: listings, by: node)
            }
            return photos.isEmpty ? nil : photos
        }
        if photos != nil { tell(node, [.blobsHeld(listings.map(\.name))]) }
        return photos
    }

    /// Writes what speaks of blobs that were put, and takes these back if nothing does: nobody would ever ask for them.
    func speak<Written>(of listings: [BlobListing], by node: SimulatedNode, _ body: () throws -> Written?) throws
        -> Written?
    {
        func takeBack() throws {
            for listing in listings where node.blobs.isComplete(listing.name) { try node.blobs.delete(listing.name) }
        }
        do {
            // Who had to wait for a key was told so.
            if let written = try body() { return written }
        } catch {
            try takeBack()
            throw error
        }
        try takeBack()
        return nil
    }

    func comment(_ node: SimulatedNode) throws {
        guard let target = someRecord([.photo, .moment], seenBy: node)?.reference else { return }
        try create(.comment, on: target, ["text": words("Comment")], by: node)
        regretSoon(node)
    }

    func fave(_ node: SimulatedNode) throws {
        guard let target = someRecord([.photo, .moment], seenBy: node)?.reference else { return }
        let isOn = try node.replica.faves(of: target).mine
        try set(.fave, on: target, ["on": .number(isOn ? 0 : 1)], by: node)
    }

    func edit(_ node: SimulatedNode) throws {
        guard let entry = someOwnRecord(Self.deltaKinds, seenBy: node) else { return }
        if whims.chance(50) { try edit(entry, by: node) } else { try change(entry, by: node) }
    }

    /// Changes the words of one of the person's records.
    func edit(_ entry: Ledger.Entry, by node: SimulatedNode) throws {
        guard let record = entry.reference,
            let field = entry.kind.fields.first(where: { $0.type.isWords && $0.name != "name" })
                ?? entry.kind.fields.first(where: { $0.type.isWords })
        else { return }
        let value = entry.kind == .comment ? words("Edited") : word("Edited")
        if entry.isDeleted { coverage.editsOfDeleted += 1 }
        try edit(record, entry.kind, [field.name: value], by: node)
    }

    func edit(_ record: Reference, _ kind: Kind, _ values: [String: Value], by node: SimulatedNode) throws {
        let isPinned = try moderates(node.secrets.person, at: node)
        guard let written = try author([.edit(record, kind, values: values)], by: node) else { return }
        ledger.edit(
            record,
            values,
            by: node,
            at: written.time,
            reference: written.references[0],
            isPinned: isPinned
        )
    }

    func delete(_ node: SimulatedNode) throws {
        guard let entry = someOwnRecord(Self.deltaKinds, seenBy: node), let record = entry.reference else { return }
        coverage.deletions += 1
        if entry.references.contains(where: { !node.knows($0) }) { coverage.editsOfDeleted += 1 }
        try delete(record, by: node)
    }

    func delete(_ record: Reference, by node: SimulatedNode) throws {
        guard let written = try author([.delete(record)], by: node) else { return }
        ledger.delete(record, by: written.references[0])
    }

    // MARK: -

    /// Makes a record for everybody, on another one or on nothing but the event.
    @discardableResult
    func create(
        _ kind: Kind,
        on target: Reference?,
        _ values: [String: Value],
        blobs: [BlobListing] = [],
        by node: SimulatedNode
    ) throws -> Reference? {
        try create(kind, in: .on(target), values, blobs: blobs, by: node)
    }

    /// - Returns: nil if the power was cut before it was written.
    func create(
        _ kind: Kind,
        in scope: Ledger.Scope,
        _ values: [String: Value],
        blobs: [BlobListing],
        by node: SimulatedNode
    ) throws -> Reference? {
        noteOrphan(scope.record)
        let draft = Draft.create(kind, on: scope.target, values: values, blobs: blobs)
        guard let written = try author([draft], by: node) else { return nil }
        for blob in blobs { traffic.author(blob) }
        ledger.create(
            kind,
            in: scope,
            values,
            blobs: blobs.map(\.name),
            by: node,
            at: written.time,
            reference: written.references[0]
        )
        return written.references[0]
    }

    func set(_ kind: Kind, on target: Reference?, _ values: [String: Value], by node: SimulatedNode) throws {
        try set(kind, in: .on(target), values, by: node)
    }

    /// - Returns: nil if the power was cut before it was written.
    @discardableResult
    func set(_ kind: Kind, in scope: Ledger.Scope, _ values: [String: Value], by node: SimulatedNode) throws
        -> Reference?
    {
        noteOrphan(scope.record)
        let draft = Draft.set(kind, on: scope.target, about: scope.subject, values: values)
        guard let written = try author([draft], by: node) else { return nil }
        ledger.set(kind, in: scope, values, by: node, at: written.time, reference: written.references[0])
        return written.references[0]
    }

    private func noteOrphan(_ target: Reference?) {
        if let target, ledger[target]?.isDeleted == true { coverage.orphans += 1 }
    }
}
