// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Glibc
import MingleNode

/// Asks for a passphrase on the terminal, which does not show it.
enum PassphrasePrompt {
    /// Control-C.
    ///
    /// The terminal must not send a signal while it shows nothing, so it ends the line instead.
    private static let interrupt: UInt8 = 3
    /// Bytes that are read at most.
    private static let limit = 4096

    /// Asks for a passphrase that is in use.
    ///
    /// - Parameter what: What it is for, such as `the backup`.
    static func ask(for what: String) throws -> String { try read("Passphrase of \(what): ") }

    /// Asks twice for a new passphrase.
    static func askNew(for what: String) throws -> String {
        let first = try read("New passphrase for \(what): ")
        guard try read("The same again: ") == first else {
            throw ValidationError("The two passphrases differ. Nothing was changed.")
        }
        return first
    }

    private static func read(_ prompt: String) throws -> String {
        var usual = termios()
        guard unsafe tcgetattr(STDIN_FILENO, &usual) == 0 else { throw Self.none }
        FileHandle.standardError.write(Data(prompt.utf8))
        var hidden = usual
        hidden.c_lflag &= ~tcflag_t(ECHO | ISIG)
        unsafe withUnsafeMutableBytes(of: &hidden.c_cc) { unsafe $0[Int(VEOL)] = interrupt }
        unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &hidden)
        let line = readLine()
        unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &usual)
        FileHandle.standardError.write(Data("\n".utf8))
        guard let line else { throw ExitCode(130) }
        guard !line.isEmpty else { throw ValidationError("The passphrase is empty. Nothing was changed.") }
        return line
    }

    /// Reads a line of the terminal, without buffering what follows; nil if the person interrupts or ends it.
    private static func readLine() -> String? {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: limit)
        while bytes.count < limit {
            let count = unsafe Glibc.read(STDIN_FILENO, &part, limit)
            guard count > 0, part[count - 1] != interrupt else { return nil }
            bytes += part[..<count]
            if bytes.last == UInt8(ascii: "\n") { break }
        }
        return String(validating: bytes.dropLast(), as: UTF8.self)
    }

    private static var none: ValidationError {
        ValidationError("A passphrase is needed. Name a file that contains it: --passphrase-file FILE")
    }
}
