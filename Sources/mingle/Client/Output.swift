// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Glibc
import MingleCommandLine
import NIOCore

/// Where a command writes a file.
enum Output {
    case file(SavedFile)
    /// For the name `-`. A file of that name is `./-`.
    case standard

    /// Checks that a file can be written, before there is anything to write.
    ///
    /// - Parameters:
    ///   - path: the path of the file, or `-`.
    ///   - replaces: whether to replace an existing file.
    ///   - isPrivate: whether only the owner may read a new file.
    ///   - options: the options of the command, which tell whether it prints JSON.
    /// - Throws: `ValidationError` if JSON goes to the standard output too; what ``SavedFile`` throws.
    init(_ path: String, replaces: Bool, isPrivate: Bool = false, _ options: ClientOptions) throws {
        guard path == "-" else {
            self = .file(try SavedFile(path, replaces: replaces, isPrivate: isPrivate))
            return
        }
        guard !options.json else {
            throw ValidationError(
                "The file and --json would both go to the standard output. Name a file, or omit --json."
            )
        }
        self = .standard
    }

    var isStandard: Bool { if case .standard = self { true } else { false } }

    /// Refuses to write bytes that are not text to a terminal.
    func requireNoTerminal(_ advice: String) throws {
        guard isStandard, isatty(STDOUT_FILENO) == 1 else { return }
        throw ValidationError("A terminal cannot show the file. \(advice)")
    }

    /// Writes what `fill` passes to `take`.
    func write(_ fill: (_ take: (ByteBuffer) throws -> Void) async throws -> Void) async throws {
        switch self {
        case .file(let file): try await file.write(fill)
        case .standard: try await fill { try StandardOutput.write(Data($0.readableBytesView)) }
        }
    }

    /// Writes a text.
    func write(_ text: String) async throws { try await write { take in try take(ByteBuffer(string: text)) } }
}
