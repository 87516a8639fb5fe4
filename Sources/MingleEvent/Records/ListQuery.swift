// SPDX-License-Identifier: Apache-2.0

import MingleAPI
package import MingleModel
package import MingleReplica

/// What a request for a list of records says, by the names of its parameters.
package struct ListQuery: Sendable {
    /// Metres around a position where a request says nothing.
    private static let usualMetres = 5000.0
    /// Records on a page where a request says nothing.
    private static let usualLimit = 50

    let kind: Kind
    let parameters: [String: String]

    /// Keeps the parameters of a request, less the event and a search for nothing.
    package init(_ kind: Kind, _ parameters: [String: String]) {
        self.kind = kind
        self.parameters = parameters.filter { $0.key != "event" && !($0.key == "q" && $0.value.isEmpty) }
    }

    /// Whether it says nothing.
    var isEmpty: Bool { parameters.isEmpty }

    /// Whether the list is narrowed or ordered by more than what records hang on.
    var isNarrowed: Bool { !parameters.keys.allSatisfy { ["target", "before", "limit"].contains($0) } }

    /// Which of the lists of a person's own is asked for; nil: none of them.
    var list: String? { parameters["list"] }

    /// Whether it says nothing but one parameter and which page.
    func isPageOf(_ name: String) -> Bool { parameters.keys.allSatisfy { [name, "before", "limit"].contains($0) } }

    /// The cursor of the list.
    package var cursor: ListCursor {
        let narrowed = parameters.filter { !["before", "limit"].contains($0.key) }
        let words = narrowed.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return ListCursor("\(kind.plural)?\(words.joined(separator: "&"))")
    }

    /// The query for the replica.
    ///
    /// - Throws: ``API/Problem`` named `badRequest`, or `notFound` for ids of nothing.
    package func read() throws -> RecordQuery {
        var query = RecordQuery()
        query.target = try parameters["target"].map(RequestValidation.reference)
        query.author = try parameters["author"].map(RequestValidation.person)
        query.words = parameters["q"]
        query.circle = try circle()
        query.rectangle = try parameters["within"].map(Self.rectangle)
        query.order = try order()
        query.isFaved = try flag("faved")
        query.isOpenClaim = try flag("open")
        query.isClip = try kind == .photo && flag("clips")
        query.limit = try Self.limit(parameters)
        query.before = try cursor.cursor(parameters["before"])
        for field in kind.fields where field.isFilter {
            query.filters[field.name] = try parameters[field.member].map { try filter(field, $0) }
        }
        guard query.words == nil || query.circle == nil && query.rectangle == nil else {
            throw API.Problem(.badRequest, "Use either `q`, or `near` or `within`.")
        }
        guard query.circle == nil || query.rectangle == nil else {
            throw API.Problem(.badRequest, "Use either `near` or `within`.")
        }
        return query
    }

    /// How many records a page of any list has, by the parameters of a request.
    package static func limit(_ parameters: [String: String]) throws -> Int {
        guard let text = parameters["limit"] else { return usualLimit }
        guard let limit = Int(text), (1...500).contains(limit) else {
            throw API.Problem(.badRequest, "`limit` must be a whole number from 1 to 500.")
        }
        return limit
    }

    private func flag(_ name: String) throws -> Bool {
        switch parameters[name] {
        case nil, "false", "0": return false
        case "true", "1": return true
        default: throw API.Problem(.badRequest, "`\(name)` must be true or false.")
        }
    }

    /// Where the records of the list are to be; nil: anywhere.
    ///
    /// - Throws: ``API/Problem`` named `badRequest`.
    package func circle() throws -> GridCircle? {
        guard let text = parameters["near"] else {
            guard parameters["radius_m"] == nil else {
                throw API.Problem(.badRequest, "`radius_m` needs `near`.")
            }
            return nil
        }
        let center = try Self.position(text)
        return GridCircle(center: center, metres: try parameters["radius_m"].map(Self.metres) ?? Self.usualMetres)
    }

    /// Reads `near`.
    static func position(_ text: String) throws -> GridPosition {
        guard let degrees = degrees(text), degrees.count == 2,
            let position = GridPosition(latitudeDegrees: degrees[0], longitudeDegrees: degrees[1])
        else { throw API.Problem(.badRequest, "`near` must be LATITUDE,LONGITUDE in degrees.") }
        return position
    }

    /// Reads `radius_m`.
    static func metres(_ text: String) throws -> Double {
        guard let metres = Double(text), (1...Double(Position.metres.upperBound)).contains(metres) else {
            throw API.Problem(.badRequest, "`radius_m` must be 1 to 1 000 000 metres.")
        }
        return metres
    }

    /// Reads `within`.
    static func rectangle(_ text: String) throws -> GridRectangle {
        guard let degrees = degrees(text), degrees.count == 4,
            let low = GridPosition(latitudeDegrees: degrees[0], longitudeDegrees: degrees[1]),
            let high = GridPosition(latitudeDegrees: degrees[2], longitudeDegrees: degrees[3]),
            let rectangle = GridRectangle(
                south: low.latitude,
                west: low.longitude,
                north: high.latitude,
                east: high.longitude
            )
        else { throw API.Problem(.badRequest, "`within` must be SOUTH,WEST,NORTH,EAST in degrees.") }
        return rectangle
    }

    private static func degrees(_ text: String) -> [Double]? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let degrees = parts.compactMap { Double($0) }
        return degrees.count == parts.count ? degrees : nil
    }

    private func order() throws -> RecordQuery.Order {
        guard let text = parameters["order"], text != "newest" else { return .newest }
        let isDescending = text.hasPrefix("-")
        let name = isDescending ? String(text.dropFirst()) : text
        guard let field = kind.orderFields.first(where: { $0.member == name }) else {
            let names = ["newest"] + kind.orderFields.flatMap { [$0.member, "-\($0.member)"] }
            throw API.Problem(.badRequest, "`order` must be one of: \(names.joined(separator: ", ")).")
        }
        return isDescending ? .highest(field.name) : .lowest(field.name)
    }

    private func filter(_ field: Field, _ text: String) throws -> Value {
        switch field.type {
        case .flag: return try field.value(from: text == "true" ? true : text == "false" ? false : .text(text))
        case .number: return try field.value(from: Int64(text).map(API.JSON.integer) ?? .text(text))
        case .references: return .data(try RequestValidation.reference(text).bytes)
        default: return try field.value(from: .text(text))
        }
    }
}
