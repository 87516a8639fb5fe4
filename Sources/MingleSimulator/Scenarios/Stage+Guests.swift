// SPDX-License-Identifier: Apache-2.0

import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica

// What people do with phones at the door of a scenario.
extension Stage {
    private var door: SimulatedNode? { world.doors.first }

    /// Lets a phone ask the door for something; false where the door is not there yet, or refuses.
    func phone(_ number: Int, _ body: (Stage) throws -> Void) throws -> Bool {
        guard let door, door.canWrite, try door.replica.hasKey() else { return false }
        while world.phones.count <= number { world.scan(at: door) }
        var isServed = false
        try world.ask(door, by: number) {
            try body(self)
            isServed = true
        }
        return isServed
    }

    /// Whether a node knows the persons of some phones.
    func knows(phones: [Int], at node: Int) throws -> Bool {
        try phones.allSatisfy { number in
            guard world.phones.indices.contains(number), let person = world.phones[number].person else { return false }
            return try world.nodes[node].replica.level(of: person) == .attendee
        }
    }

    /// Whether nodes hold the picture of a photo.
    func havePicture(_ mark: String, _ nodes: [Int]) -> Bool {
        guard let blobs = world.ledger[reference(mark)]?.blobs, !blobs.isEmpty else { return false }
        return nodes.allSatisfy { node in blobs.allSatisfy { world.nodes[node].blobs.isComplete($0) } }
    }

    /// A host removes a phone's guest.
    func remove(phone number: Int, by host: Int) throws {
        guard let person = world.phones[number].person else { return }
        try world.remove(person, by: world.nodes[host], keepsLinks: true)
    }

    /// A host closes a door.
    func close(door: Int, by host: Int) throws { try world.close(world.nodes[door], by: world.nodes[host]) }
}
