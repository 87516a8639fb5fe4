// SPDX-License-Identifier: Apache-2.0

import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import MingleWire

/// Where a scenario is played: the world, in the words in which scenarios are written.
final class Stage {
    /// How often it is looked whether something has happened.
    private static let look = Duration.milliseconds(50)
    /// More nodes than any scenario has.
    private static let most = 64

    unowned let world: World
    let scenario: Scenario
    /// What was made, by the name that the scenario has for it.
    private(set) var marks: [String: Reference] = [:]
    private var next = 0
    private var waitsSince: Duration?

    init(_ scenario: Scenario, in world: World) { (self.scenario, self.world) = (scenario, world) }

    /// Plays the next step, or looks again later.
    func play() throws {
        guard next < scenario.steps.count else { return }
        let step = scenario.steps[next]
        let since = waitsSince ?? world.now
        waitsSince = since
        guard try step.act(self) else {
            guard world.now - since < step.patience else {
                return world.report("scenario", "step \(next + 1) never came about: \(step.name)")
            }
            return world.agenda.add(.step, at: world.now + Self.look)
        }
        (next, waitsSince) = (next + 1, nil)
        guard next < scenario.steps.count else { return }
        world.agenda.add(.step, at: world.now + scenario.steps[next].pause)
    }

    /// What must not be at the end.
    func findings() throws -> [String] {
        let left = scenario.steps.dropFirst(next).map(\.name)
        return try scenario.findings(self) + left.map { "it did not come to this: \($0)" }
    }

    // MARK: - What people do

    func photo(by node: Int, on target: String? = nil, as mark: String) throws {
        marks[mark] = try world.addPhoto(on: target.map(reference), by: world.nodes[node])
    }

    func place(by node: Int, as mark: String) throws {
        let values: [String: Value] = [
            "name": .text("Quay"), "latitude": .number(1), "longitude": .number(2), "radius": .number(3),
        ]
        marks[mark] = try world.create(.place, on: nil, values, by: world.nodes[node])
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

    func edit(_ mark: String, _ kind: Kind, _ values: [String: Value], by node: Int) throws {
        try world.edit(reference(mark), kind, values, by: world.nodes[node])
    }

    func delete(_ mark: String, by node: Int) throws { try world.delete(reference(mark), by: world.nodes[node]) }

    // MARK: - What goes wrong

    /// Blocks all paths between two groups of nodes.
    func part(_ left: Set<Int>, _ right: Set<Int>) {
        let number = world.makeNumber()
        world.blocks += [
            Block(number: number, from: left, to: right), Block(number: number, from: right, to: left),
        ]
    }

    /// Blocks all paths of some nodes, also to those that come later.
    func isolate(_ nodes: Set<Int>) { part(nodes, Set(0..<Self.most).subtracting(nodes)) }

    /// Frees all paths.
    func meet() {
        world.blocks = []
        world.unstick()
    }

    /// Ends every link of a node.
    func cutLinks(of node: Int) {
        for number in world.links.keys.sorted() {
            guard let link = world.links[number], link.ends.contains(where: { $0.node == node }) else { continue }
            world.close(link, 0)
        }
    }

    /// A machine sleeps until it is woken.
    func sleep(_ node: Int) { world.nodes[node].isAwake = false }

    func wake(_ node: Int) { world.wake(world.nodes[node]) }

    func setClock(of node: Int, ahead: Duration) { world.nodes[node].clockOffset = Int(ahead / .milliseconds(1)) }

    /// Brings a node what another one wrote, and nothing that this depends on.
    func carry(_ author: Int, to node: Int) throws {
        let (name, node) = (world.nodes[author].replica.own.name, world.nodes[node])
        let runs = try world.nodes[author].replica.runs(of: name, .content, after: [], byteLimit: .max)
        try world.tell(node, node.replica.merge(runs))
    }

    // MARK: - What is seen

    func reference(_ mark: String) -> Reference {
        marks[mark] ?? Reference(device: 0, journal: .content, sequence: 1, hash: 0)
    }

    /// Whether all who are there can read and write.
    func allAreIn() throws -> Bool {
        try world.nodes.allSatisfy { node in
            guard node.hostility?.isStranger != true else { return true }
            return try node.isHere && node.replica.hasKey() && node.replica.isAdmitted(node.secrets.person)
        }
    }

    func knows(_ node: Int, _ mark: String) -> Bool { world.nodes[node].knows(reference(mark)) }

    func shows(_ node: Int, _ kind: Kind, _ mark: String) -> Bool { world.nodes[node].shows(kind, reference(mark)) }

    /// Whether a node holds a delta's header and not its payload.
    func lacksPayload(_ node: Int, _ mark: String) throws -> Bool {
        try world.nodes[node].replica.missingPayloads(limit: .max).contains { $0.reference == reference(mark) }
    }

    /// Whether all honest nodes hold every picture that a node's person has shared.
    func havePictures(of node: Int) throws -> Bool {
        let author = world.nodes[node]
        let names = try author.blobs.list().map(\.name).filter {
            try author.blobs.status(of: $0)?.identity.owner == author.secrets.person
        }
        return try world.honest.allSatisfy { node in
            try names.allSatisfy { try node.blobs.status(of: $0)?.held.isComplete == true }
        }
    }

    /// How far a node holds what another writes.
    func reach(of author: Int, at node: Int) throws -> UInt32 {
        let name = world.nodes[author].replica.own.name
        return try world.nodes[node].replica.tips(of: name, .content).map(\.sequence).max() ?? 0
    }

    /// Whether all honest nodes hold the same headers, or those of them that are named.
    func isLevel(_ nodes: [Int]? = nil) throws -> Bool {
        let nodes = nodes.map { $0.map { world.nodes[$0] } } ?? world.honest
        return Set(try nodes.map { try $0.replica.frontier().digest }).count == 1
    }

    /// The lines of a node's dump that are of a kind.
    func lines(_ kind: Kind, at node: Int) throws -> [String] {
        try world.nodes[node].replica.dump().filter { $0.hasPrefix(kind.name + "\t") }
    }

    /// A finding for every honest node that does not show so many records of a kind.
    func everywhere(_ what: String, _ count: Int, of kind: Kind) throws -> [String] {
        try everywhere(what) { try lines(kind, at: $0.number).count == count }
    }

    /// A finding for every honest node at which something does not hold.
    func everywhere(_ what: String, _ holds: (SimulatedNode) throws -> Bool) rethrows -> [String] {
        try world.honest.filter { try !holds($0) }.map { "not so at node \($0.number): \(what)" }
    }
}
