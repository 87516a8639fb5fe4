// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MingleAPI
import MingleClient
import MingleCommandLine
import MingleModel

/// Finds places.
struct FindPlaces: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Find places by what they are, what they are called and where they are.",
        discussion: """
            The name of a category, or another word for it, finds what is in it and below. 'coffee near Lyngby' finds \
            coffee around the place of that name. Other words find by their beginning, with one wrong letter from four \
            letters on. All options that are given hold.
            """
    )

    @OptionGroup var options: ClientOptions
    @Argument(help: "What to look for; nothing: anything.") var text: [String] = []
    // Southern latitudes begin with a minus.
    @Option(parsing: .unconditional, help: "LATITUDE,LONGITUDE from which distances count.") var near: String?
    @Option(help: "Only what is so near, in metres.") var radius: Double?
    @Flag(help: "Only what is in the square of 5 by 5 km about --near.") var wide = false
    @Option(parsing: .unconditional, help: "SOUTH,WEST,NORTH,EAST: only what is in the rectangle.") var within: String?
    @Option(help: "Only what is in the category with this id, or below it.") var category: String?
    @Option(help: "Only up to this price level, 1 to 4.") var price: Int?
    @Option(help: "Only what is rated so at least, 1 to 5.") var rating: Double?
    @Flag(help: "Only what is open now.") var open = false
    @Flag(help: "Only your favourites.") var favourite = false
    @Option(help: "How many at most, up to \(API.FoundPlaces.limit).") var limit: Int?

    func run() async throws {
        let words = text.joined(separator: " ")
        let parameters = [
            "q": words.isEmpty ? nil : words, "near": near, "radius_m": radius.map { "\($0)" },
            "wide": wide ? "true" : nil, "within": within, "category": category, "price": price.map { "\($0)" },
            "rating": rating.map { "\($0)" }, "open": open ? "true" : nil, "favourite": favourite ? "true" : nil,
            "limit": limit.map { "\($0)" },
        ]
        let found = try await options.client.get(options.path("places/find", parameters), as: API.JSON.self)
        try options.show(found) { found in
            guard case .list(let places)? = found["places"], !places.isEmpty else {
                return "No place was found. Try fewer words, or a larger distance."
            }
            let around = found["around"]?["name"]?.text.map { "Around \($0):\n" } ?? ""
            return around + Table.text(places.map(Self.row))
        }
    }

    /// What it is called, how far away, its mean rating, whether it is open, and its id.
    private static func row(_ place: API.JSON) -> [String] {
        let stars = place["ratings"]?["means"]?["overall"]?.double.map { "\(($0 * 10).rounded() / 10) of 5" }
        let openness = place["open"].map { $0 == true ? "open" : "closed" }
        let distance = place["distance_m"]?.double.map { "\(Int($0)) m" }
        return [place["name"]?.text ?? "", distance ?? "", stars ?? "", openness ?? "", place["id"]?.text ?? ""]
    }
}
