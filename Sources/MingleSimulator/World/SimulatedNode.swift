// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import MingleWire

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
    private let knownSignatures: KnownSignatures
    /// The keys of whoever uses it: of its own person, or of a door's guest for one request.
    var secrets: Secrets
    /// Where the blobs are.
    let path: String
    /// Where the replica is, if in memory.
    let disk: SimulatedDisk?
    /// Every delta that it remembers to have written, under whichever name.
    var written: Set<Reference> = []
    /// Whether its key was met elsewhere, so that it may not write until it has another one.
    var isRetired = false

    /// The replica as the device faces it that writes now: the node's own, or a guest's.
    private(set) var replica: Replica
    /// The replica as its own device faces it.
    private(set) var opened: Replica
    /// The door's own keys while a guest uses it; else nil.
    private var doorSecrets: Secrets?
    /// The guest that uses a door now.
    private var guestKeys: GuestKeys?
    /// What a door keeps of its guests, by what their browsers derive, as a folder beside the replica does.
    var guests: [String: StoredGuest] = [:]
    /// What a door lets its guests do.
    var terms = DoorTerms()
    private(set) var blobs: BlobStore
    private(set) var responder: Responder
    var engine: SyncEngine
    /// Counts how often the engine began anew.
    private(set) var life = 0
    /// Whether the person has come to the event.
    var isHere = false
    /// Whether its person came by what was said to anyone nearby.
    var isWalkIn = false
    /// Whether it is nobody's device any more: no certificate came, or it was copied and cannot certify itself anew.
    private(set) var hasStopped = false
    /// The link that it shows for a further device of its person's, in memory alone.
    var offer: DeviceOffer?
    /// What it came by, until it has a certificate from another device of its person's.
    var arrival: DeviceArrival?
    /// Whether it has drawn keys anew since it came.
    var hasNewKeys = false
    /// When it came.
    var since = Duration.zero
    var isAwake = false
    /// What makes it hostile, if it is.
    var hostility: Hostility?

    /// Whether its person can write on it now, and it comes to the end of that.
    var canWrite: Bool { canTend && departure == nil }

    /// Whether it can write by itself what its person's level asks of it, as who leaves does until that is said.
    var canTend: Bool { isAwake && !isRetired && !isDoomed && !isFilled && !isLost }

    /// Whether it knows that its person does not use it any more.
    var isLost: Bool { (try? replica.isRetired(replica.own.name)) ?? false }

    /// What is next about leaving, for a person who does.
    var departure: Departure?
    /// Which peers hold the same, as far as they have told since something was written here.
    var accords: [PeerID: Accord] = [:]
    /// What nobody else is known to hold, where the person leaves.
    var handOver = HandOver()

    /// The device's clock, which the replica reads when headers come.
    let deviceClock: SimulatedClock
    /// When records from the future came, by that clock: where each stands in this node's lists, and never leaves.
    var places: [Reference: Timestamp] = [:]
    /// Links by the name that the engine has for them.
    var links: [PeerID: UInt64] = [:]
    /// Devices that have greeted, and whose they are once they are admitted.
    var greeted: [PeerID: (device: DeviceName, person: PersonID?)] = [:]
    /// Targets of its own where one of the two did not let the other in.
    var refusals: [Int: Refusal] = [:]
    /// Whose devices peers have proved to be, whether they were let in or not.
    var claimants: [PeerID: PersonID] = [:]
    var pendingMerges: [PendingMerge] = []
    /// What the engine is to be told, in order.
    var inbox: [SyncInput] = []
    /// When each queue has done what was asked of it.
    var busyUntil = [Duration](repeating: .zero, count: Line.allCases.count)
    /// Blobs that records speak of and that were not here when they came.
    var wanted: Set<BlobName> = []
    /// Chunks that were stored and not synchronized.
    var unflushedChunks: [ReceivedChunk] = []
    /// Whether its power is about to be cut.
    var isDoomed = false
    /// Blobs that an earlier life left and that may be nobody's.
    var inherited: [BlobName] = []
    /// Whether some of them may be nobody's by now.
    var mayHaveOrphans = false
    /// When all members were asked whether they hold no more, for those of which no record speaks.
    var reassurance = Reassurance()
    /// Whether it leaves blobs where they are of which no record speaks: a planted mistake.
    var keepsOrphans = false
    /// Whether there is little room on its disk.
    var isFilled = false
    /// Whether its shell has found the disk full.
    var isOutOfRoom = false
    var isScrubbing = false
    /// Whether it will look soon whether what was let go of fits again.
    var isReviewing = false
    /// What it holds of each other person, from its next start on.
    var quota: Quota
    /// What its sessions are bound by.
    private let limits: SyncLimits
    /// Whether it will look soon what the keys need.
    var isKeeping = false
    /// What is due about keys, each need once, until its time has come.
    var dueKeys: Set<KeyNeed> = []
    /// Whether it will look soon what people reported.
    var isModerating = false
    /// When its engine was last told that time has passed, and when it will be.
    var lastTick = Duration.zero
    var nextTick = Duration.zero
    private var nextPeer: UInt64 = 0

    init(
        number: Int,
        person: Int,
        event: EventID,
        secrets: Secrets,
        folder: String,
        disk: SimulatedDisk?,
        randomness: Randomness,
        knownSignatures: KnownSignatures,
        clock: SimulatedClock,
        quota: Quota,
        limits: SyncLimits
    ) throws {
        deviceClock = clock
        (self.quota, self.limits) = (quota, limits)
        self.knownSignatures = knownSignatures
        (self.number, self.person, self.event) = (number, person, event)
        (self.secrets, self.randomness) = (secrets, randomness)
        self.disk = disk
        path = "\(folder)/\(number)"
        blobs = try BlobStore(path: path, randomness: randomness)
        opened = try Self.openReplica(path, disk, event, secrets, knownSignatures, clock, quota)
        replica = opened
        responder = Responder(replica: replica, blobs: blobs, issued: secrets.issued)
        engine = try SyncEngine(of: replica, limits: limits)
    }

    /// What a replica is called on its disk.
    static let fileName = "replica.sqlite"

    /// Opens the replica that is on a disk, or beside the blobs where there is none.
    private static func openReplica(
        _ path: String,
        _ disk: SimulatedDisk?,
        _ event: EventID,
        _ secrets: Secrets,
        _ knownSignatures: KnownSignatures,
        _ clock: SimulatedClock,
        _ quota: Quota
    ) throws -> Replica {
        try Replica(
            path: disk?.path(of: fileName) ?? path + ".sqlite",
            event: event,
            own: secrets.ownDevice(in: event),
            // Where replicas are in files there are so many that their caches matter, and so do the pages that each small merge writes.
            connections: disk == nil ? .single(cache: 256, pageSize: 4096) : .single(cache: 4096),
            knownSignatures: knownSignatures,
            quota: secrets.isRelay ? nil : quota,
            clock: { clock.read() }
        )
    }

    /// Forgets everything but what is stored, as a program that was killed and is started again.
    ///
    /// With `losses`, also some of what was not synchronized is gone, as after a power cut. `meanwhile` may change what is
    /// stored.
    func restart(losses: inout Dice?, _ meanwhile: () throws -> Void = {}) throws {
        disk?.crash(losses: losses != nil, seed: losses?.next() ?? 0)
        disk?.leaveRoom(nil)
        isFilled = false
        if var dice = losses { damageChunks(&dice) }
        try opened.close()
        try meanwhile()
        opened = try Self.openReplica(path, disk, event, ownSecrets, knownSignatures, deviceClock, quota)
        opened.note(devicesHere: guests.values.compactMap(\.deviceName))
        face()
        blobs = try BlobStore(path: path, randomness: randomness)
        responder = Responder(replica: opened, blobs: blobs, issued: secrets.issued)
        forgetLostPlaces()
        try begin()
    }

    /// The keys of its own person's device.
    var ownSecrets: Secrets { doorSecrets ?? secrets }

    /// Lets a guest of a door use it while `body` runs, as a request that writes does.
    func serve(_ guest: GuestKeys, _ body: () throws -> Void) rethrows {
        let own = secrets
        (doorSecrets, guestKeys, secrets) = (own, guest, guest.secrets(at: own))
        face()
        defer {
            (doorSecrets, guestKeys, secrets) = (nil, nil, own)
            face()
        }
        try body()
    }

    private func face() {
        replica = guestKeys.map { access.writer($0) } ?? opened
    }

    /// Begins a life of the engine with what the replica holds.
    func begin() throws {
        life += 1
        engine = try SyncEngine(of: opened, limits: limits)
        (links, greeted, claimants, pendingMerges, inbox) = ([:], [:], [:], [], [])
        (accords, handOver, reassurance) = ([:], HandOver(), Reassurance())
        if departure != nil { departure = Departure(isSaid: try replica.hasLeft(secrets.person), at: .zero) }
        (unflushedChunks, isScrubbing, isReviewing) = ([], false, false)
        (isKeeping, isModerating, dueKeys) = (false, false, [])
        (isDoomed, isOutOfRoom, offer) = (false, false, nil)
        inbox += try unfinished()
        inherited = blobs.list().map(\.name)
        try eraseDeletedOrphans()
    }

    /// Never runs again; what it was about to do is not done.
    func stop() {
        life += 1
        (isHere, isAwake, hasStopped) = (false, false, true)
        (departure, arrival, offer) = (nil, nil, nil)
    }

    /// Closes the files.
    func close() throws { try opened.close() }

    /// A name for a new link.
    func makePeer() -> PeerID {
        nextPeer += 1
        return PeerID(nextPeer)
    }

    /// What the device's clock says.
    func clock(at now: Duration) -> Timestamp { deviceClock.read(at: now) }

    /// Whether it holds all that its records speak of.
    func isWhole() throws -> Bool {
        try replica.missingPayloads(limit: 1).isEmpty && lackingBlobs().isEmpty
    }
}
