// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import MingleAPI
import MingleMedia
import NodeTestSupport
import SystemPackage
import Testing

@testable import MingleNode

/// What several backups in one folder share, which are kept, and what does not count as one.
@Suite(.timeLimit(.minutes(5)))
struct BackupSharingTests {
    private func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    @Test func `a second backup links to the blobs of the first and copies only what can change`() async throws {
        try await withStoppedNode { data, folder in
            let terms = try BackupTerms(folder + "/backups")
            let (first, second) = (try data.backUp(terms), try data.backUp(terms))
            #expect(first.path != second.path && first.newBytes == first.bytes && first.files == second.files)
            let blobs = try (blobFiles(in: first.path), blobFiles(in: second.path))
            #expect(try !blobs.0.isEmpty && blobs.0.map(inode) == blobs.1.map(inode))
            let size = try blobs.1.reduce(0) {
                try $0 + (FileManager.default.attributesOfItem(atPath: $1)[.size] as? Int ?? 0)
            }
            #expect(second.newBytes == second.bytes - size)
            // The node's own files have no further name.
            let own = try blobFiles(in: data.path + "/events").map(inode)
            #expect(Set(own).isDisjoint(with: try blobs.1.map(inode)))
        }
    }

    @Test func `each backup is restored by itself after the others were removed`() async throws {
        try await withStoppedNode { data, folder in
            let terms = try BackupTerms(folder + "/backups")
            let made = try (0..<3).map { _ in try data.backUp(terms) }
            for gone in [made[0], made[2]] { try FileManager.default.removeItem(atPath: gone.path) }
            #expect(try Restoring.restore(made[1].path, to: folder + "/restored").files == made[1].files)
            #expect(try DataFolder(folder + "/restored").verify().sound)
            let newest = try Restoring.restore(folder + "/backups", to: folder + "/newest")
            #expect(newest.created.milliseconds == made[1].created.milliseconds)
        }
    }

    @Test func `of the backups only the newest stay, and nothing else in the folder is removed`() async throws {
        try await withStoppedNode { data, folder in
            let place = folder + "/backups"
            let foreign = place + "/2020-01-01T000000Z"
            try FileManager.default.createDirectory(atPath: foreign, withIntermediateDirectories: true)
            try Data("{}".utf8).write(to: URL(fileURLWithPath: foreign + "/manifest.json"))
            try Data("mine".utf8).write(to: URL(fileURLWithPath: place + "/notes.txt"))
            let elsewhere = try data.backUp(BackupTerms(folder + "/elsewhere")).path
            let link = place + "/2020-01-02T000000Z"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: elsewhere)
            let made = try (0..<4).map { _ in try data.backUp(BackupTerms(place, keep: 2)) }
            #expect(made.map(\.removed) == [0, 0, 1, 1])
            let left = made.suffix(2).map { URL(fileURLWithPath: $0.path).lastPathComponent }
            let others = ["2020-01-01T000000Z", "2020-01-02T000000Z", "backups.lock", "notes.txt"]
            #expect(try names(in: place) == (others + left).sorted())
            #expect(try Restoring.restore(elsewhere, to: folder + "/restored").events == 1)
            #expect(try refusal { _ = try BackupTerms(place, keep: 0) }.contains("At least 1"))
        }
    }

    @Test func `a backup that leaves something out removes no earlier one and is no success`() async throws {
        try await withStoppedNode { data, folder in
            let place = folder + "/backups"
            let first = try data.backUp(BackupTerms(place))
            let success = data.backupRecord?.last
            #expect(success?.milliseconds == first.created.milliseconds)
            let blob = try #require(try blobFiles(in: data.path + "/events").first)
            try FileManager.default.removeItem(atPath: blob)
            try FileManager.default.createDirectory(atPath: blob, withIntermediateDirectories: false)
            let second = try data.backUp(BackupTerms(place, keep: 1))
            #expect(second.skipped.count == 1 && second.removed == 0 && data.backupRecord?.last == success)
            #expect(FileManager.default.fileExists(atPath: first.path))
        }
    }

    @Test func `a backup that was interrupted counts as none and goes with the next one`() async throws {
        try await withStoppedNode { data, folder in
            let place = folder + "/backups"
            // As a kill leaves it: anything may be there but the name.
            let whole = try data.backUp(BackupTerms(place))
            let rest = place + "/2020-01-01T000000Z.unfinished"
            try FileManager.default.moveItem(atPath: whole.path, toPath: rest)
            let foreign = place + "/mine.unfinished"
            try FileManager.default.createDirectory(atPath: foreign, withIntermediateDirectories: false)
            #expect(
                try refusal { _ = try Restoring.restore(place, to: folder + "/restored") }.contains("contains none")
            )
            let next = try data.backUp(BackupTerms(place, keep: 1))
            #expect(next.newBytes == next.bytes && next.removed == 0)
            let name = URL(fileURLWithPath: next.path).lastPathComponent
            #expect(try names(in: place) == [name, "backups.lock", "mine.unfinished"])
        }
    }

    @Test func `a blob that a disk changed in an earlier backup is copied anew, and so is one that a repair wrote`()
        async throws
    {
        try await withStoppedNode { data, folder in
            let terms = try BackupTerms(folder + "/backups")
            let first = try data.backUp(terms)
            let blobs = try blobFiles(in: first.path)
            let (rotten, repaired) = (try #require(blobs.first), try #require(blobs.last))
            try #require(rotten != repaired)
            var bytes = try Data(contentsOf: URL(fileURLWithPath: rotten))
            bytes[bytes.count / 2] ^= 1
            try bytes.write(to: URL(fileURLWithPath: rotten))
            let live = try #require(
                try blobFiles(in: data.path + "/events").first {
                    $0.hasSuffix((repaired as NSString).lastPathComponent)
                }
            )
            try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: live)
            let second = try data.backUp(terms)
            let again = try blobFiles(in: second.path)
            let shared = try zip(blobs, again).filter { try inode($0) == inode($1) }.map(\.0)
            #expect(shared == blobs.filter { $0 != rotten && $0 != repaired })
            #expect(try Restoring.restore(second.path, to: folder + "/restored").events == 1)
            #expect(try DataFolder(folder + "/restored").verify().sound)
            #expect(try refusal { _ = try Restoring.restore(first.path, to: folder + "/x") }.contains("is damaged"))
        }
    }

    @Test func `the backups of another node, one in progress, a file and a backup itself are in the way`() async throws
    {
        try await withStoppedNode { data, folder in
            let place = folder + "/backups"
            let made = try data.backUp(BackupTerms(place))
            try await withNode(folder + "/other") { other in
                _ = try await other.createEvent(title: "Other")
                let told = try await problem { _ = try await other.backUp(BackupTerms(place, keep: 1)) }
                #expect(told.name == .conflict && told.detail.contains("another node"))
            }
            #expect(try refusal { _ = try data.backUp(BackupTerms(made.path)) }.contains("is a backup itself"))
            let file = folder + "/file"
            try Data().write(to: URL(fileURLWithPath: file))
            #expect(
                try refusal { _ = try data.backUp(BackupTerms(file)) }.contains("No backup can be written to \(file)")
            )
            let lock = try FileDescriptor.open(FilePath(place + "/backups.lock"), .readWrite)
            #expect(flock(lock.rawValue, LOCK_EX) == 0)
            #expect(try refusal { _ = try data.backUp(BackupTerms(place)) }.contains("Another backup is being written"))
            try lock.close()
            #expect(try data.backUp(BackupTerms(place)).removed == 0)
        }
    }

    @Test func `a restored node goes on with the backups of the one before it`() async throws {
        try await withStoppedNode { data, folder in
            let place = folder + "/backups"
            let first = try data.backUp(BackupTerms(place))
            _ = try Restoring.restore(place, to: folder + "/restored")
            let restored = try DataFolder(folder + "/restored")
            #expect(restored.backupRecord?.last == nil)
            #expect(try restored.backUp(BackupTerms(place, keep: 1)).removed == 1)
            #expect(!FileManager.default.fileExists(atPath: first.path))
        }
    }

    @Test func `the metric, the status and the doctor know when the last complete backup was made`() async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/data") { node in
                _ = try await node.createEvent(title: "Party")
                let metric = "mingle_backup_last_success_timestamp_seconds "
                #expect(node.metrics().contains("\n\(metric)0\n") && node.backupCheck().status == "skip")
                let made = try await node.backUp(BackupTerms(folder + "/backups"))
                #expect(node.metrics().contains("\n\(metric)\(Int(made.created.timeIntervalSince1970))\n"))
                #expect(try node.status(event: nil).lastBackup?.milliseconds == made.created.milliseconds)
                #expect(node.backupCheck().status == "pass")
                #expect(node.backupCheck(now: made.created + 8 * 86_400).status == "warn")
            }
        }
    }
}
