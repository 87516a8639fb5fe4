// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MingleAPI
import MingleClient
import MingleCommandLine
import MingleModel

/// Lists records of a kind.
struct ListRecords<Name: NamedKind>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "list",
            abstract: "List \(Name.kind.plural.replacing("_", with: " ")), newest first."
        )
    }

    @OptionGroup var options: ClientOptions
    @OptionGroup var page: PageOptions
    @Option(help: "Only what is on the record with this id.") var target: String?
    @Option(help: "Only what the person with this id wrote.") var author: String?
    @Option(name: .customLong("search"), help: "Only what has these words, best first.") var words: String?
    // Southern latitudes begin with a minus.
    @Option(parsing: .unconditional, help: "LATITUDE,LONGITUDE: only what is near, nearest first.") var near: String?
    @Option(help: "How far --near reaches, in metres.") var radius: Double?
    @Option(
        parsing: .unconditional,
        help: "Order: newest, or a field such as end; -start has the highest first."
    ) var order: String?
    @Option(help: "Entries on a page.") var limit: Int?
    @Option(parsing: .upToNextOption, help: "Only what has these values: FIELD=VALUE …") var filter: [String] = []

    /// The options that the next page has, too.
    private var repeated: String {
        let options = [("target", target), ("author", author), ("order", order), ("limit", limit.map { "\($0)" })]
        let given = options.compactMap { name, value in value.map { " --\(name)=\($0.shellQuoted)" } }
        return given.joined() + (filter.isEmpty ? "" : " --filter " + filter.map(\.shellQuoted).joined(separator: " "))
    }

    func run() async throws {
        var parameters = [
            "target": target, "author": author, "q": words, "near": near, "order": order, "before": page.before,
            "limit": limit.map { "\($0)" }, "radius_m": radius.map { "\($0)" },
        ]
        for text in filter {
            let (name, value) = try GivenField.split(text)
            parameters[name] = value
        }
        let list = try await options.client.get(options.path(Name.kind.plural, parameters), as: API.JSON.self)
        try options.show(list) { list in
            guard case .list(let records)? = list[Name.kind.plural], !records.isEmpty else {
                return "No \(Name.kind.plural.replacing("_", with: " "))."
            }
            return Table.text(records.map(RecordText.row))
                + options.more("mingle \(Name.kind.commandName) list\(repeated)", list["next"]?.text)
        }
    }
}

/// Shows a record.
struct ShowRecord<Name: NamedKind>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "show", abstract: "Show all of one \(Name.kind.noun).")
    }

    @OptionGroup var options: ClientOptions
    @Argument(help: "Id of the \(Name.kind.noun).") var id: String

    func run() async throws {
        let record = try await options.client.get(options.path("\(Name.kind.plural)/\(id)"), as: API.JSON.self)
        try options.show(record) { RecordText.lines(of: $0) }
    }
}

/// Records as people read them.
enum RecordText {
    /// Members that say what a record is called, the best first.
    private static let titles = ["name", "title", "text", "overall", "person", "target"]

    /// One line of a list: what it is called, who wrote it when, and its id.
    static func row(_ record: API.JSON) -> [String] {
        let title = titles.lazy.compactMap { record[$0] }.first.map(text) ?? ""
        let author = record["author"]?["name"]?.text ?? ""
        let posted = record["posted"]?.text.flatMap(API.date).map(When.text) ?? ""
        let distance = record["distance_m"].map { "\(text($0)) m" }
        return [title, distance, posted, author, record["id"]?.text ?? record["target"]?.text ?? ""].compactMap { $0 }
    }

    /// All members, one on a line.
    static func lines(of record: API.JSON) -> String {
        Table.text((record.members ?? [:]).sorted { $0.key < $1.key }.map { [$0.key, text($0.value)] })
    }

    private static func text(_ value: API.JSON) -> String {
        switch value {
        case .null: ""
        case .flag(let flag): flag ? "yes" : "no"
        case .integer(let number): "\(number)"
        case .number(let number): "\((number * 1e7).rounded() / 1e7)"
        case .text(let text): text
        case .list(let list): list.map(text).joined(separator: ", ")
        case .object(let members):
            members["name"]?.text
                ?? members.sorted { $0.key < $1.key }.map { "\($0.key) \(text($0.value))" }.joined(separator: ", ")
        }
    }
}
