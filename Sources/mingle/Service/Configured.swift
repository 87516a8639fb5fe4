// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleNode

/// A command whose options can also come from a settings file and the environment.
protocol ConfiguredCommand: ParsableCommand, Sendable {
    var service: ServiceOptions { get }
    var peers: [String] { get }
    /// The names of changed settings that need a restart.
    func differences(to other: Self) -> [String]
    /// The problem with a link; nil if the link is valid for the command, or the command takes no links.
    static func problem(withLink text: String) -> String?
}

extension ConfiguredCommand {
    static func problem(withLink text: String) -> String? { nil }
}

/// Merges options from the settings file, the environment and the command line; the later source wins.
///
/// A setting becomes the option of the same name, so that the parser checks all sources alike.
enum Configured {
    /// The commands with settings.
    private static let commands: [any ConfiguredCommand.Type] = [
        RunCommand.self, RelayCommand.self, ShowcaseCommand.self,
    ]
    /// Environment variables for all commands, scripts and tests: names without the prefix, and prefixes of names.
    private static let others = ["bin", "cache", "config", "data", "defect", "jobs", "keep", "photos", "python"]
    private static let otherBeginnings = ["fuzz-", "lan-", "law-", "test-", "write-"]
    private static let prefix = "MINGLE_"
    /// The settings that may be on several lines of a file.
    private static let repeatable: Set = ["peer", "host", "link"]

    /// The arguments of the process, with those from the settings file and the environment.
    static func arguments(
        _ all: [String],
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> [String] {
        let given = Array(all.dropFirst())
        guard let command = commands.first(where: { $0.configuration.commandName == given.first }),
            !given.contains("--help"), !given.contains("-h")
        else { return given }
        let added = try file(for: command, given, environment) + fromEnvironment(environment, for: command)
        return given.prefix(1) + added + given.dropFirst()
    }

    private static func file(
        for command: any ConfiguredCommand.Type,
        _ given: [String],
        _ environment: [String: String]
    ) throws -> [String] {
        guard let path = path(given, environment) else { return [] }
        let file = try ConfigurationFile(contentsOf: path)
        try file.requireOnce(but: repeatable)
        return try file.entries.flatMap { entry in
            try option(entry.key, entry.value, of: command) { ConfigurationError(path, entry.line, $0) }
        }
    }

    /// The settings file that is named, or the first of the default ones that exists.
    private static func path(_ given: [String], _ environment: [String: String]) -> String? {
        if let place = given.firstIndex(of: "--config"), place + 1 < given.count { return given[place + 1] }
        if let option = given.first(where: { $0.hasPrefix("--config=") }) { return String(option.dropFirst(9)) }
        if let path = environment["MINGLE_CONFIG"] { return path }
        let usual = [BaseFolders(environment).settings + "/mingle/mingle.conf", "/etc/mingle/mingle.conf"]
        return usual.first { FileManager.default.fileExists(atPath: $0) }
    }

    private static func fromEnvironment(
        _ environment: [String: String],
        for command: any ConfiguredCommand.Type
    ) throws -> [String] {
        try environment.filter { $0.key.hasPrefix(prefix) }.sorted { $0.key < $1.key }.flatMap { name, value in
            let key = name.dropFirst(prefix.count).lowercased().replacing("_", with: "-")
            guard !isForOthers(key) else { return [String]() }
            return try option(key, value, of: command) { ConfigurationError("Environment variable \(name)", nil, $0) }
        }
    }

    private static func isForOthers(_ key: String) -> Bool {
        others.contains(key) || otherBeginnings.contains(where: key.hasPrefix)
    }

    /// The arguments for a setting.
    ///
    /// - Throws: the given error if the command has no such setting, or does not accept the value.
    private static func option(
        _ key: String,
        _ value: String,
        of command: any ConfiguredCommand.Type,
        _ error: (String) -> ConfigurationError
    ) throws -> [String] {
        guard key != "config" else { throw error("A settings file cannot name another one. Remove the line") }
        // A link is a positional argument. It is secret: no error may repeat it.
        if key == "link", let problem = command.problem(withLink: value) { throw error(problem) }
        let forms =
            key == "link" ? [[value]] : value == "true" ? [["--\(key)"], ["--\(key)=true"]] : [["--\(key)=\(value)"]]
        for form in forms where (try? command.parse(form)) != nil { return form }
        if value == "false", (try? command.parse(["--\(key)"])) != nil { return [] }
        let (known, name) = (names(of: command), command.configuration.commandName ?? "")
        guard !known.contains(key) else {
            throw error(
                "Not a valid value for '\(key)': \(ConfigurationFile.quoted(value)). See mingle \(name) --help"
            )
        }
        let nearest = ConfigurationFile.nearest(to: key, among: known).map { ". Did you mean '\($0)'?" } ?? ""
        throw error("mingle \(name) has no setting '\(key)'\(nearest)")
    }

    /// The names of a command's options, read from its help.
    private static func names(of command: any ConfiguredCommand.Type) -> [String] {
        let help = command.helpMessage(includeHidden: true, columns: 400)
        return help.matches(of: /--([a-z][a-z-]+)/).map { String($0.1) }.filter { $0 != "help" && $0 != "version" }
    }
}
