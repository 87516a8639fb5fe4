// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import MingleWire

// What is seen on the stage.
extension Stage {
    func reference(_ mark: String) -> Reference {
        marks[mark] ?? Reference(device: 0, journal: .content, sequence: 1, hash: 0)
    }

    /// Whether all who are there can read and write; a device that nobody certified in time is none.
    func allAreIn() throws -> Bool {
        try world.nodes.allSatisfy { node in
            guard !node.hasStopped, node.hostility?.isStranger != true else { return true }
            return try node.isHere && (node.isRelay || node.replica.hasKey())
                && node.replica.isAdmitted(node.secrets.person)
        }
    }

    /// Whether a node can write for all.
    func hasKey(_ node: Int) throws -> Bool { try world.nodes[node].replica.hasKey() }

    /// Whether a node's person sees what the event is called.
    func knowsTitle(_ node: Int) throws -> Bool { try world.nodes[node].replica.title() != nil }

    /// What a node's person may do, as another node has it.
    func level(of person: Int, at node: Int) throws -> Level? {
        try world.nodes[node].replica.level(of: world.nodes[person].secrets.person)
    }

    /// Whether a node's person waits to be let in, as another node has it.
    func waits(_ person: Int, at node: Int) throws -> Bool {
        try world.nodes[node].replica.isWaiting(world.nodes[person].secrets.person)
    }

    /// Whether a node's person has left, as another node has it.
    func hasLeft(_ person: Int, at node: Int) throws -> Bool {
        try world.nodes[node].replica.hasLeft(world.nodes[person].secrets.person)
    }

    /// Whether a node's person was removed, as another node has it.
    func isRemoved(_ person: Int, at node: Int) throws -> Bool {
        try world.nodes[node].replica.removal(of: world.nodes[person].secrets.person) != nil
    }

    /// Whether a node is a device that its person retired, as another node has it.
    func isRetired(_ device: Int, at node: Int) throws -> Bool {
        try world.nodes[node].replica.isRetired(world.nodes[device].replica.own.name)
    }

    func knows(_ node: Int, _ mark: String) -> Bool { world.nodes[node].knows(reference(mark)) }

    func shows(_ node: Int, _ kind: Kind, _ mark: String) -> Bool { world.nodes[node].shows(kind, reference(mark)) }

    /// Whether a node holds a delta's header and not its payload.
    func lacksPayload(_ node: Int, _ mark: String) throws -> Bool {
        try world.nodes[node].replica.missingPayloads(limit: .max).contains { $0.reference == reference(mark) }
    }

    /// Whether a node's person has shared pictures, and all honest nodes, or those of them that are named, hold every one.
    func havePictures(of author: Int, _ nodes: [Int]? = nil) throws -> Bool {
        let names = try pictures(of: author)
        guard !names.isEmpty else { return false }
        return try named(nodes).allSatisfy { node in
            try names.allSatisfy { try node.blobs.status(of: $0)?.held.isComplete == true }
        }
    }

    /// Whether somebody of whose removal a node knows has all of its keys.
    func isKeyOutdated(_ node: Int) throws -> Bool {
        try world.nodes[node].replica.isKeyOutdated()
    }

    /// Whether a node holds some of a picture that another's person has shared, and not all of it.
    func hasPictureInPart(_ node: Int, of author: Int) throws -> Bool {
        try pictures(of: author).contains { name in
            guard let held = try world.nodes[node].blobs.status(of: name)?.held else { return false }
            return held.count > 0 && !held.isComplete
        }
    }

    /// Whether a node holds a picture that another's person has shared.
    func hasSomePicture(_ node: Int, of author: Int) throws -> Bool {
        try pictures(of: author).contains { try world.nodes[node].blobs.status(of: $0)?.held.isComplete == true }
    }

    /// The pictures that a node's person has shared.
    func pictures(of author: Int) throws -> [BlobName] {
        let author = world.nodes[author]
        return try author.blobs.list().map(\.name).filter {
            try author.blobs.status(of: $0)?.identity.owner == author.secrets.person
        }
    }

    /// All honest nodes, or those of them that are named.
    private func named(_ nodes: [Int]?) -> [SimulatedNode] { nodes?.map { world.nodes[$0] } ?? world.honest }

    /// How many of those who knocked by the last limited invitation are in, as a node has it.
    func guests(at node: SimulatedNode) throws -> Int {
        try world.guestList.limited.last?.guests.count { try node.replica.isAdmitted($0) } ?? 0
    }

    /// How far a node holds what another writes.
    func reach(of author: Int, at node: Int) throws -> UInt32 {
        let name = world.nodes[author].replica.own.name
        return try world.nodes[node].replica.tips(of: name, .content).map(\.sequence).max() ?? 0
    }

    /// Whether all honest nodes hold the same headers, or those of them that are named.
    func isInSync(_ nodes: [Int]? = nil) throws -> Bool {
        Set(try named(nodes).map { try $0.replica.frontier().digest }).count == 1
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

extension SimulatedNode {
    /// Whether a word stands anywhere in the files of the database, as it is.
    func isOnDisk(_ word: String) -> Bool {
        disk?.contents.contains { Data($0).firstRange(of: Data(word.utf8)) != nil } ?? false
    }
}
