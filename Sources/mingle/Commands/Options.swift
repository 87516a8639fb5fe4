// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleAPI
import MingleClient
import MingleCommandLine
import MingleModel
import MingleNode

/// The options for the data folder, and for the settings file that can name it.
struct DataOption: ParsableArguments {
    @Option(
        name: .long,
        help: "Data folder. Default: MINGLE_DATA, else the setting data of the file, else ~/.local/share/mingle.",
        completion: .directory
    )
    var data: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Settings file. Default: MINGLE_CONFIG, else ~/.config/mingle/mingle.conf, else /etc/mingle/mingle.conf.",
            valueName: "file"
        ),
        completion: .file()
    )
    var config: String?

    func validate() throws {
        // An unset variable in a script gives an empty path, which would mean the current folder.
        guard data != "" else { throw ValidationError("--data is empty. Name a folder, or omit the option.") }
    }

    /// The folder of a service, whose options include the settings of the file: from the option, the environment or
    /// the XDG base directories, in this order.
    var path: String { Self.path(data ?? Self.named(ProcessInfo.processInfo.environment)) }

    /// The folder of a command that asks the node: from the option, the environment, the settings file of `mingle run`
    /// or the XDG base directories, in this order.
    ///
    /// - Throws: `ConfigurationError` if the settings file is needed and not valid.
    var nodePath: String { get throws { try Self.nodePath(data: data, config: config) } }

    /// The same for the values of the options.
    static func nodePath(data: String?, config: String?) throws -> String {
        let environment = ProcessInfo.processInfo.environment
        if let named = data ?? named(environment) { return path(named) }
        let file = try SettingsFile.path(option: config, environment).map(SettingsFile.init)
        return path(file?.dataFolder(environment))
    }

    /// The folder that the environment names; nil if none.
    static func named(_ environment: [String: String]) -> String? {
        environment["MINGLE_DATA"].flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func path(_ named: String?) -> String {
        URL(fileURLWithPath: named ?? BaseFolders().data + "/mingle").standardizedFileURL.path
    }
}

/// Options of every command that sends requests to the node.
struct ClientOptions: ParsableArguments {
    @OptionGroup var data: DataOption

    @Option(name: .long, help: "Event id. Default: the current event.", completion: Offers.events)
    var event: String?

    @Flag(name: .long, help: "Print JSON. Its fields are stable.")
    var json = false

    /// A client of the node.
    ///
    /// - Throws: `ConfigurationError` if the settings file is needed and not valid.
    var client: NodeClient { get throws { NodeClient(dataPath: try data.nodePath) } }

    /// A path of the API with query parameters, including the event.
    func path(_ path: String, _ parameters: [String: String?] = [:]) -> String {
        Query.path(path, parameters.merging(["event": event]) { $1 })
    }

    /// Prints a value as JSON with --json, else the text for it.
    func show<Value: Encodable>(_ value: Value, _ text: (Value) -> String) throws {
        if json {
            try StandardOutput.print(json: API.encode(value))
        } else {
            let text = text(value)
            if !text.isEmpty { try StandardOutput.print(text) }
        }
    }

    /// Prints a link after its QR code.
    ///
    /// If the file of the code is the standard output, nothing else goes there: the text goes to the error stream.
    func show<Value: Encodable>(_ value: Value, beside file: Output?, code: String, _ text: (Value) -> String) throws {
        guard file?.isStandard == true else {
            return try show(value) { [code, text($0)].filter { !$0.isEmpty }.joined(separator: "\n") }
        }
        StandardError.print(text(value))
    }

    /// Prints the result of a command without an answer.
    func showDone(_ text: String) throws {
        try show(["done": text]) { _ in text }
    }
}

/// Builds paths of the API with query parameters.
enum Query {
    /// A path with the parameters that have a value.
    static func path(_ path: String, _ parameters: [String: String?]) -> String {
        let items = parameters.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
            .sorted { $0.name < $1.name }
        var components = URLComponents()
        components.path = path
        if !items.isEmpty { components.queryItems = items }
        return (components.string ?? path).replacingOccurrences(of: "+", with: "%2B")
    }
}
