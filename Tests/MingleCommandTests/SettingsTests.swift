// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleNode
import Testing

@testable import mingle

@Suite("Settings of the command line", .timeLimit(.minutes(5)))
struct SettingsTests {
    /// The arguments of a command with a settings file, without the name of the command.
    private func arguments(
        _ command: String,
        _ text: String,
        _ given: String...,
        environment: [String: String] = [:]
    ) throws -> [String] {
        try Mingle.withFolder { folder in
            try Data(text.utf8).write(to: URL(filePath: folder + "/mingle.conf"))
            let environment = environment.merging(["MINGLE_CONFIG": folder + "/mingle.conf"]) { $1 }
            let all = try Configured.arguments(["mingle", command] + given, environment: environment)
            return all.dropFirst().map { $0.replacing(folder, with: "FOLDER") }
        }
    }

    private let shared = """
        peer-port = 4782
        keep-days = 3
        log-level = debug
        [run]
        port = 4999
        log-level = info
        [door]
        listen = 0.0.0.0:8081
        """

    @Test func `One file has the settings of all commands, and each takes its own`() throws {
        #expect(try arguments("run", shared) == ["--peer-port=4782", "--port=4999", "--log-level=info"])
        #expect(try arguments("relay", shared) == ["--peer-port=4782", "--keep-days=3", "--log-level=debug"])
        #expect(
            try arguments("door", shared) == ["--peer-port=4782", "--log-level=debug", "--listen=0.0.0.0:8081"]
        )
    }

    @Test(arguments: [
        ("peer-prot = 1", "line 1: No command has a setting 'peer-prot'. Did you mean 'peer-port'?"),
        (
            "# One\n[relay]\nport = 1",
            "line 3: mingle relay has no setting 'port'. Remove it, or see mingle relay --help."
        ),
        (
            "[run]\nserendipity = 1",
            "line 2: mingle run has no setting 'serendipity'. Remove it, or see mingle run --help."
        ),
        ("[rum]\n", "line 1: No command has the section [rum]. Use [run], [relay] or [door]."),
        ("config = x", "line 1: A settings file cannot name another one. Remove the line."),
        // It stands in the text of the door's help, and is not an option.
        ("level = guest", "line 1: No command has a setting 'level'."),
        (
            "[door]\nlisten = nowhere\n",
            "line 2: Not a valid value for 'listen': 'nowhere'. See mingle door --help."
        ),
    ])
    func `A mistake is refused with its line`(text: String, said: String) throws {
        let error = try #require(throws: ConfigurationError.self) { try arguments("door", text) }
        #expect("\(error)".contains("mingle.conf, \(said)"), "\(error)")
    }

    @Test func `The environment goes before the file, and takes back what the file switched on`() throws {
        let file = "no-discovery = true\nport = 1\npeer = a:1\n"
        let environment = ["MINGLE_NO_DISCOVERY": "false", "MINGLE_PORT": "2", "MINGLE_PEER": "b:1"]
        #expect(try arguments("run", file, environment: environment) == ["--peer=a:1", "--peer=b:1", "--port=2"])
        // A variable for another command is not a mistake; an unknown one is.
        #expect(try arguments("relay", "", environment: ["MINGLE_PORT": "2"]).isEmpty)
        let error = try #require(throws: ConfigurationError.self) {
            try arguments("relay", "", environment: ["MINGLE_PEER_PROT": "1"])
        }
        #expect(
            "\(error)".contains("MINGLE_PEER_PROT: No command has a setting 'peer-prot'. Did you mean 'peer-port'?")
        )
    }

    @Test func `The file names the data folder unless the environment does, and a relative name counts from the file`()
        throws
    {
        #expect(try arguments("run", "data = party") == ["--data=FOLDER/party"])
        #expect(
            try arguments("run", "data = ~/party", environment: ["HOME": "/home/ana"]) == ["--data=/home/ana/party"]
        )
        #expect(try arguments("run", "data = /a", environment: ["MINGLE_DATA": "/b"]).isEmpty)
    }

    @Test func `Commands that ask the node find its folder where mingle run does`() throws {
        try Mingle.withFolder { folder in
            let file = folder + "/mingle.conf"
            try Data("data = /general\n[run]\ndata = /own\n[relay]\ndata = /relay\n".utf8).write(
                to: URL(filePath: file)
            )
            func asked(_ words: String..., data: String? = nil) throws -> String {
                try Mingle(data: data, environment: ["MINGLE_CONFIG": file])(["status"] + words).errors
            }
            #expect(try asked().contains("the data folder /own."))
            #expect(try asked(data: "/environment").contains("the data folder /environment."))
            #expect(try asked("--data", "/option", data: "/environment").contains("the data folder /option."))
            try Data("dada = /own\n".utf8).write(to: URL(filePath: file))
            let outcome = try Mingle(data: nil)("photo", "list", "--config", file)
            #expect(outcome.code == 2 && outcome.errors.contains("\(file), line 1: No command has a setting 'dada'"))
        }
    }
}
