// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleAPI
import MingleClient
import MingleCommandLine
import MingleModel
import NIOHTTP1

/// Many places at a time.
struct PlacesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "places",
        abstract: "Bring many places into the event.",
        subcommands: [Import.self]
    )

    /// Imports the places of a file.
    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make the places of a GeoJSON, CSV or OpenStreetMap file, for a host.",
            discussion: """
                A place is known again by where it comes from, such as osm:node/123 or a column id, else by its name within
                25 m. What the file says of a known place is changed, and nothing else.

                CSV: the first line names the columns: name, latitude, longitude, and if you like radius_m, category (several
                with | between them), address, telephone, description, opening_hours (Mo-Fr 09:00-17:00; Sa 10:00-14:00), id.
                --mapping FILE is JSON that says which categories places have: {"amenity=cafe": "Café", "shop=*": {"name":
                "Shop", "parent": "Trade", "synonyms": "store"}}.
                """
        )
        @OptionGroup var options: ClientOptions
        @Argument(
            help: "File of at most 50 MB: .geojson, .json, .csv, .osm or .xml.",
            completion: .file(extensions: ["geojson", "json", "csv", "osm", "xml"])
        )
        var file: String
        @Option(help: "JSON file that says which categories places have.", completion: .file(extensions: ["json"]))
        var mapping: String?
        @Flag(help: "Write nothing; say what would be done.") var dryRun = false

        func run() async throws {
            guard let format = PlaceFile.Format(named: file) else {
                throw ValidationError(
                    "Not a file of places: \(file). Its name must end in .geojson, .json, .csv, .osm or .xml."
                )
            }
            let mapping = try mapping.map { try CategoryMapping(Self.read($0)) } ?? .usual
            let read = try PlaceFile(Self.read(file), as: format, mapping)
            var report = PlaceReport(defects: read.defects)
            let progress = Progress("Importing", total: read.places.count)
            try await progress.shown {
                var rest = read.places[...]
                while !rest.isEmpty {
                    let batch = Array(rest.prefix(API.PlaceImport.limit))
                    rest = rest.dropFirst(batch.count)
                    try await send(batch, mapping, &report)
                    progress.add(batch.count)
                }
            }
            for defect in report.defects.sorted(by: { $0.line < $1.line }) {
                StandardError.print("line \(defect.line): \(defect.text)")
            }
            if let first = read.linesOfOtherHours.first {
                let places = read.linesOfOtherHours.count.counted("place")
                StandardError.print(
                    "Without opening hours, as they are not the same each week: \(places), the first at line \(first)."
                )
            }
            try options.show(report) { $0.text(isDry: dryRun) }
            if !report.defects.isEmpty { throw ExitCode.failure }
        }

        private func send(_ batch: [PlaceFile.Found], _ mapping: CategoryMapping, _ report: inout PlaceReport)
            async throws
        {
            let names = Set(batch.flatMap { $0.place.categories ?? [] })
            let request = API.PlaceImport(
                places: batch.map(\.place),
                categories: mapping.known(of: names),
                dryRun: dryRun ? true : nil
            )
            let outcome: API.PlaceImportOutcome
            do {
                outcome = try await options.client.send(.POST, options.path("places/import"), request)
            } catch let problem as API.Problem where report.count > 0 {
                throw API.Problem(
                    problem.name,
                    "\(problem.detail) \(report.count) places are in. The same command goes on with the others."
                )
            }
            report.add(outcome, of: batch)
        }

        private static func read(_ path: String) throws -> Data {
            let (file, size) = try Upload.open(path)
            defer { try? file.close() }
            guard size <= PlaceFile.sizeLimit else {
                throw API.Problem(
                    .tooLarge,
                    "\(path) has \(size / 1_000_000) MB, and at most 50 MB are read. Split the file."
                )
            }
            return try file.readToEnd() ?? Data()
        }
    }
}

/// What an import of places brought.
private struct PlaceReport: Encodable {
    private enum CodingKeys: CodingKey {
        case made, changed, known, categories, leftOut
    }

    private struct LeftOut: Encodable {
        let line: Int
        let detail: String
    }

    private(set) var outcome = API.PlaceImportOutcome()
    /// What did not come in.
    private(set) var defects: [PlaceFile.Defect]

    init(defects: [PlaceFile.Defect]) { self.defects = defects }

    /// Places that are there now.
    var count: Int { outcome.made + outcome.changed + outcome.known }

    mutating func add(_ other: API.PlaceImportOutcome, of batch: [PlaceFile.Found]) {
        outcome.made += other.made
        outcome.changed += other.changed
        outcome.known += other.known
        outcome.categories += other.categories.filter { !outcome.categories.contains($0) }
        for place in other.leftOut where batch.indices.contains(place.index) {
            defects.append(PlaceFile.Defect(line: batch[place.index].line, text: place.detail))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: CodingKeys.self)
        try object.encode(outcome.made, forKey: .made)
        try object.encode(outcome.changed, forKey: .changed)
        try object.encode(outcome.known, forKey: .known)
        try object.encode(outcome.categories, forKey: .categories)
        try object.encode(defects.map { LeftOut(line: $0.line, detail: $0.text) }, forKey: .leftOut)
    }

    func text(isDry: Bool) -> String {
        let left = defects.isEmpty ? "" : " \(defects.count) left out: see above."
        let counts = "\(outcome.made) new, \(outcome.changed) changed, \(outcome.known) as they were."
        return
            "\(isDry ? "Would import" : "Imported") places: \(counts) New categories: \(outcome.categories.count).\(left)"
    }
}
