// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleNode

/// A command whose options can also come from a settings file and the environment.
protocol ConfiguredCommand: ParsableCommand, Sendable {
    /// Whether the command takes links as arguments.
    static var takesLinks: Bool { get }
    var service: ServiceOptions { get }
    var peers: [String] { get }
    /// The names of changed settings that need a restart.
    func differences(to other: Self) -> [String]
    /// The problem with a link; nil if the link is valid for the command, or the command takes no links.
    static func problem(withLink text: String) -> String?
}

extension ConfiguredCommand {
    static var takesLinks: Bool { false }
    static func problem(withLink text: String) -> String? { nil }
}

/// Merges options from the settings file, the environment and the command line; the later source wins.
///
/// A setting becomes the option of the same name, so that the parser checks all sources alike.
enum Configured {
    /// A setting from the file or the environment.
    private struct Setting {
        let key: String
        let value: String
        /// The error that names the place of the setting.
        let refusal: (String) -> ConfigurationError
    }

    /// Environment variables for all commands, scripts and tests: names without the prefix, and prefixes of names.
    private static let others = ["bin", "cache", "config", "data", "defect", "jobs", "keep", "photos", "python"]
    private static let otherBeginnings = ["fuzz-", "lan-", "law-", "test-", "write-"]
    private static let prefix = "MINGLE_"

    /// The arguments of the process, with those from the settings file and the environment.
    static func arguments(
        _ all: [String],
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> [String] {
        let given = Array(all.dropFirst())
        guard let command = SettingNames.commands.first(where: { $0.configuration.commandName == given.first }),
            !given.contains("--help"), !given.contains("-h")
        else { return given }
        let set = try fromEnvironment(environment)
        // The environment also replaces a flag of the file, which no later argument could take back.
        let replaced = Set(set.map(\.key)).subtracting(SettingNames.repeatable)
        let file = try SettingsFile.path(option: SettingsFile.option(in: given), environment).map(SettingsFile.init)
        let filed = (file?.settings(of: command, environment) ?? []).filter { !replaced.contains($0.key) }
        let settings = filed.map { Setting(key: $0.key, value: $0.value, refusal: $0.refusal) } + set
        let added = try settings.filter { SettingNames.of(command).contains($0.key) }.flatMap {
            try option($0, of: command)
        }
        return given.prefix(1) + added + given.dropFirst()
    }

    private static func fromEnvironment(_ environment: [String: String]) throws -> [Setting] {
        try environment.filter { $0.key.hasPrefix(prefix) }.sorted { $0.key < $1.key }.compactMap { name, value in
            let key = name.dropFirst(prefix.count).lowercased().replacing("_", with: "-")
            guard !isForOthers(key) else { return nil }
            let refusal = { ConfigurationError("Environment variable \(name)", nil, $0) }
            if let problem = SettingNames.problem(with: key, in: nil) { throw refusal(problem) }
            return Setting(key: key, value: value, refusal: refusal)
        }
    }

    private static func isForOthers(_ key: String) -> Bool {
        others.contains(key) || otherBeginnings.contains(where: key.hasPrefix)
    }

    /// The arguments for a setting.
    ///
    /// - Throws: the setting's refusal if the command does not accept the value.
    private static func option(_ setting: Setting, of command: any ConfiguredCommand.Type) throws -> [String] {
        let (key, value) = (setting.key, setting.value)
        // A link is a positional argument. It is secret: no error may repeat it.
        if key == "link", let problem = command.problem(withLink: value) { throw setting.refusal(problem) }
        let forms =
            key == "link" ? [[value]] : value == "true" ? [["--\(key)"], ["--\(key)=true"]] : [["--\(key)=\(value)"]]
        for form in forms where (try? command.parse(form)) != nil { return form }
        if value == "false", (try? command.parse(["--\(key)"])) != nil { return [] }
        let name = command.configuration.commandName ?? ""
        throw setting.refusal(
            "Not a valid value for '\(key)': \(ConfigurationFile.quoted(value)). See mingle \(name) --help"
        )
    }
}
