// SPDX-License-Identifier: Apache-2.0

package import MingleAPI
import MingleModel
import MingleReplica

/// Bringing in the places of a file.
extension EventService {
    /// The radius of a new place of which nobody says one.
    private static let usualRadius: Int64 = 25

    /// Makes the places that the event lacks, and changes those that the request tells something else of, all or none.
    ///
    /// A place is known by its source, else by its name within 25 m. Categories that the event lacks are made, too.
    ///
    /// - Throws: `API.Problem` named `notAllowed` for everybody below a host, `tooLarge` for more than 500 places.
    package func importPlaces(_ request: API.PlaceImport) throws -> API.PlaceImportOutcome {
        try requireOn(.place)
        try replica.requireMayWrite(.place)
        guard try ownLevel() ?? .guest >= .host else {
            throw API.Problem(.notAllowed, "Only a host of the event imports places. Ask a host to do it.")
        }
        guard request.places.count <= API.PlaceImport.limit else {
            throw API.Problem(.tooLarge, "These are more than \(API.PlaceImport.limit) places. Send fewer at a time.")
        }
        var categories = try CategoryTree(known: shownCategories(), described: request.categories ?? [])
        var outcome = API.PlaceImportOutcome()
        let places = try fitting(request.places, &categories, &outcome)
        let old = try knownRecords(places.map(\.mark))
        outcome.categories = categories.missing.map(\.name)
        if request.dryRun == true {
            try note(zip(places, old).map { try draft(of: $0, over: $1, in: categories) }, old, &outcome)
            return outcome
        }
        try write { write in
            try categories.make { try write(.create(.category, on: .nothing, values: $0)) }
            let drafts = try zip(places, old).map { try draft(of: $0, over: $1, in: categories) }
            for case let draft? in drafts { _ = try write(draft) }
            note(drafts, old, &outcome)
        }
        return outcome
    }

    /// The records of places that the event has; each is of the first one that is taken for it.
    private func knownRecords(_ marks: [PlaceMark]) throws -> [ShownRecord?] {
        var taken: Set<Reference> = []
        return try replica.knownPlaces(marks).map { id in
            guard let id, taken.insert(id).inserted else { return nil }
            return try replica.record(id, of: .place)
        }
    }

    /// A place of a request that the event can have.
    private struct Fitting {
        let place: API.ImportedPlace
        let values: [String: Value]
        let mark: PlaceMark
    }

    private func fitting(
        _ places: [API.ImportedPlace],
        _ categories: inout CategoryTree,
        _ outcome: inout API.PlaceImportOutcome
    ) throws -> [Fitting] {
        var (fitting, marks) = ([Fitting](), PlaceMarks())
        for (index, place) in places.enumerated() {
            do {
                let values = try RecordDraft(.place, Self.body(of: place), for: .create).values
                let position = GridPosition(latitudeDegrees: place.latitude, longitudeDegrees: place.longitude)
                guard let position else { throw API.Problem(.badRequest, "The position is none on Earth.") }
                let mark = PlaceMark(source: place.source, name: place.name, position: position)
                guard marks.note(mark, at: index) == nil else {
                    throw API.Problem(.conflict, "The same place is there before it.")
                }
                try categories.want(place.categories ?? [])
                fitting.append(Fitting(place: place, values: values, mark: mark))
            } catch let problem as API.Problem {
                outcome.leftOut.append(API.LeftOutPlace(index: index, detail: problem.detail))
            }
        }
        return fitting
    }

    /// The place as a request makes it by itself; categories are named by others than their ids.
    private static func body(of place: API.ImportedPlace) -> API.JSON {
        var members: [String: API.JSON] = [
            "name": .text(place.name), "latitude": .number(place.latitude), "longitude": .number(place.longitude),
            "radius_m": .integer(place.radiusM.map(Int64.init) ?? usualRadius),
        ]
        for (name, text) in [
            ("address", place.address), ("telephone", place.telephone), ("description", place.description),
            ("source", place.source),
        ] { if let text { members[name] = .text(text) } }
        members["hours"] = place.hours
        return .object(members)
    }

    /// What is to be written of a place; nil: nothing.
    private func draft(of new: Fitting, over old: ShownRecord?, in categories: CategoryTree) throws -> Draft? {
        var values = new.values
        if let names = new.place.categories, !names.isEmpty {
            values["categories"] = .data(names.flatMap { categories.id(of: $0)?.bytes ?? CategoryTree.unmade })
        }
        guard let old, let id = old.id else { return .create(.place, on: .nothing, values: values) }
        if new.place.radiusM == nil { values["radius"] = nil }
        values = values.filter { old.values[$0.key] != $0.value }
        return values.isEmpty ? nil : .edit(id, .place, values: values)
    }

    private func note(_ drafts: [Draft?], _ old: [ShownRecord?], _ outcome: inout API.PlaceImportOutcome) {
        for (draft, old) in zip(drafts, old) {
            if draft == nil {
                outcome.known += 1
            } else if old == nil {
                outcome.made += 1
            } else {
                outcome.changed += 1
            }
        }
    }

    private func shownCategories() throws -> [String: Reference] {
        var query = RecordQuery()
        query.limit = Self.pageLength
        var categories: [String: Reference] = [:]
        repeat {
            let page = try replica.records(of: .category, query)
            for case let record in page.items {
                // Of two of one name the older one stays.
                if let id = record.id { categories[FoldedWords.name(record.text("name"))] = id }
            }
            query.before = page.next
        } while query.before != nil
        return categories
    }
}
