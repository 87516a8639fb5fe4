// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleAPI
import MingleClient
import MingleCommandLine
import MingleModel
import MingleNode

/// Ends the program with a message on the error stream and an exit code that means something.
enum Failure {
    /// Some of several things were done, and the others were told of.
    struct PartlyDone: Error {}

    /// How a command ended, for programs.
    private struct ExitError: Encodable {
        var type = "exit_error"
        let code: Int32
        let message: String
    }

    /// What every message on the error stream begins with.
    static let prefix = "mingle: "

    /// Ends the program for an error; parsing errors and requests for help end as the parser says.
    static func exit(with error: any Error) -> Never {
        switch error {
        case let problem as API.Problem: end(problem.detail, problem.name.exitCode)
        case let error as NoNodeError: end("\(error)", 10)
        case let error as DataFolderError:
            switch error {
            case .inUse: end("\(error)", 11)
            case .encryptedKeys: end("\(error)", 2)
            case .wrongPassphrase: end("\(error)", 12)
            default: end("\(error)", 1)
            }
        case let error as ConfigurationError: end("\(error)", 2)
        case is Confirmation.Declined: end("Nothing was changed.", 1)
        case OutputError.noReader: Foundation.exit(OutputError.noReader.exitCode)
        case let error as OutputError: end("\(error)", error.exitCode)
        case is PartlyDone: end(nil, 3, summary: "Some of it was done, and some was not, as is said above.")
        // The parser's own are wrapped with how the command is written; these are thrown by commands that were understood.
        case let error as ValidationError: end(error.message, 2)
        default:
            let code = Mingle.exitCode(for: error)
            if code == .failure, !(error is ExitCode) { end("\(error)", 1) }
            if error is ExitCode { end(nil, code.rawValue, summary: "What is wrong is said above.") }
            let text = Mingle.fullMessage(for: error)
            if code.isSuccess {
                // Help, or offers to a shell: `Offers` took out of names what drives a terminal, and needs its tabs.
                do { try StandardOutput.write(Data("\(text)\n".utf8)) } catch { exit(with: error) }
                Foundation.exit(0)
            }
            end(String(text.trimmingPrefix(prefix)), code == .validationFailure ? 2 : code.rawValue)
        }
    }

    /// Ends the program; where what there is to say was said before, programs are told `summary` alone.
    private static func end(_ message: String?, _ code: Int32, summary: String = "") -> Never {
        let message = message?.onTerminal(keepingLines: true)
        if let message { StandardError.print(prefix + message) }
        if CommandLine.arguments.contains("--json") {
            let data = (try? API.encode(ExitError(code: code, message: message ?? summary))) ?? Data()
            StandardError.print(json: data)
        }
        Foundation.exit(code)
    }
}
