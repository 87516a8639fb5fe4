// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import MingleAPI
import MingleReplica
import NodeTestSupport
import Testing

@testable import MingleNode

/// Backups of nodes that run, and what is refused as one.
@Suite(.timeLimit(.minutes(5)))
struct BackupTests {
    /// Lends a backup of a node with an event, and the folder around it.
    private func withBackup(_ body: (_ backup: String, _ folder: String) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let path = try await withNode(folder + "/host") { host in
                _ = try await host.createEvent(title: "Party")
                _ = try await host.rename(to: "Ana", event: nil)
                let moment = try host.makeMoment("Dinner")
                for number in 0..<70 { _ = try host.comment(on: moment.id, text: "Word \(number)", event: nil) }
                let made = try await host.backUp(BackupTerms(folder: folder + "/backup"))
                #expect(made.events == 1 && made.files == 3 && made.bytes > 10_000)
                return made.path
            }
            try await body(path, folder)
        }
    }

    @Test func `a backup of a running node is private and whole, and is never written over`() async throws {
        try await withBackup { backup, folder in
            let names = try FileManager.default.subpathsOfDirectory(atPath: backup)
            for name in names + ["."] {
                let attributes = try FileManager.default.attributesOfItem(atPath: backup + "/" + name)
                let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
                #expect(attributes[.posixPermissions] as? Int == (isFolder ? 0o700 : 0o600), "\(name)")
            }
            // Names of events and blobs may have any letters in them.
            #expect(!names.contains { name in ["-wal", ".lock", ".sock"].contains { name.hasSuffix($0) } })
            try await withNode(folder + "/host") { host in
                let again = try await problem { _ = try await host.backUp(BackupTerms(folder: backup)) }
                #expect(again.name == .conflict && again.detail.contains(backup))
                let relative = try await problem { _ = try await host.backUp(BackupTerms(folder: "backup")) }
                #expect(relative.name == .badRequest)
                let nowhere = try await problem {
                    _ = try await host.backUp(BackupTerms(folder: "/proc/nowhere/backup"))
                }
                #expect(nowhere.name == .badRequest)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["backup", "host"])
        }
    }

    @Test func `a backup does not lie where the node keeps its own, which it would be taken for or go with`()
        async throws
    {
        try await withBackup { _, folder in
            try await withNode(folder + "/host") { host in
                for part in ["events", "uploads", "importing", ".restoring", "events/x"] {
                    let refusal = try await problem {
                        _ = try await host.backUp(BackupTerms(folder: "\(folder)/host/\(part)/today"))
                    }
                    #expect(refusal.name == .badRequest && refusal.detail.contains("/host/"), "\(part)")
                }
                // By another name of the same place, too.
                for (link, place) in [("a", "events"), ("b", ".")] {
                    let other = "\(folder)/\(link)"
                    let leads = "\(folder)/host/\(place)"
                    try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: leads)
                    let refusal = try await problem {
                        _ = try await host.backUp(
                            BackupTerms(folder: "\(other)/\(place == "." ? "uploads" : "new")/today")
                        )
                    }
                    #expect(refusal.name == .badRequest && refusal.detail.contains("/host/"), "\(place)")
                }
                #expect(!FileManager.default.fileExists(atPath: folder + "/host/events/today.unfinished"))
                // A service may be shut in its folder.
                #expect(try await host.backUp(BackupTerms(folder: folder + "/host/backups/today")).events == 1)
            }
        }
    }

    @Test func `what is restored goes on as a new device of the same person, beside the old one`() async throws {
        try await withBackup { backup, folder in
            try await withNode(folder + "/host") { host in
                let device = try host.session(nil).replica.own
                let moment = try #require(try host.moments(event: nil).moments.first)
                _ = try host.comment(on: moment.id, text: "After the backup", event: nil)
                let restored = try Restoring.restore(backup, to: folder + "/restored")
                #expect(restored.events == 1 && restored.path == folder + "/restored")
                try await withNode(folder + "/restored", peers: [host.loopback]) { copy in
                    let own = try copy.session(nil).replica.own
                    #expect(own.person == device.person && own.name != device.name)
                    #expect(try copy.status(event: nil).name == "Ana")
                    _ = try copy.comment(on: moment.id, text: "From the copy", event: nil)
                    try await eventually("both hold the same", at: host, copy) {
                        try host.dump(event: nil) == copy.dump(event: nil)
                    }
                    let texts = try host.texts(on: moment.id)
                    #expect(texts.contains("From the copy") && texts.contains("After the backup"))
                    // Nobody met its own key.
                    for node in [host, copy] { #expect(try node.status(event: nil).warnings == []) }
                    #expect(try host.people(event: nil).people.count == 1)
                }
            }
        }
    }

    @Test func `a backup is restored into an empty folder, where only that is one's own`() async throws {
        try await withBackup { backup, folder in
            let place = folder + "/mingle"
            // What an earlier try left goes.
            let left = place + "/.restoring/events/x"
            try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
            let number = try FileManager.default.attributesOfItem(atPath: place)[.systemFileNumber] as? Int
            #expect(try Restoring.restore(backup, to: place).events == 1)
            #expect(try FileManager.default.attributesOfItem(atPath: place)[.systemFileNumber] as? Int == number)
            let names = try FileManager.default.contentsOfDirectory(atPath: place).sorted()
            #expect(names == ["backup.json", "events", "node.json", "node.lock", "uploads"])
            #expect(try DataFolder(place).verify().sound)
            let again = try refusal { _ = try Restoring.restore(backup, to: place) }
            #expect(again.contains("is not empty") && again.contains("--data"))
        }
    }

    @Test func `who waits for a backup or a restore is told how far it is, also of a stopped node`() async throws {
        try await withBackup { _, folder in
            try await withNode(folder + "/host") { host in
                let none = try await problem { _ = try host.progress(of: "backup") }
                #expect(none.name == .notFound)
                let told = Told()
                _ = try await host.backUp(BackupTerms(folder: folder + "/second")) { copied in
                    told.note(copied)
                    #expect((try? host.progress(of: "backup")) == copied)
                }
                told.expectAll()
                #expect((try? host.progress(of: "backup")) == nil)
            }
            let (stopped, restored) = (Told(), Told())
            _ = try DataFolder(folder + "/host").backUp(BackupTerms(folder: folder + "/third"), tell: stopped.note)
            stopped.expectAll()
            let size = try Restoring.restore(folder + "/third", to: folder + "/restored", tell: restored.note).bytes
            restored.expectAll()
            #expect(restored.all.last == API.HowFar(done: size, total: size))
            #expect(try DataFolder(folder + "/restored").verify().sound)
        }
    }

    @Test func `a backup is restored to where a node ran that took part in nothing`() async throws {
        try await withBackup { backup, folder in
            let place = folder + "/fresh"
            try await withNode(place) { node in _ = try await node.rename(to: "Venue", event: nil) }
            for name in ["node.json.new", "etilqs_0123"] {
                try Data([1]).write(to: URL(fileURLWithPath: "\(place)/\(name)"))
            }
            #expect(try Restoring.restore(backup, to: place).events == 1)
            let name = try await withNode(place) { try $0.status(event: nil).name }
            #expect(name == "Ana")
        }
    }

    @Test func `a restore that was cut short leaves its keys to nobody: the next start removes them`() async throws {
        try await withTemporaryFolder { folder in
            let left = folder + "/data/.restoring/events/x"
            try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
            try Data("keys".utf8).write(to: URL(fileURLWithPath: left + "/secrets.json"))
            try await withNode(folder + "/data") { _ in
                #expect(!FileManager.default.fileExists(atPath: folder + "/data/.restoring"))
            }
        }
    }

    @Test func `two do not restore to one place at once, be it there or not`() async throws {
        try await withBackup { backup, folder in
            let place = folder + "/place"
            let first = try DataFolder(place)
            let told = try refusal { _ = try Restoring.restore(backup, to: place) }
            #expect(told.contains("Another Mingle node is using"))
            withExtendedLifetime(first) {}
            first.unlock()
            #expect(try Restoring.restore(backup, to: place).events == 1)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["backup", "host", "place"]
            )
        }
    }

    @Test func `a backup whose files are pipes, links or longer than listed is refused before a byte is copied`()
        async throws
    {
        try await withBackup { backup, folder in
            let path = backup + "/node.json"
            let whole = try Data(contentsOf: URL(fileURLWithPath: path))
            let makers: [() throws -> Void] = [
                { try #require(unsafe mkfifo(path, 0o600) == 0) },
                { try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero") },
                { try (whole + Data(count: 5 << 20)).write(to: URL(fileURLWithPath: path)) },
                { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false) },
            ]
            for make in makers {
                try FileManager.default.removeItem(atPath: path)
                try make()
                let told = try refusal { _ = try Restoring.restore(backup, to: folder + "/new") }
                #expect(told.contains("node.json: it is not a regular file of \(whole.count) bytes"), "\(told)")
                #expect(!FileManager.default.fileExists(atPath: folder + "/new"))
            }
            try FileManager.default.removeItem(atPath: backup + "/manifest.json")
            try #require(unsafe mkfifo(backup + "/manifest.json", 0o600) == 0)
            #expect(try refusal { _ = try Restoring.restore(backup, to: folder + "/new") }.contains("is damaged"))
        }
    }

    @Test func `a backup for which there is no room is refused at once`() async throws {
        try await withBackup { backup, folder in
            let file = backup + "/manifest.json"
            let text = try String(contentsOfFile: file, encoding: .utf8)
            let huge = text.replacing(/"size":\d+/, with: #""size":\#(1 << 40)"#)
            try Data(huge.utf8).write(to: URL(fileURLWithPath: file))
            let told = try refusal { _ = try Restoring.restore(backup, to: folder + "/new") }
            #expect(told.contains("no room") && !FileManager.default.fileExists(atPath: folder + "/new"))
            let more = text.replacing(/"size":\d+/, with: #""size":\#(1 << 41)"#)
            try Data(more.utf8).write(to: URL(fileURLWithPath: file))
            #expect(try refusal { _ = try Restoring.restore(backup, to: folder + "/new") }.contains("is damaged"))
        }
    }

    @Test func `a blob that cannot be read is left out of a backup and named, and the rest is copied`() async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/host") { host in
                let event = try await host.createEvent(title: "Party").id
                _ = try await host.addPhoto(makePicture(in: folder), event: nil)
                let blobs = "\(folder)/host/events/\(event)/blobs"
                let names = try FileManager.default.contentsOfDirectory(atPath: blobs)
                let gone = try #require(names.first)
                try FileManager.default.removeItem(atPath: blobs + "/" + gone)
                try FileManager.default.createDirectory(atPath: blobs + "/" + gone, withIntermediateDirectories: false)
                let made = try await host.backUp(BackupTerms(folder: folder + "/backup"))
                #expect(made.files == 3 + names.count - 1 && made.skipped.count == 1 && made.skipped[0].contains(gone))
                #expect(try Restoring.restore(folder + "/backup", to: folder + "/restored").skipped == made.skipped)
            }
        }
    }

    @Test func `a backup of another version is refused with that version's number`() async throws {
        try await withBackup { backup, folder in
            let file = backup + "/manifest.json"
            let text = try String(contentsOfFile: file, encoding: .utf8)
            for (word, other) in [
                (#""format":2"#, #""format":3"#), (#""schema":"#, #""schema":9"#),
            ] {
                let newer = text.replacing(word, with: other).replacing(
                    "\"version\":\"\(Node.build)\"",
                    with: #""version":"7.3""#
                )
                #expect(newer != text)
                try Data(newer.utf8).write(to: URL(fileURLWithPath: file))
                let told = try refusal { _ = try Restoring.restore(backup, to: folder + "/new") }
                #expect(told.contains("7.3") && told.contains("Restore it with the version that made it"))
            }
            #expect(!FileManager.default.fileExists(atPath: folder + "/new"))
        }
    }

    @Test func `a backup that was cut short or altered is refused, and nothing is left`() async throws {
        try await withBackup { backup, folder in
            let files = try FileManager.default.subpathsOfDirectory(atPath: backup).filter { $0.contains(".") }
            #expect(files.count == 4)
            for name in files {
                let url = URL(fileURLWithPath: backup + "/" + name)
                let whole = try Data(contentsOf: url)
                var altered = whole
                altered[whole.count / 2] ^= 1
                for bad in [whole.dropLast(whole.count / 3), altered, nil] {
                    if let bad { try Data(bad).write(to: url) } else { try FileManager.default.removeItem(at: url) }
                    let told = try refusal { _ = try Restoring.restore(backup, to: folder + "/new") }
                    #expect(told.contains(backup), "\(name): \(told)")
                    #expect(!FileManager.default.fileExists(atPath: folder + "/new"))
                    #expect(!FileManager.default.fileExists(atPath: folder + "/new.restoring"))
                }
                try whole.write(to: url)
            }
            _ = try Restoring.restore(backup, to: folder + "/new")
        }
    }

    @Test func `a damaged backup and what is no backup end with codes of their own, and not with that for wrong usage`()
        async throws
    {
        try await withBackup { backup, folder in
            for name in ["node.json", "manifest.json"] {
                let url = URL(fileURLWithPath: backup + "/" + name)
                let whole = try Data(contentsOf: url)
                try whole.dropLast(whole.count / 3).write(to: url)
                let refusal = try await problem { _ = try Restoring.restore(backup, to: folder + "/new") }
                #expect(refusal.name == .damaged && refusal.name.exitCode == 15, "\(name): \(refusal.detail)")
                try whole.write(to: url)
            }
            let none = try await problem { _ = try Restoring.restore(folder + "/host", to: folder + "/new") }
            #expect(none.name == .notFound && none.name.exitCode == 4 && none.detail.contains("is not a backup"))
        }
    }

    @Test func `a manifest that names files elsewhere is refused`() async throws {
        try await withBackup { backup, folder in
            let file = backup + "/manifest.json"
            let text = try String(contentsOfFile: file, encoding: .utf8)
            for path in ["../node.json", "/etc/passwd", "events/../../node.json", "events/x/other", ""] {
                let other = text.replacing(#""path":"node.json""#, with: #""path":"\#(path)""#)
                #expect(other != text)
                try Data(other.utf8).write(to: URL(fileURLWithPath: file))
                #expect(try refusal { _ = try Restoring.restore(backup, to: folder + "/new") }.contains("no such file"))
            }
        }
    }
}
