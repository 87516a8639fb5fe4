// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MingleAPI
import MingleClient
import MingleCommandLine
import NIOHTTP1

extension PhotoCommand {
    /// Lists the photos around a position.
    struct Nearby: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the photos around a position, the best first.",
            discussion: """
                Votes, nearness and age decide. A photo is where it was taken, or else where the place or the moment is \
                that it is of. The event needs the area 'nearby': mingle event set --areas AREA,AREA.
                """
        )
        @OptionGroup var options: ClientOptions
        // Southern latitudes begin with a minus.
        @Argument(parsing: .allUnrecognized, help: "LATITUDE,LONGITUDE where you are.") var position: [String]
        @Option(help: "Only photos that are so near, in metres. Default: 500.") var radius: Int?
        @Option(help: "Number of photos, 1 to 200.") var limit = 50

        func validate() throws {
            guard position.count == 1 else { throw ValidationError("Give one position: LATITUDE,LONGITUDE.") }
        }

        func run() async throws {
            let path = options.path(
                "photos/nearby",
                ["near": position.first, "radius_m": radius.map { "\($0)" }, "limit": "\(limit)"]
            )
            let list: API.Envelope.Photos = try await options.client.get(path)
            try options.show(list) { list in
                guard !list.photos.isEmpty else { return "No photos there. Look farther away with --radius." }
                return Table.text(list.photos.map(Self.row))
            }
        }

        private static func row(_ photo: API.Photo) -> [String] {
            [
                "\(photo.distanceM ?? 0) m", When.text(photo.posted), photo.author.name, photo.name,
                photo.votes.map(Vote.text) ?? "", photo.id,
            ]
        }
    }

    /// Votes on a photo.
    struct Vote: AsyncParsableCommand {
        /// What somebody says.
        enum Choice: String, ExpressibleByArgument, CaseIterable { case up, down, none }

        static let configuration = CommandConfiguration(
            abstract: "Vote on a photo: up, down, or none to take your vote back.",
            discussion: "You see how others voted once you have voted."
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "Id of the photo.", completion: Offers.photos) var id: String
        @Argument(help: "'up', 'down' or 'none'.") var vote: Choice

        func run() async throws {
            let path = options.path("votes/\(id)")
            if vote == .none {
                try await options.client.perform(.DELETE, path)
            } else {
                let body: API.JSON = ["up": .flag(vote == .up)]
                _ = try await options.client.send(.PUT, path, body, as: API.JSON.self)
            }
            let photo: API.Photo = try await options.client.get(options.path("photos/\(id)"))
            try options.show(photo) { photo in
                photo.votes.map { "Voted \(vote.rawValue). \(Self.text($0))" } ?? "You have no vote on this photo."
            }
        }

        /// How many are for it and against it.
        static func text(_ votes: API.Votes) -> String { "▲\(votes.up) ▼\(votes.down)" }
    }
}
