// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleCrypto
import MingleModel

/// A device as the writer keeps it at hand.
struct DeviceRow: NamedRow {
    let id: Int64
    let name: DeviceName
    let person: Int64
    /// The person's name.
    let owner: PersonID
    let signingKey: Bytes32
    let agreementKey: Bytes32
}

/// A branch of a journal, with its tip.
struct BranchRow: Sendable {
    let id: Int64
    let device: Int64
    let journal: Journal
    /// The branch that this one left, behind the header at `leaves`.
    let parent: Int64?
    let leaves: UInt32
    var tipSequence: UInt32
    var tipHash: HeaderHash
}

/// What the writer keeps of the small tables, so that merging asks the database for none of them.
final class Memory {
    /// A device's row and one of its journals, in one word, as there are two of every device.
    private struct JournalKey: Hashable {
        let word: Int64

        init(device: Int64, journal: Journal) { word = device << 1 | Int64(journal.rawValue) }
    }

    private(set) var devices = NamedRows<DeviceRow>()
    /// This node's own device, once a header of it came from elsewhere: its key is in use on another machine.
    private(set) var copiedDevices: Set<Int64> = []
    private(set) var devicesByPerson = Groups<Int64, Int64>()
    private(set) var branches = Rows<BranchRow>()
    private var branchesByJournal = Groups<JournalKey, Int64>()
    /// Who is at which level, and what that follows from.
    var authority = Authority()
    /// Persons by row: names, and their level once they were let in.
    private(set) var persons = NamedRows<PersonRow>()
    /// Persons whose level, leaving cuts aside, is moderator or above, by row.
    private(set) var moderators: Set<Int64> = []
    /// Epochs by row and by name, with those keys that are held.
    private(set) var epochIDs: [EpochID: Int64] = [:]
    private(set) var epochNames: [Int64: EpochID] = [:]
    private(set) var epochKeys: [EpochID: Secret] = [:]
    /// Private audiences by row, and of which audience each epoch is whose key is held; row 0 is the event's.
    private(set) var audiences: [Int64: Audience] = [0: .event]
    private(set) var audienceIDs: [Audience: Int64] = [.event: 0]
    private(set) var epochAudiences: [EpochID: Int64] = [:]
    /// Under which epoch the last delta of each branch is, as far as this run of the node has seen.
    private var lastEpochs: [Int64: Int64] = [:]
    /// Whom the owners of private audiences invited.
    var guests: [Int64: Guests] = [:]
    /// What this device shares with others for the keys that they seal to it; a part of all.
    private var secrets: [Int64: Secret] = [:]
    /// Where the journals of persons were cut, whether that counts or not.
    ///
    /// Anybody can name any journal in a cut of oneself; only where a person's own journal forks it is looked at.
    private(set) var cutEnds: [PersonID: [Place.Journal: [UInt32: CutMakers]]] = [:]
    /// Rows of deltas that others are likely to speak of soon.
    private var recentRows = RecentRows()
    /// Whether any journal has forked, or two devices' names begin alike.
    private var hasTwins = false
    /// Who may lack one of the event's keys.
    var sealedKeys = SealedKeys()
    /// Kinds of the records that deltas made, by row, of which others spoke lately.
    private(set) var madeKinds: [Int64: Int64] = [:]
    /// How many deltas wait for what they are about; where none does, no look-up is made.
    var waitingCount = 0
    /// How far records were merged that several devices edit.
    var merges = RecentMerges()
    /// What several people said lately about records.
    var statements = RecentStatements()
    /// What is held of each device's content journal.
    var usage: [Int64: Usage]
    /// What is held of all of a person's devices, once it was asked for: who floods may have any number of them.
    var shares: [Int64: Share] = [:]
    /// The row of the next delta.
    var nextRow: Int64
    /// What the database's header says is left to scrub.
    var dueScrub: DueScrub

    struct PersonRow: NamedRow {
        let name: PersonID
        /// What the person may do; nil until let in.
        var standing: Standing?
        /// The level of what the person says from now on.
        var level: Level? { standing?.level }
        /// Whether some of what the person said may count for less than the rest.
        var isCut: Bool { standing?.isCut ?? false }
    }

    init(_ db: Database) throws {
        nextRow = (try Int64.fetchOne(db, sql: "SELECT max(id) FROM journal") ?? 0) + 1
        dueScrub = try DueScrub(db)
        usage = try Usage.stored(db)
        for row in try Row.fetchAll(db, sql: "SELECT id, name FROM person ORDER BY id") {
            add(person: row["id"], name: try PersonID(column: row["name"]))
        }
        for row in try Row.fetchAll(db, sql: "SELECT * FROM device ORDER BY id") {
            let device = DeviceRow(
                id: row["id"],
                name: try DeviceName(column: row["name"]),
                person: row["person"],
                owner: persons[row["person"]]?.name ?? PersonID(.zero),
                signingKey: try Bytes32(column: row["signing_key"]),
                agreementKey: try Bytes32(column: row["agreement_key"])
            )
            add(device)
            if row["copied"] { copiedDevices.insert(device.id) }
        }
        try reloadBranches(db)
        for row in try Row.fetchAll(db, sql: "SELECT id, terms FROM audience") {
            if let audience = Audience(bytes: [UInt8](row["terms"] as Data)) { add(audience, at: row["id"]) }
        }
        for row in try Row.fetchAll(db, sql: "SELECT id, name, key, audience FROM epoch") {
            let name = try EpochID(column: row["name"])
            add(epoch: row["id"], name: name)
            if let key: Data = row["key"] { hold(Secret([UInt8](key)), of: name, in: row["audience"] ?? 0) }
        }
        waitingCount = try Int.fetchOne(db, sql: "SELECT count(*) FROM waiting") ?? 0
        try loadAuthority(db)
        guests = try readGuests(db)
    }

    /// Reads the branches anew, after some were dropped.
    func reloadBranches(_ db: Database) throws {
        (branches, branchesByJournal) = (Rows(), Groups())
        (recentRows, merges, lastEpochs, madeKinds) = (RecentRows(), RecentMerges(), [:], [:])
        statements = RecentStatements()
        for row in try Row.fetchAll(db, sql: "SELECT * FROM branch ORDER BY id") {
            let branch = BranchRow(
                id: row["id"],
                device: row["device"],
                journal: Journal(rawValue: row["journal"]) ?? .content,
                parent: row["parent"],
                leaves: row["leaves"],
                tipSequence: row["tip_sequence"],
                tipHash: try HeaderHash(column: row["tip_hash"])
            )
            add(branch)
        }
    }

    /// The keys at hand; what is added later leaves it as it is.
    func opener(event: EventID, _ knownSignatures: KnownSignatures?) -> Opener {
        Opener(event: event, devices: devices, epochKeys: epochKeys, knownSignatures: knownSignatures)
    }

    func add(person id: Int64, name: PersonID) {
        persons.add(PersonRow(name: name), at: id)
    }

    func add(_ device: DeviceRow) {
        devices.add(device, at: device.id)
        if devices.count(beginningWith: device.name.raw.prefix) > 1 { noteTwins() }
        devicesByPerson.add(device.id, to: device.person)
        sealedKeys.note(device.person)
        // It may have been retired before it came.
        if persons[device.person]?.standing?.isRetired(device.name) ?? false { shares[device.person] = nil }
    }

    func noteMade(_ kind: Int64, by row: Int64) {
        if madeKinds.count >= 65_536 { madeKinds = [:] }
        madeKinds[row] = kind
    }

    func markCopied(_ device: Int64) { copiedDevices.insert(device) }

    func add(_ branch: BranchRow) {
        branches.put(branch, at: branch.id)
        let key = JournalKey(device: branch.device, journal: branch.journal)
        branchesByJournal.add(branch.id, to: key)
        if branchesByJournal.count(of: key) > 1 { noteTwins() }
    }

    func add(epoch id: Int64, name: EpochID) {
        epochIDs[name] = id
        epochNames[id] = name
    }

    /// Notes that a delta of a branch is under an epoch, and returns whether it may be the first there.
    func noteWriting(on branch: Int64, under epoch: Int64) -> Bool {
        lastEpochs.updateValue(epoch, forKey: branch) != epoch
    }

    func set(_ standing: Standing?, of person: Int64) {
        persons.change(person) { $0.standing = standing }
        shares[person] = nil
        sealedKeys.note(person)
        if let standing, standing.base >= Hiding.writers {
            moderators.insert(person)
        } else {
            moderators.remove(person)
        }
    }

    func noteEnd(at sequence: UInt32, of journal: Place.Journal, cutting person: PersonID, by maker: CutMaker) {
        switch maker {
        // Who wrote what an invite's end names is looked at where it forks.
        case .owners: break
        case .others: cutEnds[person, default: [:]][journal, default: [:]][sequence, default: .none].isByOthers = true
        case .thePerson(let row):
            cutEnds[person, default: [:]][journal, default: [:]][sequence, default: .none].own.insert(row)
        }
    }

    /// Forgets who was let in, before that is worked out again.
    func forgetLevels() {
        (authority, cutEnds, moderators, guests, shares) = (Authority(), [:], [], [:], [:])
        (merges, statements) = (RecentMerges(), RecentStatements())
        sealedKeys.forget()
        for id in persons.ids { persons.change(id) { $0.standing = nil } }
    }

    func hold(_ key: Secret, of epoch: EpochID, in audience: Int64) {
        epochKeys[epoch] = key
        epochAudiences[epoch] = audience
    }

    func add(_ audience: Audience, at row: Int64) {
        audiences[row] = audience
        audienceIDs[audience] = row
    }

    /// What a device shares with another one; nil for a key with which nothing can be shared.
    func secret(_ own: AgreementKey, with device: DeviceRow) -> Secret? {
        if let secret = secrets[device.id] { return secret }
        if secrets.count >= 1024 { secrets = [:] }
        secrets[device.id] = try? own.sharedSecret(with: device.agreementKey)
        return secrets[device.id]
    }

    func moveTip(of branch: Int64, to sequence: UInt32, hash: HeaderHash) {
        branches.change(branch) { ($0.tipSequence, $0.tipHash) = (sequence, hash) }
    }

    /// Remembers the row that a reference means, unless another header of the journal may fit it too.
    ///
    /// Others seldom speak of what is in a fabric journal.
    func remember(_ reference: Reference, at row: Int64) {
        guard reference.journal == .content, !isAmbiguous(reference) else { return }
        recentRows.remember(reference, at: row)
    }

    private func noteTwins() {
        hasTwins = true
        (recentRows, merges, statements) = (RecentRows(), RecentMerges(), RecentStatements())
    }

    /// The row that a reference means, if that is at hand.
    func row(of reference: Reference) -> Int64? { recentRows[reference] }

    /// The branches of one journal, first come first.
    func branches(of device: Int64, _ journal: Journal) -> [BranchRow] {
        branchesByJournal[JournalKey(device: device, journal: journal)].compactMap { branches[$0] }
    }

    /// The branches of all content journals of a person.
    func contentBranches(of person: Int64) -> [Int64] {
        devicesByPerson[person].flatMap { branchesByJournal[JournalKey(device: $0, journal: .content)] }
    }

    /// Whether several headers may fit one reference: the journal has forked, or two names begin alike.
    func isAmbiguous(_ reference: Reference) -> Bool {
        guard hasTwins else { return false }
        let owners = devices.beginning(with: reference.device)
        return owners.count > 1 || owners.contains { branches(of: $0.id, reference.journal).count > 1 }
    }

    /// Where the header at `sequence` of a branch stands.
    func place(branch id: Int64, sequence: UInt32) -> Place? {
        guard let branch = branches[id], let device = devices[branch.device] else { return nil }
        return Place(Place.Journal(device.name, branch.journal), position(branch: id, sequence: sequence))
    }

    /// Where the header at `sequence` of a branch stands among the journal's branches.
    func position(branch id: Int64, sequence: UInt32) -> BranchPosition {
        guard let branch = branches[id], let parent = branch.parent else {
            return BranchPosition(branch: id, sequence: sequence)
        }
        return BranchPosition(
            branch: id,
            sequence: sequence,
            leaving: position(branch: parent, sequence: branch.leaves)
        )
    }
}
