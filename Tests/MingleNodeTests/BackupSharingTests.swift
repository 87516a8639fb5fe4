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
            // The older backup is restored without the blob that is damaged in all that share it.
            let older = try Restoring.restore(first.path, to: folder + "/older")
            #expect(older.files == first.files - 1 && older.skipped.count == 1)
            #expect(older.skipped[0].contains((rotten as NSString).lastPathComponent))
            #expect(try blobFiles(in: folder + "/older").count == blobs.count - 1)
            #expect(try DataFolder(folder + "/older").verify().sound)
        }
    }

    @Test func `a backup after the clock went back is named as the newest one, and stays`() async throws {
        try await withStoppedNode { data, folder in
            let place = folder + "/backups"
            let first = try data.backUp(BackupTerms(place)).path
            try FileManager.default.moveItem(atPath: first, toPath: place + "/2099-12-31T235959Z")
            let next = try data.backUp(BackupTerms(place, keep: 1))
            #expect(next.path == place + "/2100-01-01T000000Z" && next.removed == 1)
            #expect(BackupFolder.backups(in: place) == ["2100-01-01T000000Z"])
        }
    }

    @Test func `a failure removes a folder that was made for it, and no file in it`() async throws {
        struct Failed: Error {}
        try await withTemporaryFolder { folder in
            let backups = try BackupFolder(folder + "/backups")
            #expect(throws: Failed.self) { try backups.locked { throw Failed() } }
            #expect(!SafeFile.isThere(backups.path))
            #expect(throws: Failed.self) {
                try backups.locked {
                    try SafeFile.makeFolder(backups.path + "/2026-01-01T000000Z")
                    throw Failed()
                }
            }
            #expect(try names(in: backups.path) == ["2026-01-01T000000Z"])
        }
    }

    @Test func `where a blob cannot be linked, its copy needs room`() async throws {
        try await withStoppedNode { data, folder in
            let first = try data.backUp(BackupTerms(folder + "/backups")).path
            let manifest = try BackupManifest(of: first, nil)
            let file = try #require(manifest.files.first { $0.modified != nil })
            let blob = BackupSource.Blob(
                named: file.path,
                file: "\(data.path)/\(file.path)",
                size: file.size,
                modified: try #require(file.modified)
            )
            var files = try BackupFiles(in: folder + "/new", key: nil, earlier: EarlierBackup(first, manifest))
            try SafeFile.makeFolder((folder + "/new/" + file.path as NSString).deletingLastPathComponent)
            try FileManager.default.removeItem(atPath: "\(first)/\(file.path)")
            let full = API.Problem(.noSpace, "full")
            #expect(try refusal { try files.add(blob) { _ in throw full } } == "full")
            try files.add(blob) { #expect($0 == file.size) }
            #expect(files.newBytes == file.size)
        }
    }

    @Test func `a plain backup needs no room for its database in the data folder`() async throws {
        try await withStoppedNode { data, folder in
            // Nothing can be written there.
            try FileManager.default.removeItem(atPath: data.path + "/uploads")
            try Data().write(to: URL(fileURLWithPath: data.path + "/uploads"))
            let made = try data.backUp(BackupTerms(folder + "/backups"))
            #expect(made.events == 1 && made.skipped.isEmpty)
            #expect(throws: (any Error).self) { try data.backUp(BackupTerms(folder + "/sealed", "right")) }
        }
    }

    @Test func `a node whose record of backups is damaged makes none, and takes no other id`() async throws {
        try await withStoppedNode { data, folder in
            let record = data.path + "/backup.json"
            try Data("{".utf8).write(to: URL(fileURLWithPath: record))
            #expect(try refusal { _ = try data.backUp(BackupTerms(folder + "/backups")) }.contains("is damaged"))
            #expect(FileManager.default.contents(atPath: record) == Data("{".utf8))
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
