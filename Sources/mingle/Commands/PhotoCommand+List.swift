// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleAPI
import MingleClient
import MingleCommandLine
import MingleNode
import NIOHTTP1

extension PhotoCommand {
    /// Lists photos.
    struct List: AsyncParsableCommand {
        /// The order of the list.
        enum Order: String, ExpressibleByArgument, CaseIterable { case shared, taken }

        static let configuration = CommandConfiguration(abstract: "List photos, newest first.")
        @OptionGroup var options: ClientOptions
        @Option(help: "List only the photos of the moment with this id.", completion: Offers.moments)
        var moment: String?
        @Option(help: "List only the photos of a person: name or fingerprint.", completion: Offers.people)
        var person: String?
        @Flag(help: "List only your photos.") var mine = false
        @Flag(help: "List only photos that you fave.") var faved = false
        @Flag(help: "List only clips.") var clips = false
        @Option(help: "Order by when they were 'shared' or 'taken'.") var order = Order.shared
        @Option(help: "Number of photos, 1 to 500.") var limit = 50
        @OptionGroup var page: PageOptions

        /// The command for the next page.
        private var command: String {
            var words = ["mingle photo list"]
            if let moment { words.append("--moment \(moment)") }
            if let person { words.append("--person \(person.shellQuoted)") }
            if mine { words.append("--mine") }
            if faved { words.append("--faved") }
            if clips { words.append("--clips") }
            if order == .taken { words.append("--order taken") }
            if limit != 50 { words.append("--limit \(limit)") }
            return words.joined(separator: " ")
        }

        func validate() throws {
            guard (1...500).contains(limit) else {
                throw ValidationError("Not a valid --limit: \(limit). Use 1 to 500.")
            }
            guard !mine || person == nil else { throw ValidationError("Use either --mine or --person.") }
        }

        func run() async throws {
            let path = options.path(
                "photos",
                [
                    "target": moment, "author": try await author(), "faved": faved ? "true" : nil,
                    "clips": clips ? "true" : nil, "order": order == .taken ? "-taken" : nil, "limit": "\(limit)",
                    "before": page.before,
                ]
            )
            let list: API.Envelope.Photos = try await options.client.get(path)
            try options.show(list) { list in
                guard !list.photos.isEmpty else {
                    if page.before != nil { return "No older photos." }
                    return moment != nil || person != nil || mine || faved || clips
                        ? "No such photos." : "No photos yet. Share some: mingle photo add FILE…"
                }
                return Table.text(list.photos.map(row)) + options.more(command, list.next)
            }
        }

        private func author() async throws -> String? {
            if let person { return try await options.people([person]).first }
            guard mine else { return nil }
            let people: API.Envelope.People = try await options.client.get(options.path("people"))
            return people.people.first { $0.me }?.id
        }

        private func row(_ photo: API.Photo) -> [String] {
            [
                When.text(order == .taken ? photo.taken ?? photo.posted : photo.posted), photo.author.name, photo.name,
                size(photo), photo.held.original ? "here" : "waiting", "♥\(photo.faves)",
                (photo.outside ?? []).map { "taken \($0)" }.joined(separator: ", "), photo.id,
            ]
        }

        private func size(_ photo: API.Photo) -> String {
            photo.durationMs.map { "\(($0 + 500) / 1000) s" } ?? "\(photo.width)×\(photo.height)"
        }
    }

    /// Changes what is said of a photo.
    struct Caption: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Change the caption of one of your photos.")
        @OptionGroup var options: ClientOptions
        @Argument(help: "Id of the photo.", completion: Offers.photos) var id: String
        @Argument(help: "Caption. Empty: none.") var text: String
        @Option(help: "Id of what a clip is about, of 'mingle theme list'. Empty: nothing.") var theme: String?
        @Option(help: "What that cost, in the smallest unit of the event's currency.") var price: Int?

        func run() async throws {
            var change = API.Envelope.PhotoChange()
            (change.title, change.theme, change.price) = (text, theme, price)
            let photo: API.Photo = try await options.client.send(.PATCH, options.path("photos/\(id)"), change)
            try options.show(photo) { $0.title.isEmpty ? "The photo has no caption." : "Its caption is: \($0.title)" }
        }
    }
}
