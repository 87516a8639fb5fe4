// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A program that makes or inspects test pictures.
struct Program {
    static let vips = Program(path: "/usr/bin/vips")
    static let vipsheader = Program(path: "/usr/bin/vipsheader")
    static let ffmpeg = Program(path: "/usr/bin/ffmpeg")
    static let exiftool = Program(path: "/usr/bin/exiftool")

    private struct Failed: Error {
        let arguments: [String]
    }

    let path: String
    var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// Runs the program and returns what it prints; throws if it fails.
    @discardableResult
    func run(_ arguments: String...) throws -> String { try run(arguments) }

    /// The same.
    @discardableResult
    func run(_ arguments: [String]) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(arguments: arguments) }
        return String(decoding: text, as: UTF8.self)
    }
}
