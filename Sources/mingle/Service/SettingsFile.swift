// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleNode

/// The settings file of `run`, `relay` and `door`, which also names the data folder for other commands.
struct SettingsFile {
    /// A setting and the error that names its line.
    typealias Setting = (key: String, value: String, refusal: (String) -> ConfigurationError)

    private let file: ConfigurationFile

    /// Reads a file.
    ///
    /// - Throws: `ConfigurationError` for a file that cannot be read, and for a line or key that is not valid.
    init(_ path: String) throws {
        file = try ConfigurationFile(contentsOf: path)
        for section in file.sections {
            guard let problem = SettingNames.problem(withSection: section.name) else { continue }
            throw ConfigurationError(path, section.line, problem)
        }
        for entry in file.entries {
            guard let problem = SettingNames.problem(with: entry.key, in: entry.section) else { continue }
            throw ConfigurationError(path, entry.line, problem)
        }
        try file.requireOnce(but: SettingNames.repeatable)
    }

    /// The file that an option or the environment names, or the first of the default ones that exists.
    static func path(option: String?, _ environment: [String: String]) -> String? {
        if let path = option ?? environment["MINGLE_CONFIG"] { return path }
        let usual = [BaseFolders(environment).settings + "/mingle/mingle.conf", "/etc/mingle/mingle.conf"]
        return usual.first { FileManager.default.fileExists(atPath: $0) }
    }

    /// The value of `--config` among arguments.
    static func option(in arguments: [String]) -> String? {
        if let place = arguments.firstIndex(of: "--config"), place + 1 < arguments.count { return arguments[place + 1] }
        return arguments.first { $0.hasPrefix("--config=") }.map { String($0.dropFirst("--config=".count)) }
    }

    /// The settings of a command, without a data folder where the environment names one.
    func settings(of command: any ConfiguredCommand.Type, _ environment: [String: String]) -> [Setting] {
        let isNamed = DataOption.named(environment) != nil
        return entries(of: command).filter { $0.key != "data" || !isNamed }.map { entry in
            let value = entry.key == "data" ? folder(entry.value, environment) : entry.value
            return (entry.key, value, { ConfigurationError(file.path, entry.line, $0) })
        }
    }

    /// The data folder of `mingle run`; nil if the file does not name one.
    func dataFolder(_ environment: [String: String]) -> String? {
        entries(of: RunCommand.self).last { $0.key == "data" }.map { folder($0.value, environment) }
    }

    private func entries(of command: any ConfiguredCommand.Type) -> [ConfigurationFile.Entry] {
        file.entries(of: command.configuration.commandName ?? "", repeatable: SettingNames.repeatable)
    }

    /// A folder by its name in the file.
    ///
    /// Commands run in different folders, so a relative name counts from the folder of the file.
    private func folder(_ name: String, _ environment: [String: String]) -> String {
        if name == "~" || name.hasPrefix("~/") { return BaseFolders(environment).home + name.dropFirst() }
        let place = URL(fileURLWithPath: file.path).deletingLastPathComponent()
        return URL(fileURLWithPath: name, relativeTo: place).standardizedFileURL.path
    }
}
