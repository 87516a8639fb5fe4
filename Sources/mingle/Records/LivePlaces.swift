// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MingleAPI
import MingleClient
import MingleCommandLine

/// Lists the places at which something goes on.
struct TrendingPlaces: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trending",
        abstract: "List the places at which most people do something now, the liveliest first."
    )

    @OptionGroup var options: ClientOptions
    @Option(help: "How many at most, up to 20.") var limit: Int?

    func run() async throws {
        let path = options.path("places/trending", ["limit": limit.map { "\($0)" }])
        let list = try await options.client.get(path, as: API.JSON.self)
        try options.show(list) { list in
            guard case .list(let places)? = list["places"], !places.isEmpty else {
                return "Nobody has done anything at a place within a day."
            }
            return Table.text(places.map(RecordText.row))
        }
    }
}

/// Chooses a place.
struct InspiringPlace: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspire",
        abstract: "Choose a place for you that is open now or that somebody liked today."
    )

    @OptionGroup var options: ClientOptions
    // Southern latitudes begin with a minus.
    @Option(parsing: .unconditional, help: "LATITUDE,LONGITUDE: only a place near it.") var near: String?
    @Option(help: "How far --near reaches, in metres.") var radius: Double?
    @Option(help: "What chooses: by one seed nodes choose alike.") var seed: String?

    func run() async throws {
        let path = options.path(
            "places/inspire",
            ["near": near, "radius_m": radius.map { "\($0)" }, "seed": seed]
        )
        let place = try await options.client.get(path, as: API.JSON.self)
        try options.show(place) { RecordText.lines(of: $0) }
    }
}
