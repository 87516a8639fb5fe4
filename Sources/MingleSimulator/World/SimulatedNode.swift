// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync

/// One device: replica, blobs and engine as they are shipped, and the shell's queues between them in virtual time.
final class SimulatedNode {
    /// The queues of the shell; each does one thing after the other.
    enum Line: Int, CaseIterable {
        case reading, judging, merging, storing
    }

    let number: Int
    /// Whose device it is: the number of the person's first one.
    let person: Int
    let randomness: Randomness
    let event: EventID
    var secrets: Secrets
    let path: String

    private(set) var replica: Replica
    private(set) var blobs: BlobStore
    private(set) var responder: Responder
    var engine: SyncEngine
    /// Counts how often the engine began anew.
    private(set) var life = 0
    /// Whether the person has come to the event.
    var isHere = false
    var isAwake = false

    /// What the device's clock is ahead of the true time, in milliseconds.
    var clockOffset = 0
    /// The milliseconds in which the clock goes on; where they are many, things that differ have the same time.
    var clockStep: Int64 = 1
    /// Links by the name that the engine has for them.
    var links: [PeerID: UInt64] = [:]
    /// Devices that have greeted, and whose they are once they are admitted.
    var greeted: [PeerID: (device: DeviceName, person: PersonID?)] = [:]
    var pendingMerges: [PendingMerge] = []
    /// What the engine is to be told, in order.
    var inbox: [SyncInput] = []
    /// When each queue has done what was asked of it.
    var busyUntil = [Duration](repeating: .zero, count: Line.allCases.count)
    var hasUnflushedChunks = false
    var isScrubbing = false
    var lastActive = Duration.zero
    private var nextPeer: UInt64 = 0

    init(
        number: Int,
        person: Int,
        event: EventID,
        secrets: Secrets,
        folder: String,
        randomness: Randomness
    ) throws {
        (self.number, self.person, self.event) = (number, person, event)
        (self.secrets, self.randomness) = (secrets, randomness)
        path = "\(folder)/\(number)"
        blobs = try BlobStore(path: path, randomness: randomness)
        replica = try Replica(path: path + ".sqlite", event: event, own: secrets.ownDevice(in: event))
        responder = Responder(replica: replica, blobs: blobs)
        engine = SyncEngine(event: event, device: replica.own.name, frontier: try replica.frontier())
    }

    /// Forgets everything but what is stored, as a program that is started again.
    func restart() throws {
        try replica.close()
        replica = try Replica(path: path + ".sqlite", event: event, own: secrets.ownDevice(in: event))
        blobs = try BlobStore(path: path, randomness: randomness)
        responder = Responder(replica: replica, blobs: blobs)
        try begin()
    }

    /// Begins a life of the engine with what the replica holds.
    func begin() throws {
        life += 1
        engine = SyncEngine(event: event, device: replica.own.name, frontier: try replica.frontier())
        (links, greeted, pendingMerges, inbox) = ([:], [:], [], [])
        (hasUnflushedChunks, isScrubbing) = (false, false)
        inbox.append(try responder.missingPayloads())
        try responder.mentions { mentions in
            let wants = responder.wants(mentions)
            if !wants.isEmpty { inbox.append(.blobsWanted(wants)) }
        }
    }

    /// Closes the files.
    func close() throws { try replica.close() }

    /// A name for a new link.
    func makePeer() -> PeerID {
        nextPeer += 1
        return PeerID(nextPeer)
    }

    /// What the device's clock says.
    func clock(at now: Duration) -> Timestamp {
        let time = 1_781_971_200_000 + Int64(now / .milliseconds(1)) + Int64(clockOffset)
        return Timestamp(milliseconds: time - time % clockStep)
    }

    /// Whether it holds all that its records speak of.
    func isWhole() throws -> Bool {
        var isWhole = try replica.missingPayloads(limit: 1).isEmpty
        try responder.mentions { mentions in
            if !responder.wants(mentions).isEmpty { isWhole = false }
        }
        return isWhole
    }
}
