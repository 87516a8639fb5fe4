// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import MingleAPI
import SystemPackage

/// A folder with the backups of one node.
///
/// Each is a folder that is named by the time at which it was begun.
///
/// A backup is complete when it has its name. Until then, and while it is removed, `.unfinished` follows the name.
struct BackupFolder {
    /// What follows the name of a backup that is not complete.
    static let unfinished = ".unfinished"
    private static let lockName = "backups.lock"
    /// Names that a new backup tries.
    private static let tries = 100
    /// The time in a backup's name.
    private static let style = Date.ISO8601FormatStyle(dateSeparator: .dash, timeSeparator: .omitted)

    let path: String

    /// Names the folder, which need not exist.
    ///
    /// - Throws: `API.Problem` if backups cannot lie there.
    init(_ destination: String) throws {
        guard destination.hasPrefix("/") else {
            throw API.Problem(.badRequest, "The folder for backups must be an absolute path (/…), not \(destination).")
        }
        path = URL(fileURLWithPath: destination).standardizedFileURL.path
        if let part = DataFolder.part(holding: path) {
            throw API.Problem(
                .badRequest,
                "\(path) lies in \(part), where a node keeps and deletes its own files. Choose another folder, best on "
                    + "another disk."
            )
        }
        guard !BackupManifest.isThere(in: path) else {
            throw API.Problem(.conflict, "\(path) is a backup itself. Name the folder around it, or a new folder.")
        }
    }

    // MARK: - Names

    /// The names of the complete backups in a folder, oldest first.
    ///
    /// - Parameter owner: Whose they must be; nil: anybody's.
    static func backups(in path: String, of owner: uid_t? = nil) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter(isName).filter { name in
            // Not a link: the files of a backup are linked to, and removed.
            let attributes = try? FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
            let isOwn = owner.map { attributes?[.ownerAccountID] as? Int == Int($0) } ?? true
            return attributes?[.type] as? FileAttributeType == .typeDirectory && isOwn
                && BackupManifest.isThere(in: "\(path)/\(name)")
        }
        .sorted()
    }

    /// The complete backups of this user, oldest first.
    ///
    /// Nobody else may have a say in what is linked and removed.
    var backups: [String] { Self.backups(in: path, of: geteuid()) }

    /// The name of a backup that begins at a time: later than that of every other one, also after the clock went back.
    func newName(at date: Date) throws(API.Problem) -> String {
        let newest = backups.last.flatMap { try? Date($0, strategy: Self.style) }
        let first = max(date, newest.map { $0 + 1 } ?? date)
        for second in 0..<Self.tries {
            let name = (first + Double(second)).formatted(Self.style)
            if [name, name + Self.unfinished].allSatisfy({ !SafeFile.isThere("\(path)/\($0)") }) { return name }
        }
        throw API.Problem(
            .conflict,
            "\(path) has files with the names of the next \(Self.tries) backups. Choose another folder."
        )
    }

    private static func isName(_ name: String) -> Bool { name.wholeMatch(of: /\d{4}-\d\d-\d\dT\d{6}Z/) != nil }

    // MARK: - Changes

    /// Creates the folder if need be, and keeps other backups out of it while `body` runs.
    ///
    /// - Throws: `API.Problem` if it cannot be written, or if another backup is being made there.
    func locked<Result>(_ body: () throws -> Result) throws -> Result {
        let wasThere = SafeFile.isThere(path)
        let lock = try openLock()
        return try lock.closeAfter {
            guard flock(lock.rawValue, LOCK_EX | LOCK_NB) == 0 else {
                let reason = Errno(rawValue: errno)
                guard reason == .wouldBlock else { throw FileFailure(path: path, reason: reason) }
                throw API.Problem(
                    .unavailable,
                    "Another backup is being written to \(path). Wait until it is complete."
                )
            }
            do {
                return try body()
            } catch {
                // A complete backup stays, whatever failed after it.
                if !wasThere {
                    unsafe unlink("\(path)/\(Self.lockName)")
                    unsafe rmdir(path)
                }
                throw error
            }
        }
    }

    private func openLock() throws -> FileDescriptor {
        do {
            try SafeFile.makeFolder(path)
            return try FileDescriptor.open(
                FilePath("\(path)/\(Self.lockName)"),
                .readWrite,
                options: [.create, .noFollow, .closeOnExec],
                permissions: [.ownerRead, .ownerWrite]
            )
        } catch {
            let isFull = [Errno.noSpace, .diskQuotaExceeded].contains(error as? Errno)
            throw API.Problem(
                isFull ? .noSpace : .badRequest,
                "No backup can be written to \(path): \(SafeFile.phrase(of: error)). Choose another folder, or let the "
                    + "node's user write there."
            )
        }
    }

    /// Removes backups that were not completed, or not removed completely.
    ///
    /// Nobody else may write to the folder.
    ///
    /// - Returns: Which could not be removed, and why.
    func removeLeftovers() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.compactMap { name in
            guard name.hasSuffix(Self.unfinished), Self.isName(String(name.dropLast(Self.unfinished.count))) else {
                return nil
            }
            do {
                try SafeFile.removeIfThere("\(path)/\(name)")
                return nil
            } catch {
                return "The unfinished backup \(name) could not be removed: \(SafeFile.phrase(of: error))."
            }
        }
    }

    /// Removes a backup.
    ///
    /// If that is interrupted, the rest counts as unfinished.
    func remove(_ name: String) throws {
        let (whole, rest) = ("\(path)/\(name)", "\(path)/\(name)\(Self.unfinished)")
        guard unsafe rename(whole, rest) == 0 else { throw FileFailure(path: whole, reason: Errno(rawValue: errno)) }
        try SafeFile.removeIfThere(rest)
    }
}
