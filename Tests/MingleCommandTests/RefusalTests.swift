// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Refusals of the command line", .timeLimit(.minutes(5)))
struct RefusalTests {
    @Test(arguments: [
        (["phot", "add"], "Not a mingle command: 'phot'. Did you mean 'photo'? See mingle --help."),
        (
            ["photo", "ad", "x.jpg"],
            "Not a mingle photo command: 'ad'. Did you mean 'add'? See mingle photo --help."
        ),
        (
            ["moment", "checkin", "x"],
            "Not a mingle moment command: 'checkin'. Did you mean 'check-in'? See mingle moment --help."
        ),
        (["serendipity"], "Not a mingle command: 'serendipity'. See mingle --help."),
        (
            ["people", "demot", "Bob"],
            "Not a mingle people command: 'demot'. Did you mean 'demote'? See mingle people --help."
        ),
    ])
    func `A command that is written wrong is named, with the one that is meant`(words: [String], said: String) throws {
        let outcome = try Mingle(data: "/nowhere")(words)
        #expect(outcome.code == 2 && outcome.errors == "mingle: \(said)\n")
    }

    @Test(arguments: [
        ["--help"], ["help", "photo"], ["photo", "add", "--help"], ["people", "--help"],
        ["--version"],
    ])
    func `Whoever asks for help gets it`(words: [String]) throws {
        let outcome = try Mingle(data: "/nowhere")(words)
        #expect(outcome.code == 0 && outcome.errors.isEmpty && !outcome.output.isEmpty)
    }

    @Test(arguments: [
        (["invite", "--new", "--expires", "5x"], "Not a valid duration: '5x'. Use 30m, 6h or 2d."),
        (["backup", ""], "The folder name is empty. Name a folder for backups."),
        (["completion", "tcsh"], "Not a supported shell: 'tcsh'. Use bash, zsh or fish."),
    ])
    func `What a command itself finds wrong is said without how to write another command`(words: [String], said: String)
        throws
    {
        let outcome = try Mingle(data: "/nowhere")(words)
        #expect(outcome.code == 2 && outcome.errors == "mingle: \(said)\n")
    }

    @Test(arguments: [
        (["photo", "save"], "mingle: Missing expected argument '<id>'"),
        (["status", "--wrong"], "mingle: Unknown option '--wrong'"),
        (["run", "--port", "x"], "mingle: The value 'x' is invalid for '--port <port>'"),
    ])
    func `A message of the parser begins like every other, and says how the command is written`(
        words: [String],
        said: String
    ) throws {
        let outcome = try Mingle(data: "/nowhere")(words)
        #expect(outcome.code == 2 && outcome.errors.hasPrefix(said), "\(outcome.errors)")
        #expect(outcome.errors.contains("Usage: mingle \(words[0])") && !outcome.errors.contains("Error:"))
    }

    @Test(arguments: [["photo", "add", "-dash.png"], ["comment", "x", "-happy :)"], ["event", "create", "-h-"]])
    func `A name or text behind a dash is no call for help`(words: [String]) throws {
        let outcome = try Mingle(data: "/nowhere")(words)
        #expect(outcome.code == 2 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("Not an option: '\(words[words.count - 1])'"))
    }

    @Test func `A folder that is none of Mingle's is said to be none, and stays as it is`() throws {
        try Mingle.withFolder { folder in
            try Data("mine".utf8).write(to: URL(filePath: folder + "/mine.txt"))
            for words in [["backup", folder + "-backup"], ["verify"], ["repair"]] {
                let outcome = try Mingle(data: folder)(words)
                #expect(
                    outcome.code == 4 && outcome.errors.contains("\(folder) is not a Mingle data folder"),
                    "\(words)"
                )
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["mine.txt"])
        }
    }

    @Test(arguments: [nil, "", "somewhere"])
    func `Where no home is set the data folder is in the user's, and never where one stands`(home: String?) throws {
        let process = Process()
        let errors = Pipe()
        process.executableURL = Mingle.program()
        process.arguments = ["status"]
        process.environment = home.map { ["HOME": $0, "XDG_DATA_HOME": "relative"] } ?? [:]
        process.standardError = errors
        try process.run()
        let said = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        let home = try #require(FileManager.default.homeDirectory(forUser: NSUserName())?.path)
        #expect(process.terminationStatus == 10 && said.contains("\(home)/.local/share/mingle"), "\(said)")
    }

    @Test func `What cannot be printed is an error, but where nobody reads any more`() throws {
        let program = Mingle.program().path
        // Network code has the process told of a pipe without a reader by an error, and not by a signal.
        func outcome(of words: String) throws -> (code: Int32, errors: String) {
            let (process, errors) = (Process(), Pipe())
            process.executableURL = URL(filePath: "/bin/bash")
            process.arguments = ["-c", "trap '' PIPE; set -o pipefail; \(program) completion bash \(words)"]
            process.standardError = errors
            try process.run()
            let said = try errors.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return (process.terminationStatus, String(decoding: said, as: UTF8.self))
        }
        #expect(
            try outcome(of: ">/dev/full") == (
                14, "mingle: The disk that the output goes to is full. Free some space and try again.\n"
            )
        )
        #expect(try outcome(of: "| sleep 0") == (141, ""))
        #expect(try outcome(of: ">&-").code == 12)
    }

    @Test func `For programs an error is a line of JSON whose code is a number`() throws {
        let outcome = try Mingle(data: "/nowhere")("invite", "--new", "--expires", "5x", "--json")
        let line = try #require(outcome.errors.split(separator: "\n").last)
        let error = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(error["type"] as? String == "exit_error" && error["code"] as? Int == 2)
        #expect(error["message"] as? String == "Not a valid duration: '5x'. Use 30m, 6h or 2d.")
    }

    @Test func `For programs also what was said before ends in a line of JSON`() throws {
        try Mingle.withNode { mingle, folder in
            try Picture.make(folder + "/a.png")
            let outcome = try mingle("photo", "add", folder + "/none.jpg", folder + "/a.png", "--json")
            let line = try #require(outcome.errors.split(separator: "\n").last)
            let error = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            #expect(outcome.code == 3 && error["code"] as? Int == 3 && error["type"] as? String == "exit_error")
        }
    }

    @Test func `Whoever looks for an event nearby with discovery off is told why there is none`() throws {
        try Mingle.withNode { mingle, _ in
            let outcome = try mingle("join", "--nearby", "Party")
            #expect(outcome.code == 5)
            let reason = "It was started with --no-discovery. Start it without that option."
            #expect(outcome.errors == "mingle: This node cannot look for events nearby. \(reason)\n")
        }
    }

    @Test func `A port that is taken is named, and none that was left to the machine`() throws {
        try Mingle.withNode { mingle, folder in
            let taken = try #require(mingle.page)
            let other = Mingle(data: folder + "/other")
            let outcome = try other("run", "--port", "0", "--no-discovery", "--metrics", "127.0.0.1:\(taken)")
            // Nothing is said to run that does not.
            #expect(outcome.code == 1 && outcome.output.isEmpty)
            #expect(
                outcome.errors.hasPrefix(
                    "mingle: Port \(taken) is in use, perhaps by another node. Choose another with --metrics, "
                )
            )
        }
    }

    @Test func `What has no comments says so`() throws {
        try Mingle.withNode { mingle, _ in
            let made = try mingle("moment", "create", "Dinner", "--place", "Barn", "--at", "1,1").output
            let id = String(made.drop { $0 != "(" }.dropFirst().prefix { $0 != ")" })
            #expect(try mingle("comment", id).output == "No comments yet. Add one: mingle comment \(id) TEXT\n")
        }
    }
}
