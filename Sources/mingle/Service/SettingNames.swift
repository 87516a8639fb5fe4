// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MingleNode

/// The names of settings, and which commands have them.
enum SettingNames {
    /// The commands with settings.
    static let commands: [any ConfiguredCommand.Type] = [RunCommand.self, RelayCommand.self, DoorCommand.self]
    /// The settings that can have several values, from all sources together.
    static let repeatable: Set = ["peer", "host", "link"]

    /// The settings of a command, from the list of options in its help.
    static func of(_ command: any ConfiguredCommand.Type) -> [String] {
        let help = command.helpMessage(includeHidden: true, columns: 400)
        let options = help.matches(of: /\n {2}(?:-[a-z], )?--([a-z][a-z-]*)/).map { String($0.1) }
        return options.filter { $0 != "help" && $0 != "version" } + (command.takesLinks ? ["link"] : [])
    }

    /// The command of a section.
    static func command(_ section: String) -> (any ConfiguredCommand.Type)? {
        commands.first { $0.configuration.commandName == section }
    }

    /// The problem with a key; nil if the command of its section has the setting, or any command outside of sections.
    static func problem(with key: String, in section: String?) -> String? {
        guard key != "config" else { return "A settings file cannot name another one. Remove the line" }
        let named = section.map { name in command(name).map { [$0] } ?? [] } ?? commands
        let known = named.flatMap(of)
        guard !known.contains(key) else { return nil }
        let nearest = ConfigurationFile.nearest(to: key, among: known).map { ". Did you mean '\($0)'?" }
        let who = section.map { "mingle \($0) has no setting" } ?? "No command has a setting"
        return "\(who) '\(key)'\(nearest ?? ". Remove it, or see mingle \(section ?? "run") --help")"
    }

    /// The problem with the name of a section; nil if a command has it.
    static func problem(withSection name: String) -> String? {
        guard command(name) == nil else { return nil }
        return "No command has the section [\(name)]. Use [run], [relay] or [door]"
    }
}
