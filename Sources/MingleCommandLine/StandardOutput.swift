// SPDX-License-Identifier: Apache-2.0

package import Foundation
import MingleModel
import SystemPackage

/// The standard output of a command.
///
/// Texts of other people must not drive the terminal, so every text goes through one of the two functions that see to
/// that.
package enum StandardOutput {
    /// Prints a text without what would drive the terminal or show nothing, and ends its line.
    ///
    /// - Throws: `OutputError`.
    package static func print(_ text: String) throws {
        try write(Data("\(text.onTerminal(keepingLines: true))\n".utf8))
    }

    /// Prints JSON, or lines whose texts are JSON strings, and ends the last line.
    ///
    /// What would drive the terminal or show nothing is escaped.
    ///
    /// - Throws: `OutputError`.
    package static func print(json: Data) throws {
        try write(Data("\(String(decoding: json, as: UTF8.self).escapedForTerminal)\n".utf8))
    }

    /// Writes bytes as they are: those of a file, or a text that is this program's own.
    ///
    /// - Throws: `OutputError`.
    package static func write(_ data: Data) throws {
        do {
            try FileDescriptor.standardOutput.writeAll(data)
        } catch Errno.brokenPipe {
            throw OutputError.noReader
        } catch Errno.noSpace, Errno.diskQuotaExceeded {
            throw OutputError.noSpace
        } catch {
            throw OutputError.failed("\(error)")
        }
    }
}

/// The error stream of a command.
package enum StandardError {
    /// Prints a text without what would drive the terminal or show nothing.
    ///
    /// - Parameter terminator: what stands behind it.
    package static func print(_ text: String, terminator: String = "\n") {
        FileHandle.standardError.write(Data((text.onTerminal(keepingLines: true) + terminator).utf8))
    }

    /// Prints JSON on a line, with what would drive the terminal or show nothing escaped.
    package static func print(json: Data) {
        FileHandle.standardError.write(Data("\(String(decoding: json, as: UTF8.self).escapedForTerminal)\n".utf8))
    }
}

/// Why the standard output takes no more; the descriptions are for people.
package enum OutputError: Error, CustomStringConvertible {
    /// The output is a pipe that nobody reads any more: a command ends silently, and a service goes on.
    case noReader
    /// The output goes to a full disk.
    case noSpace
    /// The system refuses to write, for the reason given.
    case failed(String)

    package var description: String {
        switch self {
        case .noReader: "Nobody reads the output."
        case .noSpace: "The disk that the output goes to is full. Free some space and try again."
        case .failed(let reason): "The output cannot be written: \(reason)."
        }
    }

    /// How the program ends, for scripts.
    package var exitCode: Int32 {
        switch self {
        // What a shell says of a program that ended by SIGPIPE: 128 and the signal's number.
        case .noReader: 141
        case .noSpace: 14
        case .failed: 12
        }
    }
}
