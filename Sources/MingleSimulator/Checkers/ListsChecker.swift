// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import MingleReplica

/// Lists, page by page, hold what the ledger says, each thing once and in the one order that all nodes have.
///
/// What came from the future stands where it came. Moments count what hangs on them.
struct ListsChecker: Checker {
    let name = "lists"
    /// Moments and photos that are looked at closely.
    private let sample = 30
    /// Nodes of which the lists are read.
    private let readers = 3

    func findings(in world: World) throws -> [String] {
        var dice = Dice(seed: world.options.seed)
        let shown = world.ledger.entries.filter(world.ledger.isShown)
        let nodes = world.honest.shuffled(using: &dice).prefix(readers)
        let strays = try world.honest.flatMap { node in try moved(at: node).map { "node \(node.number) \($0)" } }
        return try strays
            + nodes.flatMap { node in try findings(at: node, shown, in: world).map { "node \(node.number) \($0)" } }
    }

    /// Records from the future that do not stand any more where they came.
    private func moved(at node: SimulatedNode) throws -> [String] {
        guard !node.places.isEmpty else { return [] }
        let late = try World.listedKinds.flatMap { try node.replica.late($0) }
        let places = Dictionary(late.map { ($0.record, $0.shownAt) }) { first, _ in first }
        for (record, place) in node.places.sorted(by: { $0.key < $1.key }) where places[record] != place {
            guard node.knows(record), World.listedKinds.contains(where: { node.shows($0, record) }) else { continue }
            let now = places[record].map { "\($0.milliseconds)" } ?? "its own time"
            return ["moved \(record), which came from the future, from \(place.milliseconds) to \(now)"]
        }
        return []
    }

    private func findings(at node: SimulatedNode, _ shown: [Ledger.Entry], in world: World) throws -> [String] {
        let list = try Listing(node, in: world)
        // What was posted while a moment was public, guests see also once it is private.
        let closed = Set(world.privacy.moments.map(\.reference))
        // Moderators, and authors their own, see more than the others do.
        let photos = try pages { try node.replica.photos(before: $0, limit: 7) }.flatMap { $0 }
            .filter { $0.hiding == nil && !($0.moment.map(closed.contains) ?? false) }.map(\.id)
        let moments = try node.replica.moments().filter { $0.hiding == nil && !$0.isPrivate }.map(\.id)
        var findings = list.compare(photos, shown.filter { $0.kind == .photo }, "photos")
        findings += list.compare(moments, shown.filter { $0.kind == .moment }, "moments", by: "start")
        for parent in shown.filter({ [.moment, .photo].contains($0.kind) && $0.continues.isEmpty }).suffix(sample) {
            // That it is not there the acknowledged writes tell.
            guard let reference = parent.reference, node.shows(parent.kind, reference) else { continue }
            // Each page is oldest first, and the newest page comes first.
            let comments = try pages { try node.replica.comments(on: reference, before: $0, limit: 2) }
                .flatMap { $0.reversed() }.filter { $0.hiding == nil }.map(\.id)
            let expected = world.ledger.entries(of: .comment, on: reference).filter(world.ledger.isShown)
            findings += list.compare(comments, expected, "comments on \(reference)")
            // What hostile persons hang on others' moments the ledger does not count.
            if parent.kind == .moment, world.hostilePersons.isEmpty {
                findings += try counts(of: reference, shown, at: node)
            }
        }
        return findings
    }

    private func pages<Item: Sendable>(_ page: (Cursor?) throws -> Page<Item>) throws -> [[Item]] {
        var pages: [[Item]] = []
        var cursor: Cursor?
        repeat {
            let next = try page(cursor)
            pages.append(next.items)
            cursor = next.next
        } while cursor != nil
        return pages
    }

    private func counts(of moment: Reference, _ shown: [Ledger.Entry], at node: SimulatedNode) throws -> [String] {
        let children = shown.filter { $0.target == moment }
        let states = children.filter { $0.kind == .participation }.map { $0.number("state") }
        let joined = [ParticipationState.joined, .checkedIn].map(\.rawValue)
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

/// The order in which a node lists what everybody sees.
private struct Listing {
    private let ledger: Ledger
    /// Where the node shows what came from the future; others may show it elsewhere.
    private let late: [Reference: Timestamp]

    init(_ node: SimulatedNode, in world: World) throws {
        ledger = world.ledger
        let late = try World.listedKinds.flatMap { try node.replica.late($0) }
        self.late = Dictionary(late.map { ($0.record, $0.shownAt) }) { first, _ in first }
    }

    /// Compares a list with what it has to hold, newest first, or by the highest value of a field.
    func compare(
        _ listed: [Reference],
        _ expected: [Ledger.Entry],
        _ what: String,
        by field: String? = nil
    ) -> [String] {
        let listed = listed.filter { ledger[$0].map { !ledger.isHeld($0) } ?? false }
        let ranked = expected.compactMap { entry in
            entry.reference.map { (place(of: entry, by: field), $0.hash, $0) }
        }
        let sorted = ranked.sorted { ($0.0, $0.1) > ($1.0, $1.1) }.map(\.2)
        guard listed != sorted else { return [] }
        guard listed.sorted() == sorted.sorted() else {
            return ["lists \(listed.count) \(what), not \(sorted.count), or others, or some twice"]
        }
        let first = zip(listed, sorted).prefix { $0 == $1 }.count
        return ["lists \(what) in another order, from place \(first) on: \(listed[first]), not \(sorted[first])"]
    }

    private func place(of entry: Ledger.Entry, by field: String?) -> Int64 {
        if let field { return entry.number(field) ?? 0 }
        return (entry.reference.flatMap { late[$0] } ?? entry.made).milliseconds
    }
}
