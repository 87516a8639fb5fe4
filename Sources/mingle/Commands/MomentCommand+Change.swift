// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleNode
import NIOHTTP1

extension MomentCommand {
    /// Changes a moment.
    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Change a moment of yours; what is left out stays."
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The moment's id.") var id: String
        @Option(help: "What it is called.") var title: String?
        @Option(help: "What it is about; empty for nothing.") var description: String?
        @Option(help: "When it starts: 18:00 (on its day), '2026-06-20 18:00', now, +2h.") var start: String?
        @Option(help: "When it ends, as the start, but +2h counts from the start.") var end: String?
        @Option(help: "Where it is.") var place: String?
        @Option(
            name: .customLong("at"),
            parsing: .unconditional,
            help: "The place's position as LATITUDE,LONGITUDE in degrees."
        )
        var position: String?
        @Option(help: "Metres around the position that belong to the place.") var radius: Int?
        @Option(help: "The photo of the moment that stands for it, by id.") var cover: String?

        func validate() throws {
            let isChange =
                radius != nil || [title, description, start, end, place, position, cover].contains { $0 != nil }
            guard isChange else { throw ValidationError("Say what to change: mingle help moment set lists it.") }
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
            var new = old.place
            if let place { new.name = place }
            if let position { (new.latitude, new.longitude) = try Degrees.pair(position) }
            if let radius { new.radiusM = radius }
            change.place = new
            return change
        }
    }
}
