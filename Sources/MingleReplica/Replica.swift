// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
package import MingleCrypto
package import MingleModel
package import MingleWire
import Synchronization

/// This node's own keys in one event.
package struct OwnDevice: Sendable {
    /// The person's identity.
    package let person: PersonID
    /// The device's name.
    package let name: DeviceName
    /// Signs the device's journals.
    package let signing: SigningKey
    /// Opens slots.
    package let agreement: AgreementKey
    /// The invitation that the person came by; its slots are open to this node too.
    package let invitation: InvitationKeys?
    /// Whether it carries everything and reads nothing: it opens no slot, whoever seals a key to it.
    package let isRelay: Bool
    /// Whether it is a door or a guest of one: it opens nothing but what everybody in the event can.
    package let isDoor: Bool
    /// Whether the person sees only records of the person's own, as a guest of a door may.
    package let seesOnlyOwn: Bool

    /// Describes this node in one event.
    package init(
        person: PersonID,
        name: DeviceName,
        signing: SigningKey,
        agreement: AgreementKey,
        invitation: InvitationKeys? = nil,
        isRelay: Bool = false,
        isDoor: Bool = false,
        seesOnlyOwn: Bool = false
    ) {
        (self.person, self.name, self.signing) = (person, name, signing)
        (self.agreement, self.invitation) = (agreement, invitation)
        (self.isRelay, self.isDoor, self.seesOnlyOwn) = (isRelay, isDoor, seesOnlyOwn)
    }
}

/// One event's replica: journals, and the records that follow from them, in one SQLite file.
///
/// Everything is synchronous and inside a transaction, so that the simulator runs the same code as the node. State is a
/// function of the set of headers, payloads and keys held, whatever the order in which they came.
package final class Replica: Sendable {
    /// The event.
    package let event: EventID
    /// This node's device.
    package let own: OwnDevice
    /// What is held of each other person; nil is without a limit.
    package let quota: Quota?
    /// What this node's person may write.
    package let ownQuota: Quota
    let path: String
    /// What need not be checked again, if anything is remembered.
    package let knownSignatures: KnownSignatures?
    let pool: any DatabaseWriter
    let connections: Connections
    private let uses: OpenUses
    let writer: Writer
    /// What tells the time at which headers are stored; nil: none is taken as late.
    let clock: (@Sendable () -> Timestamp)?
    /// What is certainly new need not be looked for.
    let heights: Heights
    /// What the faces share besides.
    private let shared: SharedState

    /// Opens or makes the replica in `path`; nil opens one in memory, for tests.
    ///
    /// Replicas of one process may share what they remember of signatures.
    ///
    /// - Parameters:
    ///   - quota: What is held of each other person; nil is without a limit.
    ///   - ownQuota: What this node's person may write: what other nodes hold of it.
    ///   - clock: What tells the time at which headers are stored; nil: none is taken as late.
    package init(
        path: String?,
        event: EventID,
        own: OwnDevice,
        connections: Connections = .several,
        knownSignatures: KnownSignatures? = nil,
        quota: Quota? = .customary,
        ownQuota: Quota = .customary,
        clock: (@Sendable () -> Timestamp)? = nil
    ) throws {
        self.clock = clock
        (self.quota, self.ownQuota) = (quota, ownQuota)
        self.connections = path == nil ? .one : connections
        self.event = event
        self.own = own
        self.knownSignatures = knownSignatures
        self.path = path ?? ":memory:"
        do {
            pool = try connections.open(path: path)
            try Schema.prepare(pool, path: self.path)
            pool.writeWithoutTransaction { db in db.stopAuthorizing() }
            let memory = try pool.read { try Memory($0) }
            writer = Writer(memory)
            shared = SharedState(memory.opener(event: event, knownSignatures))
            (uses, heights) = (OpenUses(), Heights())
            for branch in memory.branches.all {
                guard let device = memory.devices[branch.device]?.name else { continue }
                heights.raise(branch.journal, of: device, to: branch.tipSequence)
            }
            try deriveAnew()
        } catch let error as DatabaseError {
            throw ReplicaError(error, path: self.path)
        }
    }

    /// The same replica as another device of this node faces it: that device writes, and its person reads.
    ///
    /// A door has one for each of its guests. Only a replica that was opened itself merges and is closed.
    package func faced(by own: OwnDevice) -> Replica { Replica(sharing: self, own: own) }

    private init(sharing other: Replica, own: OwnDevice) {
        (event, self.own, quota, ownQuota, path) = (other.event, own, other.quota, other.ownQuota, other.path)
        (knownSignatures, pool, connections, uses) = (other.knownSignatures, other.pool, other.connections, other.uses)
        (writer, clock, heights, shared) = (other.writer, other.clock, other.heights, other.shared)
    }

    /// Notes further devices that write here, so that a header of theirs that was never made here is told from others.
    package func note(devicesHere devices: some Sequence<DeviceName>) {
        shared.devices.withLock { $0.formUnion(devices) }
    }

    /// Whether a device writes here.
    func isHere(_ device: DeviceName) -> Bool {
        device == own.name || shared.devices.withLock { $0.contains(device) }
    }

    /// Runs `body` in one transaction.
    ///
    /// It is on the disk before this returns where `isDurable`, and otherwise before a later one that is.
    func write<Result>(isDurable: Bool, _ body: (Transaction) throws -> Result) throws -> Result {
        try access {
            try pool.writeWithoutTransaction { db in
                try setDurability(isDurable, db)
                return try transact(db, body)
            }
        }
    }

    /// Runs `body` in a transaction that need not be on the disk any sooner than others.
    ///
    /// It leaves the connection as the last write set it up, as a write looks first, and telling it twice costs
    /// more than to look.
    func look<Result>(_ body: (Transaction) throws -> Result) throws -> Result {
        try access { try pool.writeWithoutTransaction { db in try transact(db, body) } }
    }

    /// Says whether the next transactions are on the disk before they return.
    func setDurability(_ isDurable: Bool, _ db: Database) throws {
        guard writer.isDurable != isDurable else { return }
        try db.execute(sql: isDurable ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
        writer.isDurable = isDurable
    }

    private func transact<Result>(_ db: Database, _ body: (Transaction) throws -> Result) throws -> Result {
        if writer.isStale { (writer.memory, writer.isStale) = (try Memory(db), false) }
        let transaction = Transaction(db: db, replica: self, memory: writer.memory)
        do {
            let result = try db.transact(.immediate) {
                let result = try body(transaction)
                try transaction.storeUsage()
                return result
            }
            let opener = writer.memory.opener(event: event, knownSignatures)
            shared.opener.withLock { $0 = opener }
            return result
        } catch {
            // What the memory learned from a transaction that did not happen must go.
            writer.isStale = true
            throw error
        }
    }

    /// The keys at hand, for opening runs on other threads.
    package var opener: Opener { shared.opener.withLock { $0 } }

    /// Runs `body` on a consistent view of the database.
    func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try access {
            // Nobody can write between two queries where there is one connection.
            guard connections == .several else { return try pool.writeWithoutTransaction(body) }
            return try pool.unsafeRead { db in try db.transact(.deferred) { try body(db) } }
        }
    }

    /// Uses the database while it is open.
    func access<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try uses.use(body)
        } catch let error as DatabaseError {
            throw ReplicaError(error, path: path)
        }
    }

    /// Closes the files when nobody uses them; what comes later throws `ReplicaError.closed`.
    package func close() throws {
        guard uses.close() else { return }
        // A log is not looked at before the next start; what the file holds is, whenever it is read.
        if connections == .several { try? pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) } }
        try pool.close()
    }
}

/// What the faces of one replica share.
private final class SharedState: Sendable {
    /// The keys at hand after the last write, for threads that open runs meanwhile.
    let opener: Mutex<Opener>
    /// Devices that write here besides the node's own.
    let devices = Mutex<Set<DeviceName>>([])

    init(_ opener: Opener) { self.opener = Mutex(opener) }
}

/// What the writer keeps at hand.
///
/// @unchecked because the database runs one write at a time, and only writes touch it.
final class Writer: @unchecked Sendable {
    var memory: Memory
    /// Whether the memory may hold what did not happen.
    var isStale = false
    /// What the connection was last told about when a commit is on the disk; nil before that.
    var isDurable: Bool?

    init(_ memory: Memory) { self.memory = memory }
}

extension ReplicaError {
    /// What a failure of SQLite means to a person.
    init(_ error: DatabaseError, path: String) {
        switch error.resultCode {
        case .SQLITE_FULL: self = .noSpace(path: path)
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .damaged(path: path, detail: Self.detail(of: error))
        case .SQLITE_IOERR where error.isUnreadable:
            self = .damaged(path: path, detail: Self.detail(of: error))
        case .SQLITE_IOERR where errno == ENOSPC: self = .noSpace(path: path)
        default: self = .failed(path: path, detail: error.message ?? "\(error.resultCode)")
        }
    }

    /// What is wrong with a file, in a few words.
    static func detail(of error: any Error) -> String {
        guard let error = error as? DatabaseError else { return "\(error)" }
        if error.extendedResultCode == .SQLITE_IOERR_DATA { return "stored data has changed" }
        if error.isUnreadable { return "the disk cannot read stored data" }
        return error.message ?? "unreadable"
    }
}
