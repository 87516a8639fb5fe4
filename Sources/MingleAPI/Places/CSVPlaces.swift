// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Places of a CSV file whose first line names the columns.
enum CSVPlaces {
    /// Columns that say what a place is in the file.
    private static let keys = ["source", "id", "key"]

    static func read(_ bytes: [UInt8], into file: inout PlaceFile) throws {
        var rows = CSVRows(bytes)
        guard case .success(let header)? = rows.next()?.fields else {
            throw API.Problem(.badRequest, "The first line must name the columns, such as name,latitude,longitude.")
        }
        let names = header.map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        guard names.contains(where: ["name", "title"].contains) else {
            throw API.Problem(.badRequest, "There is no column called name. The first line must name the columns.")
        }
        while let row = rows.next() {
            switch row.fields {
            case .failure(let broken): file.leaveOut(row.line, broken.text)
            case .success(let fields) where fields.count != names.count:
                let text = "\(fields.count) fields where the first line has \(names.count)"
                file.leaveOut(row.line, text)
            case .success(let fields):
                var place = WrittenPlace(line: row.line, values: Dictionary(zip(names, fields)) { first, _ in first })
                place.source = source(place.values)
                try file.take(place)
            }
        }
    }

    private static func source(_ values: [String: String]) -> String? {
        for name in keys {
            guard let key = values[name]?.trimmingCharacters(in: .whitespaces), !key.isEmpty else { continue }
            // A column of sources has them as they are.
            return name == "source" ? key : "csv:\(key)"
        }
        return nil
    }
}
