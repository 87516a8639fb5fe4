// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Logging
import MingleModel
import Synchronization

/// How a log is written, which may change while the program runs.
package final class LogSettings: Sendable {
    /// The forms of a log's lines.
    package enum Format: String, CaseIterable, Sendable {
        /// For people: time, level, words, then `key=value`.
        case text
        /// For programs: a JSON object a line.
        case json
    }

    private let state: Mutex<(level: Logger.Level, format: Format)>

    /// Begins with a level and a form.
    package init(level: Logger.Level, format: Format) { state = Mutex((level, format)) }

    /// What is not below this is written.
    package var level: Logger.Level {
        get { state.withLock { $0.level } }
        set { state.withLock { $0.level = newValue } }
    }

    /// The form of lines.
    package var format: Format {
        get { state.withLock { $0.format } }
        set { state.withLock { $0.format = newValue } }
    }
}

/// Writes a log to the error stream, each line in one go.
package struct StructuredLog: LogHandler {
    private let settings: LogSettings
    /// Below this nothing is written, whatever the settings say.
    private let floor: Logger.Level
    private let write: @Sendable (String) -> Void
    package var metadata: Logger.Metadata = [:]

    /// The level of the settings; it is changed there, for all loggers.
    package var logLevel: Logger.Level {
        get { max(settings.level, floor) }
        set {}
    }

    /// Writes as `settings` say, but nothing below `floor`.
    package init(
        _ settings: LogSettings,
        floor: Logger.Level = .trace,
        write: @escaping @Sendable (String) -> Void = {
            // The other method ends the program where a disk is full or a terminal is gone.
            try? FileHandle.standardError.write(contentsOf: Data($0.utf8))
        }
    ) {
        (self.settings, self.floor, self.write) = (settings, floor, write)
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
        let time = Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        switch settings.format {
        case .text: write(Self.text(time, event, all))
        case .json: write(Self.json(time, event, all))
        }
    }

    private static func text(_ time: String, _ event: LogEvent, _ metadata: Logger.Metadata) -> String {
        let pairs = metadata.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        // A line stays one and drives no terminal, whatever others have written into what is told.
        let line = "\(event.message)\(pairs)".map { $0.isNewline ? " " : String($0) }.joined().onTerminal()
        return "\(time) \(event.level.rawValue) \(line)\n"
    }

    private static func json(_ time: String, _ event: LogEvent, _ metadata: Logger.Metadata) -> String {
        var fields = metadata.mapValues { "\($0)" }
        fields["time"] = time
        fields["level"] = event.level.rawValue
        fields["message"] = "\(event.message)"
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data = (try? encoder.encode(fields)) ?? Data()
        return String(decoding: data, as: UTF8.self) + "\n"
    }
}
