// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleCrypto
import MingleModel
import NodeTestSupport
import Testing

@testable import MingleNode

/// Backups that a passphrase encrypts.
@Suite(.timeLimit(.minutes(5)))
struct BackupEncryptionTests {
    private func secret(_ text: String) throws -> Passphrase { try Passphrase(text, cost: .least) }

    @Test func `an encrypted backup names nothing, shares unchanged files, and is restored with its passphrase`()
        async throws
    {
        try await withStoppedNode { data, folder in
            let terms = try BackupTerms(folder + "/backups", "correct horse")
            let (first, second) = (try data.backUp(terms), try data.backUp(terms))
            let blobs = try blobFiles(in: data.path + "/events")
            let blobBytes = try blobs.reduce(0) {
                try $0 + (FileManager.default.attributesOfItem(atPath: $1)[.size] as? Int ?? 0)
            }
            #expect(second.newBytes == second.bytes - blobBytes && blobBytes > 0)
            let event = try #require(data.events().first).description
            var stored: [Set<Int?>] = []
            for backup in [first, second] {
                let paths = try FileManager.default.subpathsOfDirectory(atPath: backup.path)
                #expect(paths.count == backup.files + 3)
                for path in paths where path != "files" {
                    let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(backup.path)/\(path)"))
                    // A shorter word would be in some megabytes by chance.
                    for word in [event, "Party", "SQLite", "signing"] {
                        #expect(bytes.range(of: Data(word.utf8)) == nil, "\(path) holds \(word)")
                    }
                }
                stored.append(
                    Set(try paths.filter { $0.hasPrefix("files/") }.map { try inode("\(backup.path)/\($0)") })
                )
            }
            #expect(stored[0].intersection(stored[1]).count == blobs.count)
            try FileManager.default.removeItem(atPath: first.path)
            _ = try Restoring.restore(
                folder + "/backups",
                to: folder + "/restored",
                passphrase: secret("correct horse")
            )
            #expect(try DataFolder(folder + "/restored").verify().sound)
        }
    }

    @Test func `a wrong passphrase, none, or one too many writes nothing and says so`() async throws {
        try await withStoppedNode { data, folder in
            let (place, plain) = (folder + "/backups", folder + "/plain")
            _ = try data.backUp(BackupTerms(place, "right"))
            _ = try data.backUp(BackupTerms(plain))
            let before = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
            for (terms, words) in [
                (try BackupTerms(place, "wrong"), "Wrong passphrase"), (try BackupTerms(place), "is encrypted"),
                (try BackupTerms(plain, "right"), "are not encrypted"),
            ] {
                #expect(try refusal { _ = try data.backUp(terms) }.contains(words))
            }
            for (backup, passphrase, words) in [
                (place, "wrong", "Wrong passphrase"), (place, nil, "is encrypted"),
                (plain, "right", "is not encrypted"),
            ] {
                let told = try refusal {
                    _ = try Restoring.restore(backup, to: folder + "/new", passphrase: passphrase.map(secret))
                }
                #expect(told.contains(words))
            }
            #expect(try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() == before)
        }
    }

    @Test func `an encrypted backup with a file that was cut, changed, lost or put in another's place is refused`()
        async throws
    {
        try await withStoppedNode { data, folder in
            let backup = try data.backUp(BackupTerms(folder + "/backups", "right")).path
            let files = try BackupManifest(of: backup, BackupKey(of: backup, secret("right"))).files
            func place(of name: String) throws -> String { try #require(files.first { $0.path.contains(name) }).place }
            let (keys, database, blob) = (try place(of: "secrets"), try place(of: "sqlite"), try place(of: "/blobs/"))
            func content(_ path: String) throws -> Data {
                try Data(contentsOf: URL(fileURLWithPath: "\(backup)/\(path)"))
            }
            func changed(_ path: String) throws -> Data {
                var data = try content(path)
                data[data.count / 2] ^= 1
                return data
            }
            func restored(_ path: String, as bad: Data?, _ body: () throws -> Void) throws {
                let (url, whole) = (URL(fileURLWithPath: "\(backup)/\(path)"), try content(path))
                if let bad { try bad.write(to: url) } else { try FileManager.default.removeItem(at: url) }
                try body()
                try whole.write(to: url)
            }
            for (path, bad, words) in [
                (keys, try changed(keys), "damaged"), (keys, try content(database), "damaged"),
                (database, nil, "damaged"),
                (database, try content(database).dropLast(), "damaged"), ("key.json", nil, "key.json is missing"),
                ("key.json", try changed("key.json"), "passphrase"),
                ("manifest.sealed", try changed("manifest.sealed"), "damaged"),
                ("manifest.sealed", nil, "not a backup"),
            ] as [(String, Data?, String)] {
                try restored(path, as: bad) {
                    let told = try refusal {
                        _ = try Restoring.restore(backup, to: folder + "/new", passphrase: secret("right"))
                    }
                    #expect(told.contains(words) || path == "key.json" && told.contains("damaged"), "\(told)")
                    #expect(!FileManager.default.fileExists(atPath: folder + "/new"))
                }
            }
            // A blob is left out and named: one of another file does not pass either.
            try restored(blob, as: content(keys)) {
                let left = try Restoring.restore(backup, to: folder + "/new", passphrase: secret("right"))
                #expect(left.skipped.count == 1 && left.files == files.count - 1)
            }
        }
    }

    @Test func `a plain backup among encrypted ones is neither restored as the newest nor gone on with`() async throws {
        try await withStoppedNode { data, folder in
            let (place, plain) = (folder + "/backups", folder + "/plain")
            _ = try data.backUp(BackupTerms(place, "right"))
            let planted = try data.backUp(BackupTerms(plain)).path
            try FileManager.default.moveItem(atPath: planted, toPath: place + "/2099-01-01T000000Z")
            for passphrase in [nil, try secret("right")] {
                let told = try refusal { _ = try Restoring.restore(place, to: folder + "/new", passphrase: passphrase) }
                #expect(told.contains("is not encrypted, and others there are"))
            }
            #expect(try refusal { _ = try data.backUp(BackupTerms(place)) }.contains("is encrypted"))
            let next = try data.backUp(BackupTerms(place, "right"))
            #expect(next.path == place + "/2099-01-01T000001Z" && next.newBytes < next.bytes)
        }
    }

    @Test func `a damaged key of the newest backup does not stop the next one`() async throws {
        try await withStoppedNode { data, folder in
            let place = folder + "/backups"
            _ = try data.backUp(BackupTerms(place, "right"))
            var newest = URL(fileURLWithPath: try data.backUp(BackupTerms(place, "right")).path + "/key.json")
            let whole = try String(contentsOf: newest, encoding: .utf8)
            let letter = try #require(whole.firstRange(of: #""key":""#)).upperBound
            let other = whole.replacingCharacters(in: letter...letter, with: whole[letter] == "a" ? "b" : "a")
            for bad in ["", other] {
                try Data(bad.utf8).write(to: newest)
                #expect(try refusal { _ = try data.backUp(BackupTerms(place, "x")) }.contains("Wrong passphrase"))
                let next = try data.backUp(BackupTerms(place, "right"))
                #expect(next.newBytes < next.bytes)
                newest = URL(fileURLWithPath: next.path + "/key.json")
            }
        }
    }

    @Test func `a file of an earlier encrypted backup does not pass in a later one`() async throws {
        try await withStoppedNode { data, folder in
            let terms = try BackupTerms(folder + "/backups", "right")
            let (first, second) = (try data.backUp(terms).path, try data.backUp(terms).path)
            let key = try #require(try BackupKey(of: first, secret("right")))
            func place(of name: String, in backup: String) throws -> String {
                let file = try BackupManifest(of: backup, key).files.first { $0.path.hasSuffix(name) }
                return "\(backup)/\(try #require(file).place)"
            }
            let (old, new) = (try place(of: "secrets.json", in: first), try place(of: "replica.sqlite", in: second))
            try FileManager.default.removeItem(atPath: new)
            try FileManager.default.copyItem(atPath: old, toPath: new)
            let told = try refusal {
                _ = try Restoring.restore(second, to: folder + "/new", passphrase: secret("right"))
            }
            #expect(told.contains("is damaged"))
            // A manifest is bound to its purpose: no file of the backup passes as one.
            try FileManager.default.removeItem(atPath: second + "/manifest.sealed")
            try FileManager.default.copyItem(atPath: old, toPath: second + "/manifest.sealed")
            #expect(try refusal { _ = try BackupManifest(of: second, key) }.contains("is damaged"))
        }
    }
}
