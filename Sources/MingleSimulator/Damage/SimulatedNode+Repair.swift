// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica

/// What `mingle verify` and `mingle repair` do, on a node whose files nobody has open.
extension SimulatedNode {
    /// Flips bits in what is stored; false if there is nothing where they should flip.
    func flip(_ plan: FlipPlan) throws -> Bool {
        switch plan.place {
        case .database: disk?.flip(plan.count, in: Self.fileName, seed: plan.seed) ?? false
        case .log: disk?.flip(plan.count, in: Self.fileName + "-wal", seed: plan.seed) ?? false
        case .blobs: try flipBlob(plan)
        }
    }

    /// What is shown although something may be damaged; nothing if that was noticed.
    func shownDespiteDamage() -> [String] {
        guard let replica = try? openStored() else { return [] }
        defer { try? replica.close() }
        return (try? replica.dump()) ?? []
    }

    /// Keeps what is as it was written, and drops the rest.
    func repair() throws -> (ownIsWhole: Bool, isRebuilt: Bool, blobs: Int) {
        let damagedBlobs = try healBlobs()
        guard let disk, try !isDatabaseSound() else { return (true, false, damagedBlobs) }
        let spare = SimulatedDisk()
        let rebuild = try Replica.rebuild(
            from: disk.path(of: Self.fileName),
            into: spare.path(of: Self.fileName),
            event: event,
            own: secrets.ownDevice(in: event),
            connections: .one
        )
        disk.hold(whatIsOn: spare)
        return (rebuild.ownIsWhole, true, damagedBlobs)
    }

    private func openStored() throws -> Replica {
        try Replica(
            path: disk?.path(of: Self.fileName) ?? path + ".sqlite",
            event: event,
            own: secrets.ownDevice(in: event),
            connections: .one
        )
    }

    private func isDatabaseSound() throws -> Bool {
        do {
            let replica = try openStored()
            defer { try? replica.close() }
            // A copy on the node's own disk would keep what is deleted later.
            let spare = SimulatedDisk()
            return try replica.inspect(copyingTo: spare.path(of: "copy.sqlite")).isSound
        } catch ReplicaError.damaged {
            return false
        }
    }

    /// Drops the chunks that are not what was written, and returns how many blobs were damaged.
    private func healBlobs() throws -> Int {
        let store = try BlobStore(path: path, randomness: randomness)
        return try store.list().count { try store.heal($0.name).map { $0 != .sound } ?? false }
    }

    private func flipBlob(_ plan: FlipPlan) throws -> Bool {
        var dice = Dice(seed: plan.seed)
        let files = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        guard !files.isEmpty else { return false }
        let descriptor = unsafe open("\(path)/\(dice.pick(files))", O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { _ = Glibc.close(descriptor) }
        let length = Int(lseek(descriptor, 0, SEEK_END))
        for _ in 0..<plan.count where length > 0 {
            let place = off_t(dice.number(0...(length - 1)))
            var byte: UInt8 = 0
            guard unsafe pread(descriptor, &byte, 1, place) == 1 else { return false }
            byte ^= 1 << UInt8(dice.number(0...7))
            guard unsafe pwrite(descriptor, &byte, 1, place) == 1 else { return false }
        }
        return true
    }
}
