// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleAPI
import MingleClient
import MingleNode
import NIOHTTP1

extension MomentCommand {
    /// Changes a moment.
    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Change one of your moments. Options that you omit stay unchanged."
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "Id of the moment.", completion: Offers.moments) var id: String
        @Option(help: "New title.") var title: String?
        @Option(help: "New description. Empty: none.") var description: String?
        @Option(
            parsing: .unconditional,
            help: "New start: 18:00 (on the moment's day), '2026-06-20 18:00', now, +2h or -30m."
        )
        var start: String?
        @Option(
            parsing: .unconditional,
            help: "New end, written like the start. +2h counts from the start, -30m from now."
        )
        var end: String?
        @Option(help: "New name of the place.") var place: String?
        @Option(
            name: .customLong("at"),
            parsing: .unconditional,
            help: "New position of the place, as LATITUDE,LONGITUDE in degrees."
        )
        var position: String?
        @Option(help: "New radius of the place, in metres.") var radius: Int?
        @Option(help: "New cover photo: the id of a photo of the moment.", completion: Offers.photos) var cover: String?

        func validate() throws {
            let isChange =
                radius != nil || [title, description, start, end, place, position, cover].contains { $0 != nil }
            guard isChange else {
                throw ValidationError("Nothing to change. To list the options: mingle moment set --help")
            }
        }

        func run() async throws {
            let old: API.Moment = try await options.client.get(options.path("moments/\(id)"))
            let moment: API.Moment = try await options.client.send(
                .PATCH,
                options.path("moments/\(id)"),
                try change(of: old)
            )
            try options.show(moment) {
                "\($0.title): \(When.text($0.start)) to \(When.text($0.end)), \($0.place.name)."
            }
        }

        private func change(of old: API.Moment) throws -> API.NewMoment {
            var change = API.NewMoment()
            (change.title, change.description, change.cover) = (title, description, cover)
            change.start = try start.map { try When.date($0, on: old.start) }
            let beginning = change.start ?? old.start
            change.end = try end.map { try When.date($0, since: beginning) }
            guard place != nil || position != nil || radius != nil else { return change }
            var new = API.NewPlace(old.place)
            if let place { new.name = place }
            if let position { (new.latitude, new.longitude) = try Degrees.pair(position) }
            if let radius { new.radiusM = radius }
            change.place = new
            return change
        }
    }
}
