// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MingleAPI
import MingleModel

/// Names a kind of records that has a command.
protocol NamedKind: Sendable {
    static var kind: Kind { get }
    /// Commands that do not follow from its declaration.
    static var ownCommands: [any ParsableCommand.Type] { get }
}

extension NamedKind {
    static var ownCommands: [any ParsableCommand.Type] { [] }
}

/// The command of one kind of records: `mingle place list`, and what else its declaration allows.
struct RecordCommand<Name: NamedKind>: ParsableCommand {
    static var configuration: CommandConfiguration {
        let kind = Name.kind
        return CommandConfiguration(
            commandName: kind.commandName,
            abstract: "List and write \(kind.plural.replacing("_", with: " ")).",
            discussion: kind.fieldsHelp,
            subcommands: kind.commands.flatMap { Self.commands[$0] ?? [] } + Name.ownCommands
        )
    }

    private static var commands: [KindCall: [any ParsableCommand.Type]] {
        [
            .list: [ListRecords<Name>.self], .show: [ShowRecord<Name>.self], .create: [AddRecord<Name>.self],
            .change: [ChangeRecord<Name>.self], .set: [SetRecord<Name>.self], .delete: [DeleteRecord<Name>.self],
            .unset: [UnsetRecord<Name>.self],
        ]
    }
}

/// The commands of kinds that follow from their declarations; kinds that people use by other words have their own.
enum RecordCommands {
    static let all: [any ParsableCommand.Type] = [
        RecordCommand<Place>.self, RecordCommand<PlacePage>.self, RecordCommand<Category>.self,
        RecordCommand<Ownership>.self, RecordCommand<Rating>.self, RecordCommand<Favourite>.self,
        RecordCommand<CheckIn>.self, RecordCommand<Deal>.self, RecordCommand<DealUse>.self,
        RecordCommand<DealConfirmation>.self, RecordCommand<Claim>.self, RecordCommand<Feedback>.self,
        RecordCommand<SitePlan>.self, RecordCommand<Theme>.self,
    ]

    enum Place: NamedKind {
        static let kind = Kind.place
        static let ownCommands: [any ParsableCommand.Type] = [
            FindPlaces.self, TrendingPlaces.self, InspiringPlace.self,
        ]
    }
    enum PlacePage: NamedKind { static let kind = Kind.placePage }
    enum Category: NamedKind { static let kind = Kind.category }
    enum Theme: NamedKind { static let kind = Kind.theme }
    enum Ownership: NamedKind { static let kind = Kind.ownership }
    enum Rating: NamedKind { static let kind = Kind.rating }
    enum Favourite: NamedKind { static let kind = Kind.favourite }
    enum CheckIn: NamedKind { static let kind = Kind.checkIn }
    enum Deal: NamedKind { static let kind = Kind.deal }
    enum DealUse: NamedKind { static let kind = Kind.dealUse }
    enum DealConfirmation: NamedKind { static let kind = Kind.dealConfirmation }
    enum Claim: NamedKind { static let kind = Kind.claim }
    enum Feedback: NamedKind { static let kind = Kind.feedback }
    enum SitePlan: NamedKind { static let kind = Kind.sitePlan }
}

extension Kind {
    /// The kind's command: `place-page`.
    var commandName: String { name.replacing("_", with: "-") }

    /// What can be done with its records, in the order of the help.
    var commands: [KindCall] { calls.sorted { $0.rawValue < $1.rawValue } }

    /// The fields that people write, for the help.
    var fieldsHelp: String {
        var lines = writableMembers.map { field in
            let isNeeded = field.isRequired && field.name != onOff
            return "  \(field.member)=\(field.type.placeholder)\(isNeeded ? "  (required)" : "")"
        }
        if hasPicture { lines.append("  --picture FILE") }
        return lines.isEmpty ? "" : "FIELDS\n" + lines.joined(separator: "\n")
    }
}

extension FieldType {
    /// What stands for a value in a help text.
    fileprivate var placeholder: String {
        switch self {
        case .text: "TEXT"
        case .number(let range): range.upperBound > 100 ? "NUMBER" : "\(range.lowerBound)..\(range.upperBound)"
        case .flag: "true|false"
        case .choice(let words): words.joined(separator: "|")
        case .time: "TIME"
        case .latitude, .longitude: "DEGREES"
        case .metres: "METRES"
        case .reference, .person, .device: "ID"
        case .references: "ID,ID"
        case .hours: "'monday 09:00-17:00, friday 18:00-02:00'"
        case .media, .ends: ""
        }
    }
}
