// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica

/// Lists, page by page, hold what the ledger says, each thing once; and moments count what hangs on them.
struct ListsChecker: Checker {
    let name = "lists"
    /// Moments and photos that are looked at closely.
    private let sample = 30

    func findings(in world: World) throws -> [String] {
        var dice = Dice(seed: world.options.seed)
        let node = dice.pick(world.honest)
        let shown = world.ledger.entries.filter(world.ledger.isShown)
        // What was posted while a moment was public, guests see also once it is private.
        let closed = Set(world.privacy.moments.map(\.reference))
        let isPrivate = { (photo: ShownPhoto) in photo.moment.map(closed.contains) ?? false }
        // Moderators, and authors their own, see more than the others do.
        let photos = try pages { try node.replica.photos(before: $0, limit: 7) }
            .filter { $0.hiding == nil && !isPrivate($0) }.map(\.id)
        // What hostile persons hang on others' moments the ledger does not count.
        let isAmongFriends = world.hostilePersons.isEmpty
        let isKnown = { (reference: Reference) in world.ledger[reference] != nil }
        var findings = compare(photos.filter(isKnown), shown.filter { $0.kind == .photo }, "photos")
        for parent in shown.filter({ [.moment, .photo].contains($0.kind) && $0.continues.isEmpty }).suffix(sample) {
            // That it is not there the acknowledged writes tell.
            guard let reference = parent.reference, node.shows(parent.kind, reference) else { continue }
            let comments = try pages { try node.replica.comments(on: reference, before: $0, limit: 2) }
                .filter { $0.hiding == nil }
            let expected = shown.filter { $0.kind == .comment && $0.target == reference }
            findings += compare(comments.map(\.id).filter(isKnown), expected, "comments on \(reference)")
            if parent.kind == .moment, isAmongFriends { findings += try counts(of: reference, shown, at: node) }
        }
        return findings.map { "node \(node.number) \($0)" }
    }

    private func pages<Item: Sendable>(_ page: (Cursor?) throws -> Page<Item>) throws -> [Item] {
        var items: [Item] = []
        var cursor: Cursor?
        repeat {
            let next = try page(cursor)
            items += next.items
            cursor = next.next
        } while cursor != nil
        return items
    }

    private func compare(_ listed: [Reference], _ expected: [Ledger.Entry], _ what: String) -> [String] {
        let lists = [listed, expected.compactMap(\.reference)].map { $0.map(\.description).sorted() }
        guard lists[0] != lists[1] else { return [] }
        return ["lists \(lists[0].count) \(what), not \(lists[1].count), or others, or some twice"]
    }

    private func counts(of moment: Reference, _ shown: [Ledger.Entry], at node: SimulatedNode) throws -> [String] {
        let children = shown.filter { $0.target == moment }
        let states = children.filter { $0.kind == .participation }.map { $0.value("state") }
        let joined = [ParticipationState.joined, .checkedIn].map { Value.number($0.rawValue) }
        let expected = [
            children.count { $0.kind == .photo }, states.count { $0 == joined[0] || $0 == joined[1] },
            states.count { $0 == joined[1] },
        ]
        let found = try node.replica.moment(moment)
        let counts = [Int(found.photos), Int(found.joined), Int(found.checkedIn)]
        return counts == expected
            ? [] : ["counts \(counts) photos, joined and checked in, not \(expected), of \(moment)"]
    }
}
