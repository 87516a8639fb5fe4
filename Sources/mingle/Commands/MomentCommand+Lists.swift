// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleAPI
import MingleClient
import MingleCommandLine
import MingleNode
import NIOHTTP1

extension MomentCommand {
    /// Lists moments.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the event's moments, or those in which you have a part."
        )
        /// The moments in which a person has a part, by the words of the API.
        enum Part: String, EnumerableFlag {
            case mine, invited, joined
            case checkedIn = "checked_in"

            static func help(for part: Part) -> ArgumentHelp? {
                switch part {
                case .mine: "List only moments that you created."
                case .invited: "List only moments to which you are invited, the latest invitation first."
                case .joined: "List only moments that you joined."
                case .checkedIn: "List only moments at which you checked in."
                }
            }
        }

        @OptionGroup var options: ClientOptions
        @Flag(exclusivity: .exclusive) var part: Part?
        @Option(help: "List only moments of the category with this id.") var category: String?
        @OptionGroup var page: PageOptions

        /// The command for the next page.
        private var command: String {
            "mingle moment list"
                + (part.map { " --\($0.rawValue.replacing("_", with: "-"))" } ?? "")
                + (category.map { " --category \($0)" } ?? "")
        }

        func validate() throws {
            guard part == nil || category == nil else {
                throw ValidationError("--category lists moments of everybody. Leave out the other option.")
            }
        }

        func run() async throws {
            let path = options.path(
                "moments",
                ["list": part?.rawValue, "categories": category, "before": page.before]
            )
            let list: API.Envelope.Moments = try await options.client.get(path)
            try options.show(list) { list in
                guard !list.moments.isEmpty else {
                    return page.before != nil
                        ? "No older moments."
                        : part != nil || category != nil
                            ? "No such moments." : "No moments yet. Create one: mingle moment create TITLE"
                }
                return Table.text(list.moments.map(row)) + options.more(command, list.next)
            }
        }

        private func row(_ moment: API.Moment) -> [String] {
            let sender = moment.invitedAt.map { "invited by \(moment.author.name), \(When.text($0))" }
            return [
                moment.title, moment.private ? "private" : "public", When.text(moment.start), moment.status,
                moment.standing.map { "you: \($0)" } ?? "", part == .invited ? sender ?? "" : moment.place.name,
                "\(moment.joined) joined", "\(moment.photos) photos", moment.id,
            ]
        }
    }

    /// Gives a moment a picture of its own.
    struct Cover: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give one of your moments a cover picture, which is not one of its photos."
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "Id of the moment.", completion: Offers.moments) var id: String
        @Argument(
            help: "Picture file.",
            completion: .file(extensions: ["jpg", "jpeg", "png", "heic", "avif", "webp", "gif"])
        )
        var file: String

        func run() async throws {
            let (handle, size) = try Upload.open(file)
            defer { try? handle.close() }
            let body = NodeClient.Body.file(handle, size: size) { _ in }
            let bytes = try await options.client.bytes(.PUT, options.path("moments/\(id)/cover"), body)
            try options.show(try API.decode(API.Moment.self, from: bytes)) { "\($0.title) has a new cover." }
        }
    }

    /// Saves a moment for a calendar.
    struct Calendar: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Save a moment as a file that calendars read."
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "Id of the moment.", completion: Offers.moments) var id: String
        @Argument(help: "File to write. '-' writes to the standard output.", completion: .file()) var file: String
        @Flag(name: .shortAndLong, help: "Replace an existing file.") var force = false

        func run() async throws {
            let saved = try Output(file, replaces: force, options)
            try await saved.write { take in
                try await options.client.exchange(.GET, options.path("moments/\(id)/calendar.ics"), .none) {
                    try take($0)
                }
            }
            if !saved.isStandard { try options.showDone("Saved \(file).") }
        }
    }
}
