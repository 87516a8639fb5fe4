// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Where a user keeps data and settings: the XDG Base Directory Specification, version 0.8.
struct BaseFolders {
    private let environment: [String: String]

    /// Reads an environment.
    init(_ environment: [String: String] = ProcessInfo.processInfo.environment) { self.environment = environment }

    /// Where data lies.
    var data: String { folder("XDG_DATA_HOME") ?? home + "/.local/share" }

    /// Where settings lie.
    var settings: String { folder("XDG_CONFIG_HOME") ?? home + "/.config" }

    /// The user's own folder; cron and service managers may not say it.
    private var home: String {
        folder("HOME") ?? FileManager.default.homeDirectory(forUser: NSUserName())?.path ?? "/"
    }

    /// What a variable names: an empty one is as good as unset, a relative one is invalid and left out.
    private func folder(_ name: String) -> String? {
        environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}
