// SPDX-License-Identifier: Apache-2.0

package import Foundation
import SystemPackage

/// The standard output of a command.
package enum StandardOutput {
    /// Prints a text and ends its line.
    ///
    /// - Throws: `OutputError`.
    package static func print(_ text: String) throws { try write(Data("\(text)\n".utf8)) }

    /// Writes bytes as they are.
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
