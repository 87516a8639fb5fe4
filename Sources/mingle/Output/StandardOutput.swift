// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleNode
import SystemPackage

/// What a command prints: it may go into a pipe that nobody reads any more, or onto a full disk.
enum StandardOutput {
    /// Nobody reads what is printed: a command ends without a word, and a service goes on.
    struct NoReader: Error {
        /// What a shell says of a program that ended for it: 128 and SIGPIPE.
        static let exitCode: Int32 = 141
    }

    /// Prints a text and ends its line.
    ///
    /// - Throws: `NoReader`, or `API.Problem` if there is no room or no output.
    static func print(_ text: String) throws { try write(Data("\(text)\n".utf8)) }

    /// Writes bytes as they are; see ``print(_:)``.
    static func write(_ data: Data) throws {
        do {
            try FileDescriptor.standardOutput.writeAll(data)
        } catch Errno.brokenPipe {
            throw NoReader()
        } catch Errno.noSpace, Errno.diskQuotaExceeded {
            throw API.Problem(.noSpace, "There is no room for what is printed. Free some space and try again.")
        } catch {
            throw API.Problem(.notAllowed, "What is to be printed cannot be written: \(error).")
        }
    }
}
