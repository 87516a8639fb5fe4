// SPDX-License-Identifier: Apache-2.0

import GRDB
import MingleModel
import MingleWire

// What is held of each device, from what the writer keeps at hand.
extension Transaction {
    func usage(of device: Int64) -> Usage { memory.usage[device] ?? Usage() }

    func set(_ usage: Usage, of device: Int64) {
        memory.set(usage, of: device)
        staleUsage.insert(device)
    }

    /// What counts against the quota together with what a device writes: all that is of its person's devices in use.
    ///
    /// A retired one counts by itself, so a thief uses up nothing of the owner's.
    func sharedUsage(of device: DeviceRow) -> Usage {
        let share = memory.share(of: device.person)
        return share.apart.contains(device.id) ? usage(of: device.id) : share.used
    }

    /// What is kept of a device's person.
    ///
    /// This node's own has no limit, as nobody else may have what the person wrote; but what a retired device of the person's wrote has,
    /// as it may be a thief's.
    func quota(of device: DeviceRow) -> Quota? {
        guard device.person == memory.personIDs[replica.own.person] else { return replica.quota }
        return memory.share(of: device.person).apart.contains(device.id) ? replica.quota : nil
    }

    /// Counts deltas that are about to be stored.
    ///
    /// It goes by the header alone, so it is the same for who can read the payload, who cannot, and who has yet to fetch it.
    ///
    /// - Returns: those whose payload does not fit, by their places.
    func takeIn(_ deltas: ArraySlice<Delta>, of device: DeviceRow) -> [Int] {
        guard deltas.first?.header.journal == .content else { return [] }
        let quota = quota(of: device)
        var (shared, own) = (sharedUsage(of: device), usage(of: device.id))
        var beyond: [Int] = []
        for index in deltas.indices {
            let (length, isKey) = (Int(deltas[index].header.payloadLength), deltas[index].header.isOfKey)
            guard shared.fits(length, isKey: isKey, within: quota) else {
                beyond.append(index)
                continue
            }
            shared.count(length, isKey: isKey)
            own.count(length, isKey: isKey)
        }
        own.letGo += beyond.count
        outcome.letGo.formUnion(beyond.map { deltas[$0].reference })
        set(own, of: device.id)
        return beyond
    }

    /// Lets go of a payload that has come for a header, if its author is beyond the quota by now.
    ///
    /// What is waited for is counted, so it fits but where that was another quota's, or what had given room does not count any more.
    func letGoBeyondQuota(_ row: Int64, _ delta: Delta, of device: DeviceRow) throws -> Bool {
        let header = delta.header
        guard header.journal == .content, header.payloadLength > 0, let quota = quota(of: device),
            sharedUsage(of: device).exceeds(quota, inKeys: header.isOfKey)
        else { return false }
        try run("UPDATE journal SET erased = 2 WHERE id = ? AND payload IS NULL AND erased = 0", [row])
        guard db.changesCount > 0 else { return true }
        var usage = usage(of: device.id)
        usage.count(-Int(header.payloadLength), isKey: header.isOfKey)
        usage.letGo += 1
        set(usage, of: device.id)
        outcome.letGo.insert(delta.reference)
        outcome.settledPayloads.append(delta.reference)
        return true
    }

    /// Notes that a payload is neither held nor to be fetched any more.
    ///
    /// - Parameter isLetGo: whether it may be taken back; else its record was deleted.
    func releaseUsage(of stored: StoredDelta, isLetGo: Bool = false) {
        guard stored.delta.header.journal == .content, !stored.isErased else { return }
        var usage = usage(of: stored.device.id)
        if stored.isEvicted {
            usage.letGo -= 1
        } else {
            usage.count(-Int(stored.delta.header.payloadLength), isKey: stored.delta.header.isOfKey)
        }
        if isLetGo { usage.letGo += 1 }
        set(usage, of: stored.device.id)
        noteRoom(of: stored.device.person)
    }

    /// Notes that there may be room for what was let go of a person.
    func noteRoom(of person: Int64) {
        guard !outcome.hasRoom, !replica.own.isRelay else { return }
        outcome.hasRoom = memory.share(of: person).letGo > 0
    }

    /// Stores what changed of the counts, before the transaction ends.
    func storeUsage() throws {
        for device in staleUsage.sorted() { try usage(of: device).store(of: device, db) }
        staleUsage = []
    }

    /// Counts all anew, where much has changed at once.
    func recountUsage() throws {
        try run("DELETE FROM usage", [])
        memory.replaceUsage(with: try Usage.counted(db))
        staleUsage = Set(memory.usage.keys)
        if !replica.own.isRelay { outcome.hasRoom = memory.usage.values.contains { $0.letGo > 0 } }
    }
}
