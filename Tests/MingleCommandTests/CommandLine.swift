// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// The command line as people use it: the program that was built beside the tests.
struct Mingle {
    /// What a command said, and how it ended.
    struct Outcome {
        let code: Int32
        let output: String
        let errors: String
    }

    /// The data folder of all commands; nil: the environment names none.
    let data: String?
    /// Further variables of the environment.
    var environment: [String: String] = [:]
    /// The name of the program.
    var program = "mingle"
    /// The port of the page, where a node runs.
    var page: Int?

    /// A program that was built beside the tests.
    static func program(_ name: String = "mingle") -> URL {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().appending(path: name)
    }

    /// Runs a command to its end.
    @discardableResult
    func callAsFunction(_ arguments: String...) throws -> Outcome { try self(arguments) }

    /// Runs a command to its end.
    @discardableResult
    func callAsFunction(_ arguments: [String]) throws -> Outcome {
        let (output, errors) = (Pipe(), Pipe())
        let process = process(arguments, output)
        process.standardError = errors
        try process.run()
        // Short enough for the pipe, which holds 64 KiB.
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        let complaints = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Outcome(
            code: process.terminationStatus,
            output: String(decoding: text, as: UTF8.self),
            errors: String(decoding: complaints, as: UTF8.self)
        )
    }

    /// Runs a command on a terminal on which `answer` is typed.
    func onTerminal(_ arguments: [String], answer: String) throws -> (code: Int32, said: String) {
        let (terminal, line) = try Self.openTerminal()
        defer { close(terminal) }
        let process = process(arguments, Pipe())
        process.standardInput = line
        process.standardOutput = line
        process.standardError = line
        try process.run()
        try line.close()
        try FileHandle(fileDescriptor: terminal).write(contentsOf: Data(answer.utf8))
        var (said, part) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
        // Reading fails when nobody has the other side any more.
        while case let count = unsafe read(terminal, &part, part.count), count > 0 { said += part.prefix(count) }
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: said, as: UTF8.self).replacing("\r\n", with: "\n"))
    }

    private struct NoTerminal: Error {}

    /// Opens both sides of a new terminal, which no other process that starts meanwhile gets.
    private static func openTerminal() throws -> (Int32, FileHandle) {
        // TIOCSPTLCK and TIOCGPTPEER of Linux, which are macros that Swift does not import.
        let (lock, peer): (UInt, UInt) = (0x4004_5431, 0x5441)
        let terminal = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var unlocked: CInt = 0
        guard unsafe ioctl(terminal, lock, &unlocked) == 0 else { throw NoTerminal() }
        let line = ioctl(terminal, peer, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard line >= 0 else { throw NoTerminal() }
        return (terminal, FileHandle(fileDescriptor: line, closeOnDealloc: true))
    }

    /// Lends a new folder to `body`, and removes it afterwards.
    static func withFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
        // A socket's path is short.
        let path = "/tmp/mingle-command-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try body(path)
    }

    /// Lends the command line of a node that runs and has an event, and a folder, to `body`; waits for the node's end.
    static func withNode<Result>(_ body: (Mingle, _ folder: String) throws -> Result) throws -> Result {
        try withFolder { folder in
            var mingle = Mingle(data: folder + "/data")
            let output = Pipe()
            let node = mingle.process(["run", "--port", "0", "--no-discovery"], output)
            try node.run()
            defer {
                node.terminate()
                node.waitUntilExit()
            }
            // It says where its page is once it answers.
            let said = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            mingle.page = said.split(separator: ":").last { $0.first?.isNumber == true }.flatMap {
                Int($0.prefix { $0.isNumber })
            }
            try mingle("profile", "--name", "Ana")
            try mingle("event", "create", "Party")
            return try body(mingle, folder)
        }
    }

    private func process(_ arguments: [String], _ output: Pipe) -> Process {
        let process = Process()
        process.executableURL = Self.program(program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.environment?["MINGLE_DATA"] = data
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        return process
    }
}

/// A small picture that can be shared.
enum Picture {
    private struct Failed: Error {}

    /// Makes a PNG of `width` by 30 pixels.
    static func make(_ path: String, width: Int = 40) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/vips")
        process.arguments = ["black", path, "\(width)", "30", "--bands", "3"]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed() }
    }
}
