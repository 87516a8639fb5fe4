// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleModel
import MingleNode

/// Where the node's data lies.
struct DataOption: ParsableArguments {
    @Option(name: .long, help: "The data folder (MINGLE_DATA; else ~/.local/share/mingle).")
    var data: String?

    func validate() throws {
        // What an unset variable of a script comes to, and would be the folder that one stands in.
        guard data != "" else { throw ValidationError("--data is empty: name the folder, or leave it out.") }
    }

    /// The folder, by flag, environment, or custom (XDG base directories).
    var path: String {
        let named = data ?? ProcessInfo.processInfo.environment["MINGLE_DATA"].flatMap { $0.isEmpty ? nil : $0 }
        let chosen = named ?? BaseFolders().data + "/mingle"
        return URL(fileURLWithPath: chosen).standardizedFileURL.path
    }
}

/// What every command that asks the node has.
struct ClientOptions: ParsableArguments {
    @OptionGroup var data: DataOption

    @Option(name: .long, help: "The event, by id; the current one if left out.")
    var event: String?

    @Flag(name: .long, help: "Print JSON, whose fields stay stable.")
    var json = false

    /// The node.
    var client: NodeClient { NodeClient(dataPath: data.path) }

    /// A path with query parameters, among them the event.
    func path(_ path: String, _ parameters: [String: String?] = [:]) -> String {
        Query.path(path, parameters.merging(["event": event]) { $1 })
    }

    /// Prints a value as JSON, or as `text` says.
    func show<Value: Encodable>(_ value: Value, _ text: (Value) -> String) throws {
        if json {
            try StandardOutput.print(String(decoding: try API.encode(value), as: UTF8.self))
        } else {
            // Names and titles are other people's, and this is a terminal.
            let text = text(value).printable(keepingLines: true)
            if !text.isEmpty { try StandardOutput.print(text) }
        }
    }

    /// Prints what a command without an answer did.
    func showDone(_ text: String) throws {
        try show(["done": text]) { _ in text }
    }
}

/// Paths of the API with query parameters.
enum Query {
    /// A path with those of `parameters` that have a value.
    static func path(_ path: String, _ parameters: [String: String?]) -> String {
        let items = parameters.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
            .sorted { $0.name < $1.name }
        var components = URLComponents()
        components.path = path
        if !items.isEmpty { components.queryItems = items }
        return (components.string ?? path).replacingOccurrences(of: "+", with: "%2B")
    }
}

/// Reads times as people and programs write them.
enum When {
    /// Seconds that a time may lie ahead when it is written as `+2h`: a thousand years.
    private static let farthest = 3.2e10

    /// The time in `2026-06-20T18:00Z`, `2026-06-20 18:00` (here), `18:00` (today), `now`, `+2h` or `+30m`.
    ///
    /// - Parameters:
    ///   - day: the day of a time without one.
    ///   - start: of an end: what `+2h` counts from; `02:00` is on its day, or the next one if it would come before it.
    static func date(_ text: String, on day: Date = Date(), since start: Date? = nil) throws -> Date {
        if text == "now" { return Date() }
        if text.hasPrefix("+"), let unit = text.last, let count = Double(text.dropFirst().dropLast()) {
            let seconds: [Character: Double] = ["m": 60, "h": 3600, "d": 86_400]
            if let length = seconds[unit], (0...farthest).contains(count * length) {
                return (start ?? Date()).addingTimeInterval(count * length)
            }
        }
        if let date = try? Date(text, strategy: .iso8601) { return date }
        for format in ["yyyy-MM-dd'T'HH:mmXXXXX", "yyyy-MM-dd HH:mm", "yyyy-MM-dd'T'HH:mm", "HH:mm"] {
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.dateFormat = format
            if format == "HH:mm" { formatter.defaultDate = Calendar.current.startOfDay(for: start ?? day) }
            guard let date = formatter.date(from: text) else { continue }
            guard format == "HH:mm", let start, date <= start else { return date }
            return Calendar.current.date(byAdding: .day, value: 1, to: date) ?? date
        }
        throw ValidationError(
            "'\(text)' is no time: write 2026-06-20T18:00Z, '2026-06-20 18:00', 18:00, now, +2h or +30m."
        )
    }

    /// A time for people, in their zone.
    static func text(_ date: Date) -> String {
        date.formatted(
            .verbatim(
                "\(year: .defaultDigits)-\(month: .twoDigits)-\(day: .twoDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)",
                timeZone: .current,
                calendar: .current
            )
        )
    }
}
