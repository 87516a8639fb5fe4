// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import MingleReplica

// What people share on the stage, and what they say of it.
extension Stage {
    func photo(by node: Int, on target: String? = nil, length: Int? = nil, as mark: String) throws {
        marks[mark] = try world.addPhoto(on: target.map(reference), length: length, by: world.nodes[node])
    }

    /// Shares one file as two photos.
    func photos(by node: Int, as first: String, _ second: String) throws {
        guard let photos = try world.addPhotos(2, on: nil, by: world.nodes[node]), photos.count == 2 else { return }
        (marks[first], marks[second]) = (photos[0], photos[1])
    }

    func place(by node: Int, as mark: String) throws {
        let values: [String: Value] = [
            "name": .text("Quay"), "latitude": .number(1), "longitude": .number(2), "radius": .number(3),
        ]
        marks[mark] = try world.create(.place, on: nil, values, by: world.nodes[node])
    }

    /// A host says that somebody owns a place.
    func makeOwner(_ owner: Int, of place: String, by host: Int) throws {
        let values: [String: Value] = ["person": .data(world.nodes[owner].secrets.person.bytes), "on": .number(1)]
        try world.create(.ownership, on: reference(place), values, by: world.nodes[host])
    }

    func deal(by node: Int, at place: String, as mark: String) throws {
        let values: [String: Value] = ["title": .text("Soup"), "start": .number(1), "end": .number(7_200_001)]
        marks[mark] = try world.create(.deal, on: reference(place), values, by: world.nodes[node])
    }

    func use(_ deal: String, by node: Int) throws {
        try world.set(.dealUse, on: reference(deal), ["used": .number(1)], by: world.nodes[node])
    }

    /// Who made a deal says that somebody used it.
    func confirm(_ deal: String, usedBy guest: Int, by node: Int) throws {
        var scope = Ledger.Scope.on(reference(deal))
        scope.subject = .person(world.nodes[guest].secrets.person)
        try world.set(.dealConfirmation, in: scope, ["confirmed": .number(1)], by: world.nodes[node])
    }

    func moment(
        by node: Int,
        title: String = "Dinner",
        description: String? = nil,
        at place: String? = nil,
        as mark: String
    ) throws {
        var values: [String: Value] = [
            "title": .text(title), "start": .number(1), "end": .number(7_200_001), "place_name": .text("Quay"),
            "latitude": .number(404_155_000), "longitude": .number(-37_074_000), "radius": .number(100),
        ]
        if let description { values["description"] = .text(description) }
        if let place { values["place"] = .data(reference(place).bytes) }
        marks[mark] = try world.create(.moment, on: nil, values, by: world.nodes[node])
    }

    /// So many moments with long descriptions, each marked with its number.
    func longMoments(_ count: Int, by node: Int) throws {
        let text = String(repeating: "\u{1F389}", count: 990)
        for number in 0..<count { try moment(by: node, description: text, as: "\(number)") }
    }

    func comment(by node: Int, on target: String, text: String = "Yes", as mark: String = "") throws {
        let values: [String: Value] = ["text": .text(text)]
        marks[mark] = try world.create(.comment, on: reference(target), values, by: world.nodes[node])
    }

    /// Says so many names, one after the other.
    func rename(_ node: Int, to name: String, _ count: Int) throws {
        for number in 0..<count { try rename(node, to: "\(name) \(number)") }
    }

    func rename(_ node: Int, to name: String) throws {
        try world.set(.profile, on: nil, ["name": .text(name)], by: world.nodes[node])
    }

    func join(_ node: Int, _ moment: String) throws {
        let values: [String: Value] = ["state": .number(ParticipationState.joined.rawValue)]
        try world.set(.participation, on: reference(moment), values, by: world.nodes[node])
    }

    func fave(_ isOn: Bool, by node: Int, on target: String) throws {
        try world.set(.fave, on: reference(target), ["on": .number(isOn ? 1 : 0)], by: world.nodes[node])
    }

    func report(_ mark: String, by node: Int) throws {
        try world.set(.report, on: reference(mark), ["reason": .number(1)], by: world.nodes[node])
    }

    func edit(_ mark: String, _ kind: Kind, _ values: [String: Value], by node: Int) throws {
        try world.edit(reference(mark), kind, values, by: world.nodes[node])
    }

    func delete(_ mark: String, by node: Int) throws { try world.delete(reference(mark), by: world.nodes[node]) }

    /// Hides a record, or shows it again where no reason is given.
    func hide(_ mark: String, because reason: String?, by node: Int) throws {
        try world.hide(reference(mark), because: reason.map(Value.text) ?? .cleared, by: world.nodes[node])
    }

    /// Hides a record as far as one knows oneself; nobody else is to believe it in the end.
    func hideInVain(_ mark: String, by node: Int) throws {
        _ = try world.author([.hide(reference(mark), because: "in vain")], by: world.nodes[node])
    }

    /// Shows an own record again, which is to count for nothing.
    func showInVain(_ mark: String, by node: Int) throws {
        _ = try world.author([.hide(reference(mark), because: nil)], by: world.nodes[node])
    }
}
