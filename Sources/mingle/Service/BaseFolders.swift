// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The user's folders for data and settings, by the XDG Base Directory Specification, version 0.8.
struct BaseFolders {
    private let environment: [String: String]

    /// Uses the variables of an environment.
    init(_ environment: [String: String] = ProcessInfo.processInfo.environment) { self.environment = environment }

    /// The folder for data.
    var data: String { folder("XDG_DATA_HOME") ?? home + "/.local/share" }

    /// The folder for settings.
    var settings: String { folder("XDG_CONFIG_HOME") ?? home + "/.config" }

    /// The user's home folder; cron and service managers may not set `HOME`.
    var home: String {
        folder("HOME") ?? FileManager.default.homeDirectory(forUser: NSUserName())?.path ?? "/"
    }

    /// The folder in a variable; nil if it is unset, empty or a relative path.
    private func folder(_ name: String) -> String? {
        environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}
