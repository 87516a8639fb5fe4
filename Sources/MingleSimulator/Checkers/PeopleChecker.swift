// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica

/// Everybody who came is known everywhere, at the right level, with the time at which he or she says to have come first, and
/// can write.
struct PeopleChecker: Checker {
    let name = "people"

    func findings(in world: World) throws -> [String] {
        let hostile = Set(world.hostilePersons)
        let list = world.guestList
        let known = try Set(world.honest[0].replica.people().map(\.id))
        let arrivals = list.arrivals.filter { person, _ in
            // Who left for good may have left with all who heard of it, but then for everybody.
            !hostile.contains(person) && !world.removals.persons.contains(person)
                && (!list.visitors.contains(person) || known.contains(person))
        }
        let expected = arrivals.map { Self.line($0.description, $1?.milliseconds, list.levels[$0] ?? .attendee) }
            .sorted()
        return try world.honest.compactMap { node in
            let people = try node.replica.people().filter { !hostile.contains($0.id) }.map {
                Self.line($0.id.description, $0.joined, $0.level)
            }.sorted()
            guard try node.replica.hasKey() else { return "node \(node.number) has no key" }
            guard let (line, isExpected) = firstDifference(expected, people) else { return nil }
            return "node \(node.number) \(isExpected ? "lacks" : "lists") \(line)"
        }
    }

    private static func line(_ person: String, _ joined: Int64?, _ level: Level?) -> String {
        "\(level?.word ?? "nobody") \(person), who came \(joined.map { "at \($0)" } ?? "first")"
    }
}
